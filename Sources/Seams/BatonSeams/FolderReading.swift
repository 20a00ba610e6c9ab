/// Lists folders of music: what is right in one, with what tells a changed file from an unchanged one.
/// Blocks on the disk; never asked on the loop.
package protocol FolderReading: Sendable {
    /// Hidden names are left out, and so is every file whose name is not wanted: it is not even looked
    /// at. A symlink counts as what it leads to when that lies within the folders and is not found there
    /// by a name of its own; else it is left out too.
    func list(
        _ path: String, within folders: [String], wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> FolderListing

    /// The same of several folders below one of the library's: of as many of them, in their order, as a moment
    /// allows, and at least of the first, since one request to a disk may cost more than the disk does. Each is
    /// watched before it is looked at, so that nothing changes in between.
    func look(
        at paths: [String], within folders: [String], watchedBy watching: (any FolderWatching)?,
        wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> [FolderSight]

    /// The real path of a folder that can be listed.
    func realFolder(_ path: String) throws(SourceFault) -> String
}

/// The result of looking at one folder.
package struct FolderSight: Sendable {
    package var listing: Result<FolderListing, SourceFault>
    /// Why changes in it are not told.
    package var unwatched: String?
}

extension FolderReading {
    package func look(
        at paths: [String], within folders: [String], watchedBy watching: (any FolderWatching)?,
        wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> [FolderSight] {
        paths.map { sight(of: $0, within: folders, watchedBy: watching, wanting: isWanted) }
    }

    package func sight(
        of path: String, within folders: [String], watchedBy watching: (any FolderWatching)?,
        wanting isWanted: @escaping @Sendable (String) -> Bool
    ) -> FolderSight {
        var unwatched: String?
        do throws(SourceFault) {
            try watching?.watch(path)
        } catch {
            // A folder that is not there is told by listing it.
            unwatched = error.code == .unavailable ? error.sentence : nil
        }
        do throws(SourceFault) {
            return FolderSight(listing: .success(try list(path, within: folders, wanting: isWanted)), unwatched: unwatched)
        } catch {
            return FolderSight(listing: .failure(error))
        }
    }
}

package struct FolderListing: Equatable, Sendable {
    /// The same for the same folder, whichever path led there.
    package struct Identity: Hashable, Sendable {
        package var device: UInt64
        package var inode: UInt64

        package init(device: UInt64, inode: UInt64) {
            self.device = device
            self.inode = inode
        }
    }

    package struct File: Equatable, Sendable {
        package var name: String
        package var stamp: FileStamp

        package init(name: String, stamp: FileStamp) {
            self.name = name
            self.stamp = stamp
        }
    }

    package var identity: Identity
    package var files: [File]
    /// Names of the folders in it.
    package var folders: [String]
    /// Names that are not UTF-8, with an escape for each byte that is none, such as `Caf\xE9.mp3`.
    package var strange: [String]

    package init(identity: Identity, files: [File] = [], folders: [String] = [], strange: [String] = []) {
        self.identity = identity
        self.files = files
        self.folders = folders
        self.strange = strange
    }
}
