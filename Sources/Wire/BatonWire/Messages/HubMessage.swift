public import BatonProtocol

/// The messages of a hub, as a client reads them. Unknown members are skipped and unknown types are stored by name, so that an old remote
/// works with a new hub.
package enum HubMessage: Equatable, Sendable {
    case challenge(Challenge)
    case pair(PairMessage)
    case welcome(Welcome)
    case state(StateUpdate)
    case reply(ReceivedReply)
    case queue(QueueOps)
    case time(ClockSample)
    case error(WireError)
    case bye(code: Int, why: String)
    case unrecognised(String)

    /// Reads a message. Text that is no message is a fault; a message of an unknown type is not.
    package static func decode(_ text: [UInt8], limits: JSONLimits = .standard) throws(ProtocolFault) -> HubMessage {
        let root: JSON
        do { root = try JSON.parse(text, limits: limits) } catch { throw ProtocolFault(error) }
        guard case .object(let object) = root else { throw ProtocolFault(.badRequest, "A message is one JSON object.", at: "") }
        return try decode(Fields(object))
    }

    private static func decode(_ fields: Fields) throws(ProtocolFault) -> HubMessage {
        switch try fields.required("t", fields.text("t")) {
        case Challenge.type: .challenge(try Challenge(from: fields))
        case PairMessage.type: .pair(try PairMessage(from: fields))
        case StateHeader.type: .state(try StateUpdate(from: fields))
        case Reply.type: .reply(try ReceivedReply(from: fields))
        case "time": .time(try ClockSample(from: fields))
        case QueueOps.type: .queue(try QueueOps(from: fields))
        case Welcome.type: .welcome(try Welcome(from: fields))
        case "err": .error(try WireError(from: fields.required("err", fields.fields("err"))))
        case "bye": .bye(code: try fields.count("code") ?? 0, why: try fields.text("why") ?? "")
        case let name: .unrecognised(name)
        }
    }
}

/// A reply with the state and the data inside it.
public struct ReceivedReply: Equatable, Sendable {
    /// The reply without its data, which is read only when its type is known.
    public var reply: Reply
    /// The result of a query.
    public var data: JSON?
    /// The state that a watch gets inside the reply; `nil` if nothing has changed, and for other views.
    package var state: StateUpdate?

    package init(reply: Reply, data: JSON? = nil, state: StateUpdate? = nil) {
        self.reply = reply
        self.data = data
        self.state = state
    }

    init(from fields: Fields) throws(ProtocolFault) {
        reply = try Reply(from: fields)
        data = fields.object["d"]
        state = fields.has("s") ? try StateUpdate(from: fields) : nil
    }
}

extension ClockSample {
    /// Writes it as a `time` message.
    package func encode(into writer: inout JSONWriter) { writer.message("time", encodeMembers) }
}

/// Messages of the hub that are too small for a type of their own.
extension JSONWriter {
    package mutating func error(_ error: WireError) {
        message("err") { $0.member("err", object: error.encodeMembers) }
    }

    package mutating func bye(_ code: CloseCode, why: String) {
        message("bye") {
            $0.member("code", code.rawValue)
            $0.member("why", why)
        }
    }
}
