import BatonCore
import BatonProtocol
package import BatonSeams

/// Counts of commands by kind and result, and the time that senders waited. Made only in a hub whose figures are read.
@Loop
package final class CommandFigures {
    private struct Outcome: Hashable {
        /// The kind; `nil` for an unknown command, since its name is text from the sender.
        var kind: CommandKind?
        var result: String
    }

    private var answered: [Outcome: Int] = [:]
    /// Wait times, from the tenth of a millisecond of a volume change to the time after which people press again.
    private var waits = Histogram(bounds: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10])

    package init() {}

    func note(_ kind: CommandKind?, _ reply: Reply, tookUs: Microseconds) {
        answered[Outcome(kind: kind, result: reply.outcome.label), default: 0] += 1
        waits.add(Double(max(0, tookUs)) / 1_000_000)
    }

    /// The figures in the form in which they are read: one counter and one histogram.
    package var families: [MetricFamily] {
        let samples = answered.map { outcome, count in
            MetricFamily.Sample(
                Double(count), [.init("kind", outcome.kind?.rawValue ?? "unknown"), .init("outcome", outcome.result)])
        }
        return [
            MetricFamily("commands", help: "Commands that were answered.", .counter(samples)),
            MetricFamily("command_seconds", help: "How long commands waited for their answers.", .histogram(waits)),
        ]
    }
}

extension Reply.Outcome {
    /// The label of an outcome: errors by their codes, of which there are few.
    fileprivate var label: String {
        switch self {
        case .applied: "applied"
        case .noop: "noop"
        case .failed(let error): error.code
        case .unrecognised: "other"
        }
    }
}
