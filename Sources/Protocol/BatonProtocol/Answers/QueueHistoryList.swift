package import BatonCore

/// The answer to `queue.history`: what was done to a queue lately, newest first.
public struct QueueHistoryList: Equatable, Sendable {
    public struct Row: Equatable, Sendable {
        /// The edit's wire name. One from a newer hub is kept as it is.
        public var what: String
        /// The name of who did it; `nil` when nobody said.
        public var author: String?
        /// Milliseconds since 1970.
        public var atMs: Int64
        /// How many entries it concerned.
        public var count: Int
        public var canUndo: Bool

        package init(what: String, author: String?, atMs: Int64, count: Int, canUndo: Bool) {
            self.what = what
            self.author = author
            self.atMs = atMs
            self.count = count
            self.canUndo = canUndo
        }
    }

    /// Of the queue.
    public var revision: Int
    public var rows: [Row]

    package init(revision: Int, rows: [Row]) {
        self.revision = revision
        self.rows = rows
    }

    package init(_ queue: PlaybackQueue) {
        revision = queue.revision
        rows = queue.history.edits.reversed().map {
            Row(what: $0.kind.rawValue, author: $0.author, atMs: $0.atMs, count: $0.count, canUndo: $0.undo != nil)
        }
    }

    /// Leaves out the oldest that are more than a page holds.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { list in
            list.member("rev", revision)
            _ = list.member("list", rows, upTo: end) { row, list in list.object(row.encodeMembers) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        guard case .object(let object) = value else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        let fields = Fields(object, path: "/d")
        revision = try fields.required("rev", fields.count("rev"))
        guard fields.has("list") else { throw fields.missing("list") }
        rows = try fields.cappedList("list", Row.init(from:)).elements
    }
}

extension QueueHistoryList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("what", what)
        writer.member("by", ifPresent: author.map(DisplayText(bytes: 128).cut))
        writer.member("atMs", atMs)
        writer.member("n", count)
        if canUndo { writer.member("undo", true) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        what = try fields.required("what", fields.text("what"))
        author = try fields.text("by")
        atMs = try fields.required("atMs", fields.int64("atMs"))
        count = try fields.count("n") ?? 0
        canUndo = try fields.bool("undo") ?? false
    }
}
