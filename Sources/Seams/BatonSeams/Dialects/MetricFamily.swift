/// What the hub counts and measures for monitoring, in the terms of OpenMetrics. No label names a person, an item or an address: a person who
/// may read the figures of a hub is not always one who may see what is played there, and by whom.

/// One name with all its samples.
package struct MetricFamily: Equatable, Sendable {
    package enum Values: Equatable, Sendable {
        /// They grow from the start of the hub.
        case counter([Sample])
        /// They go up and down.
        case gauge([Sample])
        case histogram(Histogram)
    }

    package struct Sample: Equatable, Sendable {
        package var labels: [Label]
        package var value: Double

        package init(_ value: Double, _ labels: [Label] = []) {
            self.value = value
            self.labels = labels
        }
    }

    package struct Label: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Where a unit is known, the name ends in it: `command_seconds`.
    package var name: String
    package var help: String
    package var values: Values

    package init(_ name: String, _ help: String, _ values: Values) {
        self.name = name
        self.help = help
        self.values = values
    }

    package static func counter(_ name: String, _ help: String, _ value: Double) -> MetricFamily {
        MetricFamily(name, help, .counter([Sample(value)]))
    }

    package static func gauge(_ name: String, _ help: String, _ value: Double) -> MetricFamily {
        MetricFamily(name, help, .gauge([Sample(value)]))
    }
}

/// How many measurements were at most as long as each bound, and how long they were together.
package struct Histogram: Equatable, Sendable {
    /// In seconds, the smallest first. What is longer than the last is counted too.
    package let bounds: [Double]
    /// One for each bound, and one for all that is longer. Not cumulative.
    package private(set) var counts: [Int]
    package private(set) var sum = 0.0

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    package mutating func add(_ seconds: Double) {
        counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
        sum += seconds
    }

    package var count: Int { counts.reduce(0, +) }
}
