public import BatonCore

/// The rows of `progress.list`.
extension ProgressList {
    /// An item, and the person's place in it.
    public struct Row: Equatable, Sendable {
        /// The item; in the answer to a change it has its URI only.
        public var item: ItemRow
        /// `nil` if the person has no place in it.
        public var place: ItemPlace?
        /// Further places of the person; the most recently moved one is last.
        public var sides: [ItemPlace]

        package init(_ item: ItemRow, place: ItemPlace?, sides: [ItemPlace]) {
            self.item = item
            self.place = place
            self.sides = sides
        }
    }
}
