import BatonSeams

/// Requests to libmpv that tasks wait for. Each is answered once, at the latest when the player is released, since libmpv sends no answers
/// afterwards.
@Loop
final class Questions<Answer: Sendable> {
    private var waiting: [Int: CheckedContinuation<Answer?, Never>] = [:]
    private var numbers = 0

    /// `begin` gets the ticket for the answer.
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
