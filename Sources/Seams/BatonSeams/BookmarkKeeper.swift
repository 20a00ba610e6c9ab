/// Where the hub keeps the bookmarks of its people; each sees their own. Every call may wait for the disk.
package import BatonCore

package protocol BookmarkKeeper: Sendable {
    /// Sets one, and numbers it. The same key again finds the bookmark that it has set: `isNew` is false.
    func addBookmark(
        _ place: BookmarkPlace, note: String, of person: Person, by author: String?, once: CommandKey?, atMs: Int64
    ) throws(SourceFault) -> (bookmark: Bookmark, isNew: Bool)
    /// The newest first; of one item in the order of their positions.
    func bookmarks(of person: Person, in uri: ItemURI?, from: Int, limit: Int) throws(SourceFault) -> BookmarkPage
    /// `isNew` is false when it was so already.
    func editBookmark(_ id: Int, of person: Person, _ edit: BookmarkEdit) throws(SourceFault) -> (bookmark: Bookmark, isNew: Bool)
    /// False when it was deleted before.
    func deleteBookmark(_ id: Int, of person: Person) throws(SourceFault) -> Bool
}

package struct BookmarkPage: Equatable, Sendable {
    package var bookmarks: [Bookmark]
    package var total: Int

    package init(_ bookmarks: [Bookmark], total: Int) {
        self.bookmarks = bookmarks
        self.total = total
    }
}
