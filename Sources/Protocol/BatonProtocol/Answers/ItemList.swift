public import BatonCore

/// The answer to `lib.search` and `lib.browse`: rows, and the cursor of the next page.
public struct ItemList: Equatable, Sendable {
    /// The container that was browsed; `nil` if it has no row of its own.
    public var node: ItemRow?
    /// Rows of this page in the order in which they are shown.
    public var rows: [ItemRow]
    /// The client sends it back to get the next rows; `nil` at the end.
    public var cursor: String?
    /// The number of all rows; `nil` if it is not known.
    public var total: Int?
    /// State of a list that can be edited at its server.
    public var version: String?
    /// The sources whose rows the cursor waits for.
    public var asked: [String] = []
    /// The sources that did not answer in time, or cannot be reached.
    public var missed: [String] = []
    /// Rows of earlier pages of this search that have further places now.
    public var joined: [Joined] = []

    /// An earlier row, with all places of its track.
    public struct Joined: Equatable, Sendable {
        /// The URI under which the row was sent on its earlier page.
        public var uri: ItemURI
        /// Best first.
        public var places: [ItemURI]

        package init(uri: ItemURI, places: [ItemURI]) {
            self.uri = uri
            self.places = places
        }
    }

    package init(node: ItemRow? = nil, _ rows: [ItemRow], cursor: String? = nil, total: Int? = nil) {
        self.node = node
        self.rows = rows
        self.cursor = cursor
        self.total = total
    }
}
