/// The division of a folder's audio files into books.
enum FolderBooks: Equatable, Sendable {
    /// Each file is a book. This holds for the library folder itself, which is a shelf.
    case each
    /// All files form one book.
    case one(BookPathFacts)
}
