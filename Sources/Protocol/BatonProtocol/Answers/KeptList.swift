public import BatonCore

/// The answer to `keep.list`: what is kept, in the order in which it is fetched.
public struct KeptList: Equatable, Sendable {
    /// An item or a rule that a person has named.
    public struct Row: Equatable, Sendable {
        public var wish: KeepWish
        public var title: String
        /// What kind of thing the item is; `nil` for a rule.
        public var kind: ItemKind?
        public var tracks: Int
        /// How many of them are whole.
        public var whole: Int
        public var bytes: Int64
        /// How many the server does not have any more.
        public var left: Int
        /// Why something of it is not kept yet.
        public var sentence: String?

        package init(
            _ wish: KeepWish, title: String, kind: ItemKind? = nil, tracks: Int, whole: Int, bytes: Int64, left: Int = 0,
            sentence: String? = nil
        ) {
            self.wish = wish
            self.title = title
            self.kind = kind
            self.tracks = tracks
            self.whole = whole
            self.bytes = bytes
            self.left = left
            self.sentence = sentence
        }
    }

    public var rows: [Row]
    public var more: Int
    /// Of all whole copies; a track that is held by several rows counts once.
    public var bytes: Int64
    public var limit: Int64
    /// What the disk has left for copies; `nil` when it does not say.
    public var spare: Int64?

    package init(_ rows: [Row], more: Int = 0, bytes: Int64, limit: Int64, spare: Int64? = nil) {
        self.rows = rows
        self.more = more
        self.bytes = bytes
        self.limit = limit
        self.spare = spare
    }
}
