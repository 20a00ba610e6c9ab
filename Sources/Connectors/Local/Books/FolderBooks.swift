/// How the audio files of a folder form books.
enum FolderBooks: Equatable, Sendable {
    /// Each file is a book. This holds for the library folder itself, which is a shelf.
    case each
    /// All files form one book.
    case one(BookPlace)
}
