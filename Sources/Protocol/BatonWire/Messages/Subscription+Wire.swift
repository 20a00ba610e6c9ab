import BatonCore
package import BatonProtocol

/// The JSON form of `Subscription` and its parts.
extension Subscription {
    init(from fields: Fields, limits: WireLimits) throws(ProtocolFault) {
        let id = try fields.required("id", fields.int("id", in: CommandFrame.idRange))
        do { try self.init(id: id, from: fields, limits: limits) } catch { throw error.answering(id) }
    }

    private init(id: Int, from fields: Fields, limits: WireLimits) throws(ProtocolFault) {
        self.init(
            id: id, rooms: try fields.rooms("rooms"), sections: try fields.sections("sections"),
            pace: try fields.pace(), queue: try fields.window(limits))
    }

    package func encode(into writer: inout JSONWriter) {
        writer.object { message in
            message.member("t", Self.type)
            message.member("id", id)
            if let rooms { message.member("rooms", rooms.map(\.text)) }
            if let sections { message.member("sections", sections.map(\.name)) }
            if let pace { message.member("pace", array: pace.encode) }
            switch queue {
            case .unchanged: break
            case .cleared:
                message.name("queue")
                message.null()
            case .set(let window):
                message.member(
                    "queue",
                    object: {
                        $0.member("from", window.from)
                        $0.member("n", window.count)
                    })
            }
        }
    }
}

extension Pace {
    /// Range in which a client may choose its pace.
    static let rangeMs = 20...120_000

    func encode(into writer: inout JSONWriter) {
        writer.int(minMs)
        writer.int(maxMs)
    }
}

extension Fields {
    fileprivate func pace() throws(ProtocolFault) -> Pace? {
        guard let bounds = try list("pace", count: 2...2, of: "milliseconds from 20 to 120000", Self.paceBound) else { return nil }
        guard bounds[0] <= bounds[1] else { throw fault("pace", "The first of pace must not exceed the second.") }
        return Pace(minMs: bounds[0], maxMs: bounds[1])
    }

    fileprivate func window(_ limits: WireLimits) throws(ProtocolFault) -> Patch<Subscription.Window> {
        guard let value = object["queue"] else { return .unchanged }
        guard !value.isNull else { return .cleared }
        let window = try required("queue", fields("queue"))
        return .set(
            Subscription.Window(
                from: try window.int("from", in: 0...limits.queueLength) ?? 0,
                count: try window.int("n", in: 1...limits.queueWindow) ?? limits.queueWindow))
    }

    private static func paceBound(_ value: JSON) -> Int? {
        value.int.flatMap { Int(exactly: $0) }.flatMap { Pace.rangeMs.contains($0) ? $0 : nil }
    }
}
