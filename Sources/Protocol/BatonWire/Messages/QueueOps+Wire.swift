import BatonCore
package import BatonProtocol

/// The JSON form of `QueueOps` and its parts.
extension QueueOps {
    package func encode(into writer: inout JSONWriter) {
        writer.message(Self.type) { message in
            message.member("room", room.text)
            switch change {
            case .ops(let from, let ops):
                message.member("from", from)
                message.member("rev", revision)
                message.member("ops", array: { for op in ops { $0.array(op.encodeElements) } })
            case .reset(let length):
                message.member("rev", revision)
                message.flag("reset", true)
                message.member("len", length)
            }
            if !rows.isEmpty { message.member("rows", array: { for row in rows { row.encode(into: &$0) } }) }
        }
    }

    init(from fields: Fields) throws(ProtocolFault) {
        let room = RoomID(try fields.required("room", fields.text("room")))
        let revision = try fields.required("rev", fields.count("rev"))
        let change: Change =
            try fields.flag("reset")
            ? .reset(length: try fields.count("len") ?? 0)
            : .ops(
                from: try fields.required("from", fields.count("from")),
                try fields.required("ops", fields.list("ops", count: 0...Int.max, of: "an operation", Op.init(from:))))
        self.init(room: room, revision: revision, change, rows: try QueueRow.list(fields))
    }
}

extension QueueOps.Op {
    fileprivate func encodeElements(into writer: inout JSONWriter) {
        switch self {
        case .insert(let anchor, let ids):
            writer.string("ins")
            writer.entry(anchor)
            writer.entries(ids)
        case .delete(let ids):
            writer.string("del")
            writer.entries(ids)
        case .move(let ids, let anchor):
            writer.string("mov")
            writer.entries(ids)
            writer.entry(anchor)
        case .current(let entry):
            writer.string("cur")
            writer.entry(entry)
        case .unrecognised(let name): writer.string(name)
        }
    }

    fileprivate init?(from value: JSON) {
        guard let parts = value.array, let name = parts.first?.string else { return nil }
        func entry(_ index: Int) -> EntryID? { index < parts.count ? parts[index].string.flatMap(EntryID.init(text:)) : nil }
        func entries(_ index: Int) -> [EntryID] {
            index < parts.count ? (parts[index].array ?? []).compactMap { $0.string.flatMap(EntryID.init(text:)) } : []
        }
        self =
            switch name {
            case "ins": .insert(after: entry(1), entries(2))
            case "del": .delete(entries(1))
            case "mov": .move(entries(1), after: entry(2))
            case "cur": .current(entry(1))
            default: .unrecognised(name)
            }
    }
}

extension JSONWriter {
    mutating func entry(_ entry: EntryID?) {
        if let entry { string(entry.text) } else { null() }
    }

    mutating func entries(_ entries: [EntryID]) {
        array { for entry in entries { $0.string(entry.text) } }
    }
}
