public import BatonProtocol
public import BatonWire

/// A reply with the typed result of its command.
public struct Answered<Answer: CommandAnswer>: Sendable {
    public var reply: Reply
    /// The result; `nil` if the hub returned only the outcome, for instance because there was nothing to do.
    public var answer: Answer?
    /// The result as received, including members that this version does not know.
    public var raw: JSON?

    init(_ received: ReceivedReply) throws(ProtocolFault) {
        reply = received.reply
        raw = received.data
        guard let form = Answer.form else {
            answer = Answer(nil)
            return
        }
        answer = try received.data.map { data throws(ProtocolFault) in try ReplyData(from: data, as: form) }.flatMap { Answer($0) }
    }

    /// The result of a command that always returns one.
    public func whole() throws(ProtocolFault) -> Answer {
        guard let answer else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        return answer
    }
}
