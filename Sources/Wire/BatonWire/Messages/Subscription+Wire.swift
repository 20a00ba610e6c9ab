import BatonCore
package import BatonProtocol

/// The JSON form of `Subscription` and its parts.
extension Subscription {
    init(from fields: Fields, limits: WireLimits) throws(ProtocolFault) {
        let id = try fields.required("id", fields.int("id", in: CommandFrame.idRange))
        do { try self.init(id: id, from: fields, limits: limits) } catch { throw error.answering(id) }
    }

    private init(id: Int, from fields: Fields, limits: WireLimits) throws(ProtocolFault) {
        try fields.refuseUnknown {
            switch $0 {
            case "t", "id", "rooms", "sections", "pace", "queue": true
            default: false
            }
        }
        self.init(
            id: id, rooms: try fields.rooms("rooms"), sections: try fields.sections("sections"),
            pace: try fields.pace("pace", in: Pace.rangeMs), queue: try fields.window(limits))
    }

    package func encode(into writer: inout JSONWriter) {
        writer.message(Self.type) { message in
            message.member("id", id)
            if let rooms { message.member("rooms", rooms.map(\.text)) }
            if let sections { message.member("sections", sections.map(\.name)) }
            if let pace { message.member("pace", pace) }
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
}

extension JSONWriter {
    mutating func member(_ name: StaticString, _ pace: Pace) { member(name, Int(pace.minMs)...Int(pace.maxMs)) }
}

extension Fields {
    func pace(_ name: String, in range: ClosedRange<Int> = 0...Int.max) throws(ProtocolFault) -> Pace? {
        let wanted = "milliseconds from \(range.lowerBound) to \(range.upperBound)"
        guard let bounds = try ints(name, count: 2...2, in: range, of: wanted) else { return nil }
        guard bounds[0] <= bounds[1] else { throw fault(name, "The first of \(name) must not exceed the second.") }
        return Pace(minMs: Milliseconds(bounds[0]), maxMs: Milliseconds(bounds[1]))
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
}
