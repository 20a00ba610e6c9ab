public import BatonCore

/// The rows of `keep.list`.
extension KeptList {
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
}
