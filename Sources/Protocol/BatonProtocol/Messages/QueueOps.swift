public import BatonCore

/// How a queue changed, for clients that have it open.
public struct QueueOps: Equatable, Sendable {
    package static let type = "q"

    package enum Op: Equatable, Sendable {
        /// Behind this entry, or at the head.
        case insert(after: EntryID?, [EntryID])
        case delete([EntryID])
        case move([EntryID], after: EntryID?)
        case current(EntryID?)
        /// From a newer hub: the client fetches the queue anew.
        case unrecognised(String)
    }

    package enum Change: Equatable, Sendable {
        case ops(from: Int, [Op])
        /// Too much happened to tell it piece by piece: fetch the queue anew.
        case reset(length: Int)
    }

    public var room: RoomID
    /// The queue's own revision, not the hub's.
    public var revision: Int
    package var change: Change
    /// Texts of inserted rows, when they are few.
    package var rows: [QueueRow]

    package init(room: RoomID, revision: Int, _ change: Change, rows: [QueueRow] = []) {
        self.room = room
        self.revision = revision
        self.change = change
        self.rows = rows
    }
}

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
        room = RoomID(try fields.required("room", fields.text("room")))
        revision = try fields.required("rev", fields.count("rev"))
        if try fields.flag("reset") {
            change = .reset(length: try fields.count("len") ?? 0)
        } else {
            change = .ops(
                from: try fields.required("from", fields.count("from")),
                try fields.required("ops", fields.list("ops", count: 0...Int.max, of: "an operation", Op.init(from:))))
        }
        rows = try QueueRow.list(fields)
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
