/// What the files right in a folder of books are.
enum FolderBooks: Equatable, Sendable {
    /// Each is a book of its own: they lie in the folder that was added, which is a shelf and no book.
    case each
    /// All together are one.
    case one(BookPlace)
}
