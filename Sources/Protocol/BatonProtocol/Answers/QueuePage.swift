public import BatonCore

/// One row of a queue, as a list shows it.
public struct QueueRow: Equatable, Sendable {
    public var entry: EntryID
    public var uri: ItemURI?
    public var tags: Tags
    /// The name of who added it; `nil` when nobody said.
    public var addedBy: String?
    /// Milliseconds since 1970; 0 when nobody noted it.
    public var addedAtMs: Int64

    package init(entry: EntryID, uri: ItemURI?, tags: Tags, addedBy: String? = nil, addedAtMs: Int64 = 0) {
        self.entry = entry
        self.uri = uri
        self.tags = tags
        self.addedBy = addedBy
        self.addedAtMs = addedAtMs
    }

    private static let longestURI = 1024

    package func encode(into writer: inout JSONWriter) {
        writer.object { row in
            row.member("entry", entry.text)
            if let uri, uri.text.utf8.count <= Self.longestURI { row.member("uri", uri.text) }
            tags.encodeMembers(into: &row, textBytes: 256)
            row.member("by", ifPresent: addedBy.map(DisplayText(bytes: 128).cut))
            if addedAtMs > 0 { row.member("addedMs", addedAtMs) }
        }
    }

    init(from fields: Fields) throws(ProtocolFault) {
        entry = try fields.required("entry", fields.entry("entry"))
        uri = try fields.text("uri").map(ItemURI.init)
        tags = try Tags(from: fields)
        addedBy = try fields.text("by")
        addedAtMs = try fields.int64("addedMs") ?? 0
    }

    static func list(_ fields: Fields) throws(ProtocolFault) -> [QueueRow] {
        try fields.cappedList("rows", QueueRow.init(from:)).elements
    }
}

/// The answer to `queue.get`: rows in play order, and the revision they belong to.
public struct QueuePage: Equatable, Sendable {
    public var revision: Int
    public var length: Int
    public var current: EntryID?
    /// The place of the first row; `nil` when rows were asked for by their ids.
    public var from: Int?
    /// May be fewer than were asked for, when their texts are long: the client asks on from there.
    public var rows: [QueueRow]

    package init(revision: Int, length: Int, current: EntryID? = nil, from: Int?, rows: [QueueRow]) {
        self.revision = revision
        self.length = length
        self.current = current
        self.from = from
        self.rows = rows
    }

    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { page in
            page.member("rev", revision)
            page.member("len", length)
            page.member("cur", ifPresent: current?.text)
            page.member("from", ifPresent: from)
            page.member(
                "rows",
                array: { list in
                    for row in rows {
                        let before = list.count
                        row.encode(into: &list)
                        if list.count > end { return list.truncate(to: before) }
                    }
                })
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        guard case .object(let object) = value else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        let fields = Fields(object, path: "/d")
        revision = try fields.required("rev", fields.count("rev"))
        length = try fields.required("len", fields.count("len"))
        current = try fields.entry("cur")
        from = try fields.count("from")
        rows = try QueueRow.list(fields)
    }
}
