public import BatonProtocol
public import BatonWire

/// A reply with the result that belongs to its command.
public struct Answered<Answer: Equatable & Sendable>: Sendable {
    public var reply: Reply
    /// `nil` where the hub had nothing to tell beside the outcome, as when nothing had to be done.
    public var answer: Answer?
    /// The same as the hub has written it, with members that this version does not know.
    public var raw: JSON?

    init(_ received: ReceivedReply, to kind: CommandKind) throws(ProtocolFault) {
        reply = received.reply
        raw = received.data
        guard let content = kind.content else {
            answer = NoAnswer() as? Answer
            return
        }
        answer = try received.data.map { data throws(ProtocolFault) in try content.init(from: data) } as? Answer
    }

    /// The result of a command that always has one.
    public func whole() throws(ProtocolFault) -> Answer {
        guard let answer else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        return answer
    }
}
