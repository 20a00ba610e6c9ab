import BatonSeams

/// Questions to libmpv that tasks wait for. Each is answered once: at the latest when the player gives up, since libmpv's own
/// answers do not come any more when it is let go.
@Loop
final class Questions<Answer: Sendable> {
    private var waiting: [Int: CheckedContinuation<Answer?, Never>] = [:]
    private var numbers = 0

    /// `begin` is given the ticket to answer with.
    func ask(_ begin: (Int) -> Void) async -> Answer? {
        await withCheckedContinuation { continuation in
            numbers += 1
            waiting[numbers] = continuation
            begin(numbers)
        }
    }

    func give(_ answer: Answer, to ticket: Int) { waiting.removeValue(forKey: ticket)?.resume(returning: answer) }

    func giveUp() {
        let given = waiting
        waiting = [:]
        for continuation in given.values { continuation.resume(returning: nil) }
    }
}
