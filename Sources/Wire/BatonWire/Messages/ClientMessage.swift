package import BatonProtocol

/// The messages of a client. Each text frame is one of them.
package enum ClientMessage: Equatable, Sendable {
    case hello(Hello)
    case command(CommandFrame)
    case cancel(id: Int)
    case subscribe(Subscription)
    case sync
    case time(t1: Int64)
    case bye(why: String?)
    case authenticate(Authentication)
    case pair(PairMessage)
    case unknown(type: String)

    package static func decode(_ text: [UInt8], limits: WireLimits = .standard) throws(ProtocolFault) -> ClientMessage {
        try decode(text.span, limits: limits)
    }

    /// Reads a message. An ordinary command is read in one pass, and every other text by way of a tree of JSON values.
    package static func decode(_ text: Span<UInt8>, limits: WireLimits = .standard) throws(ProtocolFault) -> ClientMessage {
        if let command = CommandFrame(plain: text, limits: limits.json) { return .command(command) }
        return try decode(whole: text, limits: limits)
    }

    /// Reads a message of any type from a tree of JSON values.
    static func decode(whole text: Span<UInt8>, limits: WireLimits) throws(ProtocolFault) -> ClientMessage {
        let root: JSON
        do { root = try JSON.parse(text, limits: limits.json) } catch { throw ProtocolFault(error) }
        guard case .object(let object) = root else { throw notAnObject }
        return try decode(Fields(object), limits: limits)
    }

    private static var notAnObject: ProtocolFault {
        var fault = ProtocolFault(.badRequest, "A message is one JSON object.", at: "")
        fault.isStrike = true
        return fault
    }

    private static func decode(_ fields: Fields, limits: WireLimits) throws(ProtocolFault) -> ClientMessage {
        let type = try fields.required("t", fields.string("t", bytes: 1...limits.json.stringBytes))
        switch type {
        case CommandFrame.type: return .command(try CommandFrame(from: fields))
        case "time": return .time(t1: try fields.required("t1", fields.int64("t1")))
        case "sync": return .sync
        case Hello.type:
            // Before the other members, so that a client of another version is told the reason.
            let core = fields.object["core"]
            if core == nil || core?.string.map(CoreVersion.speaks) == false { throw ProtocolFault.unsupportedVersion }
            return .hello(try Hello(from: fields))
        case Subscription.type: return .subscribe(try Subscription(from: fields, limits: limits))
        case "cancel":
            try fields.refuseUnknown {
                switch $0 {
                case "t", "id": true
                default: false
                }
            }
            return .cancel(id: try fields.required("id", fields.int("id", in: CommandFrame.idRange)))
        case "bye": return .bye(why: try fields.string("why", bytes: 0...256))
        case Authentication.type: return .authenticate(try Authentication(from: fields))
        case PairMessage.type: return .pair(try PairMessage(from: fields))
        default: return .unknown(type: type)
        }
    }

    /// Writes a message of a client. Clients send no messages of unknown types.
    package func encode(into writer: inout JSONWriter) {
        switch self {
        case .hello(let hello): hello.encode(into: &writer)
        case .command(let frame): frame.encode(into: &writer)
        case .subscribe(let subscription): subscription.encode(into: &writer)
        case .cancel(let id): writer.message("cancel") { $0.member("id", id) }
        case .sync: writer.message("sync") { _ in }
        case .time(let t1): writer.message("time") { $0.member("t1", t1) }
        case .bye(let why): writer.message("bye") { $0.member("why", ifPresent: why) }
        case .authenticate(let authentication): authentication.encode(into: &writer)
        case .pair(let message): message.encode(into: &writer)
        case .unknown(let type): writer.message(type) { _ in }
        }
    }
}

extension JSONWriter {
    mutating func message(_ type: String, _ body: (inout JSONWriter) -> Void) {
        object {
            $0.member("t", type)
            body(&$0)
        }
    }

    /// One message as a frame's bytes.
    package static func bytes(headroom: Int = 0, _ encode: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(headroom: headroom)
        encode(&writer)
        return writer.finish()
    }
}
