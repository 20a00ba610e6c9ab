public import BatonProtocol
public import BatonWire

/// A reply with the result that belongs to its command.
public struct Answered<Answer: Equatable & Sendable>: Sendable {
    /// The outcome, and the revision that contains the effect of the command; a refusal is thrown instead.
    public var reply: Reply
    /// The result; `nil` if the hub returned only the outcome, for instance because there was nothing to do.
    public var answer: Answer?
    /// The result as received, including members that this version does not know.
    public var raw: JSON?

    init<Command: WireCommand>(_ received: ReceivedReply, to command: Command.Type) throws(ProtocolFault) where Command.Answer == Answer {
        reply = received.reply
        raw = received.data
        answer = try command.answer(in: received.data)
    }

    /// The result of a command that always returns one.
    public func whole() throws(ProtocolFault) -> Answer {
        guard let answer else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        return answer
    }
}
