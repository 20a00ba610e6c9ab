public import BatonCore

/// The answer to `lib.search` and `lib.browse`: rows, and where the next ones begin.
public struct ItemList: Equatable, Sendable {
    /// The container itself, when one was browsed that has a row of its own.
    public var node: ItemRow?
    public var rows: [ItemRow]
    /// To be sent back for the next rows; `nil` at the end.
    public var cursor: String?
    /// How many there are, when that is known.
    public var total: Int?

    package init(node: ItemRow? = nil, _ rows: [ItemRow], cursor: String? = nil, total: Int? = nil) {
        self.node = node
        self.rows = rows
        self.cursor = cursor
        self.total = total
    }

    /// How many of the rows a page of so many bytes holds.
    package func fitting(_ bytes: Int) -> Int {
        // Nearly always all of them, which can be told without encoding any.
        if rows.reduce(0, { $0 + $1.mostBytes }) <= bytes { return rows.count }
        var writer = JSONWriter()
        var count = 0
        for row in rows {
            row.encode(into: &writer)
            guard writer.count <= bytes else { return count }
            count += 1
        }
        return count
    }

    package func encode(into writer: inout JSONWriter) {
        writer.object { page in
            if let node { page.member("node", object: node.encodeMembers) }
            page.member("rows", array: { list in for row in rows { row.encode(into: &list) } })
            page.member("cursor", ifPresent: cursor)
            page.member("total", ifPresent: total)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        node = try fields.fields("node").map { node throws(ProtocolFault) in try ItemRow(from: node) }
        guard fields.has("rows") else { throw fields.missing("rows") }
        rows = try fields.cappedList("rows", ItemRow.init(from:)).elements
        cursor = try fields.text("cursor")
        total = try fields.count("total")
    }
}

/// The answer to `lib.history`: what was played, newest first.
public struct PlayedList: Equatable, Sendable {
    /// One item that was heard, where and when.
    public struct Row: Equatable, Sendable {
        public var item: ItemRow
        public var room: RoomID
        /// Wall clock.
        public var atMs: Int64

        package init(_ item: ItemRow, room: RoomID, atMs: Int64) {
            self.item = item
            self.room = room
            self.atMs = atMs
        }
    }

    public var rows: [Row]

    package init(_ rows: [Row]) { self.rows = rows }

    /// Leaves out what is more than a page holds; who wants it asks on from there.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { page in
            _ = page.member("rows", rows, upTo: end) { row, list in
                list.object {
                    row.item.encodeMembers(into: &$0)
                    $0.member("room", row.room.text)
                    $0.member("atMs", row.atMs)
                }
            }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("rows") else { throw fields.missing("rows") }
        rows = try fields.cappedList("rows") { row throws(ProtocolFault) in
            Row(
                try ItemRow(from: row), room: RoomID(try row.text("room") ?? ""),
                atMs: try row.required("atMs", row.int64("atMs")))
        }.elements
    }
}
