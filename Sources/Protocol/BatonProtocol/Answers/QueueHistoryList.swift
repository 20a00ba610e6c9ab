package import BatonCore

/// The answer to `queue.history`: the last edits of a queue, newest first.
public struct QueueHistoryList: Equatable, Sendable {
    /// One edit of the queue: its kind, its author, its time, and how many entries it concerned.
    public struct Row: Equatable, Sendable {
        /// The edit's wire name. One from a newer hub is kept as it is.
        public var what: String
        /// The name of the person who did it; `nil` if it is not known.
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

    /// The revision of the queue.
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
}
