import BatonProtocol
public import BatonWire

extension ReconnectingHub {
    /// Handles a tap on *next*, however quickly it follows the last one. Returns the last reply, or `nil` if the tap
    /// was combined with others.
    @discardableResult
    public func next() async throws -> ReceivedReply? {
        // The tap refers to the last state on the screen, even while the hub is away. Without any state it waits for
        // the first.
        let seen = await mirror
        let queue = seen.revision > 0 ? seen.queue : try await state().queue
        guard var skip = quickNext.tap(showing: queue, atUs: nowUs()) else { return nil }
        while true {
            let reply: ReceivedReply
            let command = Commands.Next(from: skip.from, count: skip.count)
            do { reply = try await deliver(command, key: Keys.random(), room: nil, pressedUs: skip.tappedUs) } catch {
                quickNext.failed()
                throw error
            }
            let applied = if case .applied = reply.reply.outcome { true } else { false }
            guard let more = quickNext.answered(applied: applied, showing: await mirror.queue) else { return reply }
            skip = more
        }
    }
}
