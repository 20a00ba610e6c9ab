/// What a folder of the library holds. Among music each file is a track; among books each folder with sound is one book.
public enum FolderContent: String, Sendable, CaseIterable {
    case music, books
}
