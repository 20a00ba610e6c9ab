public import BatonCore

/// The answer to `mark.list`, and, of one bookmark, to `mark.add` and `mark.edit`.
public struct BookmarkList: Equatable, Sendable {
    public var rows: [Bookmark]
    /// Where the next page begins; `nil` at the end.
    public var cursor: String?
    public var total: Int

    package init(_ rows: [Bookmark], cursor: String? = nil, total: Int) {
        self.rows = rows
        self.cursor = cursor
        self.total = total
    }
}
