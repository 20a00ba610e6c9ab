public import BatonProtocol
public import BatonWire

/// A reply with the result that belongs to its command.
public struct Answered<Answer: CommandAnswer>: Sendable {
    public var reply: Reply
    /// `nil` where the hub had nothing to tell beside the outcome, as when nothing had to be done.
    public var answer: Answer?
    /// The same as the hub has written it, with members that this version does not know.
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

    /// The result of a command that always has one.
    public func whole() throws(ProtocolFault) -> Answer {
        guard let answer else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        return answer
    }
}
