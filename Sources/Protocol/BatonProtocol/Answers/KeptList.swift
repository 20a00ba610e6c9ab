public import BatonCore

/// The rows of `keep.list`.
extension KeptList {
    /// An item or a rule that a person has named.
    public struct Row: Equatable, Sendable {
        /// The wish, which also identifies the row: a client sends it back to end the keep.
        public var wish: KeepWish
        /// The title of the item or the rule, made for people.
        public var title: String
        /// Kind of the item; `nil` for a rule.
        public var kind: ItemKind?
        /// Number of tracks that the wish stands for now; it changes with a server's album or list.
        public var tracks: Int
        /// Number of tracks that are complete.
        public var whole: Int
        /// Size of the complete copies of these tracks on disk; a track of two wishes counts in both rows.
        public var bytes: Int64
        /// Number of tracks that the server no longer has.
        public var left: Int
        /// The reason why a part of it is not stored yet.
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
}
