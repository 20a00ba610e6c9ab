/// The content of a library folder. In music folders each file is a track; in book folders each folder with sound is one book.
public enum FolderContent: String, Sendable, CaseIterable {
    case music, books
}
