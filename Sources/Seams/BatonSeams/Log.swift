/// Sentences for the person who runs the program. A logger is passed in; edges throw instead of logging.
package struct Log: Sendable {
    package enum Level: Int, Sendable, Comparable, CaseIterable {
        case trace, debug, notice, warning, error
        package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
        package var name: String { "\(self)" }
    }

    package var threshold: Level
    private let write: @Sendable (Level, String) -> Void

    package init(threshold: Level, write: @escaping @Sendable (Level, String) -> Void) {
        self.threshold = threshold
        self.write = write
    }

    /// Says nothing; for tests that look at other things.
    package static let silent = Log(threshold: .error) { _, _ in }

    package func callAsFunction(_ level: Level, _ sentence: @autoclosure () -> String) {
        if level >= threshold { write(level, sentence()) }
    }
}
