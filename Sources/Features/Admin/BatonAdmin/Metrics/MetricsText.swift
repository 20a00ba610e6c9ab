package import BatonSeams

/// The text format of metrics: one line for each sample, after lines that describe its family.
package struct MetricsText {
    /// OpenMetrics if the client requests it, or its predecessor, which all tools support.
    package enum Format: Sendable {
        case openMetrics, plain

        package init(accept: String?) { self = accept?.contains("application/openmetrics-text") == true ? .openMetrics : .plain }

        package var contentType: String {
            switch self {
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            case .plain: "text/plain; version=0.0.4; charset=utf-8"
            }
        }
    }

    private let format: Format
    /// A prefix of all names, so that they do not clash with those of other programs.
    private let prefix: String

    package init(_ format: Format, prefix: String = "baton") {
        self.format = format
        self.prefix = prefix
    }

    package func text(of families: [MetricFamily]) -> String {
        families.map { family in text(of: family, named: "\(prefix)_\(family.name)") }.joined() + (format == .openMetrics ? "# EOF\n" : "")
    }

    private static let units = ["seconds", "bytes"]

    private func text(of family: MetricFamily, named name: String) -> String {
        // OpenMetrics names a counter without the suffix of its samples; the older format uses the full name.
        var named = name
        if format == .plain, case .counter = family.values { named += "_total" }
        var lines = "# TYPE \(named) \(family.values.type)\n"
        if format == .openMetrics, let unit = Self.units.first(where: { name.hasSuffix("_" + $0) }) { lines += "# UNIT \(name) \(unit)\n" }
        lines += "# HELP \(named) \(Self.escaped(family.help))\n"
        switch family.values {
        case .counter(let samples):
            for sample in Self.sorted(samples) { lines += Self.line("\(name)_total", labels: sample.labels, value: sample.value) }
        case .gauge(let samples):
            for sample in Self.sorted(samples) { lines += Self.line(name, labels: sample.labels, value: sample.value) }
        case .histogram(let histogram): lines += Self.text(of: histogram, named: name)
        }
        return lines
    }

    /// Each bucket includes the ones before.
    private static func text(of histogram: Histogram, named name: String) -> String {
        var lines = "", total = 0
        for (count, bound) in zip(histogram.counts, histogram.bounds.map { number($0) } + ["+Inf"]) {
            total += count
            lines += line("\(name)_bucket", labels: [.init("le", bound)], value: Double(total))
        }
        return lines + line("\(name)_sum", labels: [], value: histogram.sum) + line("\(name)_count", labels: [], value: Double(total))
    }

    /// Sorts the samples, because the order of a dictionary changes.
    private static func sorted(_ samples: [MetricFamily.Sample]) -> [MetricFamily.Sample] {
        samples.sorted { $0.labels.map(\.value).lexicographicallyPrecedes($1.labels.map(\.value)) }
    }

    private static func line(_ name: String, labels: [MetricFamily.Label], value: Double) -> String {
        let shown = labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
        return "\(name)\(shown.isEmpty ? "" : "{\(shown)}") \(number(value))\n"
    }

    /// Whole numbers are written without a decimal point, since people read them too.
    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

extension MetricFamily.Values {
    fileprivate var type: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
