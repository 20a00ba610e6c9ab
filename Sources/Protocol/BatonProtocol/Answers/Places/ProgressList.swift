public import BatonCore

/// The answer to `progress.list`, and, of one item, to the other commands about places.
public struct ProgressList: Equatable, Sendable {
    /// An item, and where the person is in it.
    public struct Row: Equatable, Sendable {
        /// Of an answer to a change only its URI is there.
        public var item: ItemRow
        /// `nil` where the person has never been.
        public var place: ItemPlace?
        /// The one that moved last stands last.
        public var sides: [ItemPlace]

        package init(_ item: ItemRow, place: ItemPlace?, sides: [ItemPlace]) {
            self.item = item
            self.place = place
            self.sides = sides
        }
    }

    public var rows: [Row]
    /// Where the next page begins; `nil` at the end.
    public var cursor: String?

    package init(_ rows: [Row], cursor: String? = nil) {
        self.rows = rows
        self.cursor = cursor
    }
}
