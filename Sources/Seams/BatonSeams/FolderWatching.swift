/// Says when something changes in folders of music.
///
/// Copying an album makes a hundred changes, so a folder is named once it has been quiet for a
/// moment; and while a file is being written its folder is not named for its sake.
package protocol FolderWatching: Sendable {
    var events: AsyncStream<FolderEvent> { get }
    /// This folder, not what is below it. A sentence when the system watches no more folders than it
    /// does. Blocks on the disk.
    func watch(_ folder: String) throws(SourceFault)
    /// This folder and all below it.
    func unwatch(_ folder: String)
    func close()
}

package enum FolderEvent: Equatable, Sendable {
    /// Something changed right in this folder: a file came, went, or was written and closed.
    case changed(String)
    /// A folder came, and nothing in it has been looked at.
    case came(String)
    /// A folder went, with all that was in it.
    case gone(String)
    /// Some events were lost: look at everything again.
    case overflow
}
