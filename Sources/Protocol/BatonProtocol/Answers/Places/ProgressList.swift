public import BatonCore

/// The rows of `progress.list`.
extension ProgressList {
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
}
