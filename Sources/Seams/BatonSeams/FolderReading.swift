/// Lists folders of music: the direct content of a folder, with stamps that show whether a file has changed. Blocks on the disk; never called on the
/// loop.
package protocol FolderReading: Sendable {
    /// Lists a folder without hidden names and without files whose names are not wanted, which are not even examined. A symlink counts as its target
    /// if that is within the folders and not found there under its own name; otherwise it is left out too.
    func list(
        _ path: String, within folders: [String], wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> FolderListing

    /// Lists several folders below one of the library's, in order: as many as fit into a short time, and at least the first, since one request to a
    /// disk may cost more than its work. Each folder is watched before it is listed, so that no change is missed in between.
    func look(
        at paths: [String], within folders: [String], watchedBy watching: (any FolderWatching)?,
        wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> [FolderSnapshot]

    /// The real path of a folder that can be listed.
    func realFolder(_ path: String) throws(SourceFault) -> String
}

/// The result of listing one folder.
package struct FolderSnapshot: Sendable {
    /// The content, or the reason why the folder could not be listed.
    package var listing: Result<FolderListing, SourceFault>
    /// The reason why changes in it are not reported.
    package var unwatched: String?
}

extension FolderReading {
    /// Default that looks at all of them, however long it takes.
    package func look(
        at paths: [String], within folders: [String], watchedBy watching: (any FolderWatching)?,
        wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> [FolderSnapshot] {
        paths.map { sight(of: $0, within: folders, watchedBy: watching, wanting: isWanted) }
    }

    /// Watches and lists one folder, in this order.
    package func sight(
        of path: String, within folders: [String], watchedBy watching: (any FolderWatching)?,
        wanting isWanted: @escaping @Sendable (String) -> Bool
    ) -> FolderSnapshot {
        var unwatched: String?
        do throws(SourceFault) {
            try watching?.watch(path)
        } catch {
            // A missing folder is reported by listing it.
            unwatched = error.code == .unavailable ? error.sentence : nil
        }
        do throws(SourceFault) {
            return FolderSnapshot(listing: .success(try list(path, within: folders, wanting: isWanted)), unwatched: unwatched)
        } catch {
            return FolderSnapshot(listing: .failure(error))
        }
    }
}

/// The direct content of one folder.
package struct FolderListing: Equatable, Sendable {
    /// The identity of a folder, the same for every path that leads to it.
    package struct Identity: Hashable, Sendable {
        /// The number that the kernel gives the disk.
        package var device: UInt64
        /// The number of the folder on its disk.
        package var inode: UInt64

        package init(device: UInt64, inode: UInt64) {
            self.device = device
            self.inode = inode
        }
    }

    /// A file with a wanted name.
    package struct File: Equatable, Sendable {
        package var name: String
        /// The stamp, by which a scan recognises an unchanged file.
        package var stamp: FileStamp

        package init(name: String, stamp: FileStamp) {
            self.name = name
            self.stamp = stamp
        }
    }

    /// The identity, by which a folder that is reached by two paths is scanned once.
    package var identity: Identity
    /// Seconds since 1970 at which its content last changed; 0 where that is not known.
    package var changed: Int64
    /// The files with wanted names.
    package var files: [File]
    /// Names of its subfolders.
    package var folders: [String]
    /// Names that are not UTF-8, with an escape for each invalid byte, such as `Caf\xE9.mp3`.
    package var strange: [String]

    package init(
        identity: Identity, changed: Int64 = 0, files: [File] = [], folders: [String] = [], strange: [String] = []
    ) {
        self.identity = identity
        self.changed = changed
        self.files = files
        self.folders = folders
        self.strange = strange
    }
}
