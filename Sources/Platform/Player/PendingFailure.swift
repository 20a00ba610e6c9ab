import BatonCore
import BatonSeams

/// A failure that waits for its reason, and the last lines of libmpv's log.
///
/// A value. The lines that have the reason arrive after the event for the failure.
struct PendingFailure {
    private static let mostLines = 20

    /// The last lines, of which one may name the reason.
    private(set) var log: [String] = []
    private var waiting: (entry: EntryID, playable: Playable, status: MPVStatus)?

    /// Forgets the lines about an earlier file.
    mutating func startOver() { log = [] }

    mutating func add(_ line: String) { log = log.suffix(Self.mostLines - 1) + [line] }

    mutating func note(_ entry: EntryID, _ playable: Playable, status: MPVStatus) { waiting = (entry, playable, status) }

    /// Takes the report of the failure that waits.
    mutating func take() -> PlayerReport? {
        guard let (entry, playable, status) = waiting else { return nil }
        defer { (waiting, log) = (nil, []) }
        return .failed(entry, reason: Failure.sentence(for: playable, status: status, log: log))
    }
}
