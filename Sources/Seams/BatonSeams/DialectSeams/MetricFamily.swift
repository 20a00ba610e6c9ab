/// Metrics of the hub in the terms of OpenMetrics. No label names a person, an item or an address, because people who may read the figures are not
/// always permitted to see who plays what.

/// A metric with all its samples.
package struct MetricFamily: Equatable, Sendable {
    /// The kind of metric, with its samples.
    package enum Values: Equatable, Sendable {
        /// Values that grow from the start of the hub.
        case counter([Sample])
        /// Values that go up and down.
        case gauge([Sample])
        /// The numbers of short and long times, such as those of commands.
        case histogram(Histogram)
    }

    package struct Sample: Equatable, Sendable {
        /// The labels that tell it from the other samples of the family.
        package var labels: [Label]
        /// The value, in the unit that the name ends in.
        package var value: Double

        package init(_ value: Double, _ labels: [Label] = []) {
            self.value = value
            self.labels = labels
        }
    }

    /// A property of a sample. It never names a person, an item or an address.
    package struct Label: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The name, which ends in the unit if there is one: `command_seconds`.
    package var name: String
    /// A sentence about the metric, for people who look at it.
    package var help: String
    package var values: Values

    package init(_ name: String, help: String, _ values: Values) {
        self.name = name
        self.help = help
        self.values = values
    }

    /// A counter whose only sample has no labels.
    package static func counter(_ name: String, help: String, _ value: Double) -> MetricFamily {
        MetricFamily(name, help: help, .counter([Sample(value)]))
    }

    /// A gauge whose only sample has no labels.
    package static func gauge(_ name: String, help: String, _ value: Double) -> MetricFamily {
        MetricFamily(name, help: help, .gauge([Sample(value)]))
    }
}

/// The number of measurements up to each bound, and their sum.
package struct Histogram: Equatable, Sendable {
    /// Bounds in seconds, the smallest first. Longer measurements are counted too.
    package let bounds: [Double]
    /// One count for each bound, and one for all longer measurements. Not cumulative.
    package private(set) var counts: [Int]
    /// The sum of all measurements, in seconds.
    package private(set) var sum = 0.0

    /// A histogram without measurements; the bounds ascend.
    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// Adds one measurement, in constant memory.
    package mutating func add(_ seconds: Double) {
        counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
        sum += seconds
    }

    /// Number of all measurements.
    package var count: Int { counts.reduce(0, +) }
}
