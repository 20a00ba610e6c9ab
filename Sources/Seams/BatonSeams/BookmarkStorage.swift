/// The store of bookmarks; each person sees their own. Every call may wait for the disk.
package import BatonCore

/// Stores bookmarks of each person; a deleted one stays for a while, so that it can be restored.
package protocol BookmarkStorage: Sendable {
    /// Sets a bookmark and numbers it. A repeated key finds the bookmark that it set before, with `isNew` false.
    func addBookmark(
        _ place: BookmarkPlace, note: String, of person: Person, by author: String?, once: CommandKey?, atMs: Milliseconds
    ) throws(SourceFault) -> (bookmark: Bookmark, isNew: Bool)
    /// Bookmarks, the newest first; those of one item in the order of their positions.
    func bookmarks(of person: Person, in uri: ItemURI?, from: Int, limit: Int) throws(SourceFault) -> BookmarkPage
    /// `isNew` is false when nothing changes.
    func editBookmark(_ id: Int, of person: Person, _ edit: BookmarkEdit) throws(SourceFault) -> (bookmark: Bookmark, isNew: Bool)
    /// Returns false when it was deleted before.
    func deleteBookmark(_ id: Int, of person: Person) throws(SourceFault) -> Bool
}

/// A part of a person's bookmarks.
package struct BookmarkPage: Equatable, Sendable {
    package var bookmarks: [Bookmark]
    /// Number of all bookmarks that the request matches.
    package var total: Int

    package init(_ bookmarks: [Bookmark], total: Int) {
        self.bookmarks = bookmarks
        self.total = total
    }
}
