import Synchronization

/// Messages for the person who runs the program. A logger is passed in; edges throw instead of logging.
package struct Log: Sendable {
    /// The urgency of a message: `error` for a broken promise, `warning` for something to act on, `notice` for the life of the hub, the rest for
    /// developers.
    package enum Level: Int, Sendable, Comparable, CaseIterable {
        case trace, debug, notice, warning, error
        /// The order of urgency, from tracing to errors.
        package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
        /// The word that stands in the log and in the configuration.
        package var name: String { "\(self)" }
    }

    /// Shared by all copies of a logger, because its level can change while the hub runs.
    private let least: Least
    private let write: @Sendable (Level, String) -> Void

    /// A logger. `write` gets messages from any thread.
    package init(threshold: Level, write: @escaping @Sendable (Level, String) -> Void) {
        least = Least(threshold)
        self.write = write
    }

    /// A logger without output, for tests of other things.
    package static let silent = Log(threshold: .error) { _, _ in }

    /// The lowest level that is written; a change counts for all copies of this logger.
    package var threshold: Level {
        get { Level(rawValue: least.level.load(ordering: .relaxed)) ?? .notice }
        nonmutating set { least.level.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Writes a message. The sentence is not even made when the level is below the threshold.
    package func callAsFunction(_ level: Level, _ sentence: @autoclosure () -> String) {
        if level.rawValue >= least.level.load(ordering: .relaxed) { write(level, sentence()) }
    }

    private final class Least: Sendable {
        let level: Atomic<Int>

        init(_ level: Level) { self.level = Atomic(level.rawValue) }
    }
}
