/// Reports changes in folders of music.
///
/// Copying an album causes a hundred changes, so a folder is reported once it has been quiet for a moment. A file that is still being written causes
/// no report.
package protocol FolderWatching: Sendable {
    /// The changes, for one reader.
    var events: AsyncStream<FolderEvent> { get }
    /// Watches this folder, but not its subfolders. Throws a sentence when the system's limit of watched folders is reached. Blocks on the disk.
    func watch(_ folder: String) throws(SourceFault)
    /// Stops watching this folder and all below it.
    func unwatch(_ folder: String)
    /// Stops watching all folders, and ends `events`.
    func close()
}

/// A change below a watched folder.
package enum FolderEvent: Equatable, Sendable {
    /// A file directly in this folder was added, removed, or written and closed.
    case changed(String)
    /// A folder was added; nothing in it has been examined.
    case came(String)
    /// A folder was removed with its contents.
    case gone(String)
    /// Events were lost, so everything must be examined again.
    case overflow
}
