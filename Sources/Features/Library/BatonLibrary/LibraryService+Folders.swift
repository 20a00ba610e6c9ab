import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The folders of the hub's own library, and folders that could belong to it.
extension LibraryService {
    private func presentControl() throws(SourceFault) -> any LibraryControl {
        guard let control else { throw SourceFault(.unsupported, "This hub has no library of its own.") }
        return control
    }

    /// The library's folders, and folders with music that could be added.
    func folders() async throws(SourceFault) -> LibraryFolders {
        let control = try presentControl()
        let (folders, last) = try await sources.limited(Sources.Limit.list) { () async throws(SourceFault) in
            try await (control.folders(), control.lastReport())
        }
        // Clients ask often during a scan, which itself needs the disks.
        let mayLook = scanReport.map(\.isDone) ?? true
        let found = await mayLook ? foundFolders(control) : []
        return LibraryFolders(
            folders.map(LibraryFolders.Folder.init), found: found.map { .init(path: $0.path, tracks: $0.tracks) },
            report: scanReport ?? last)
    }

    /// The folders with music on the disks; none when a disk does not answer, so that the library's own folders are still
    /// sent. Later results are used by the next question.
    private func foundFolders(_ control: any LibraryControl) async -> [LibraryFolder] {
        do throws(SourceFault) {
            return try await sources.limited(Self.patience) { () async throws(SourceFault) in try await control.foundFolders() }
        } catch {
            return []
        }
    }

    /// The folders in a path. When a disk is too slow to count its music, only the counts are left out.
    func folders(in path: String, trust: Trust) async throws(SourceFault) -> LibraryFolders {
        let control = try presentControl()
        let (folders, all) = try await sources.limited(Self.patience) { () async throws(SourceFault) in
            try await (control.folders(), control.folders(in: path, trust: trust))
        }
        let inside = Array(all.prefix(Self.mostInside))
        let counts = try? await sources.limited(Self.patience) { () async throws(SourceFault) in await control.tracks(in: inside) }
        return LibraryFolders(
            folders.map(LibraryFolders.Folder.init), inside: inside.map { LibraryFolders.Inside(path: $0, tracks: counts?[$0]) },
            hasMore: all.count > inside.count)
    }

    /// Adds or removes a folder of the library. False when nothing changed.
    func setFolder(_ folder: Commands.FolderSet, trust: Trust) async throws(SourceFault) -> Bool {
        let control = try presentControl()
        let change: @Loop () async throws(SourceFault) -> Bool = { [sources] () async throws(SourceFault) in
            try await sources.inBlockingPool { () async throws(SourceFault) in
                try await control.setFolder(folder.path, isWanted: folder.isOn, holds: folder.holds, trust: trust)
            }
        }
        return try await folder.isOn ? scanning(change) : change()
    }

    /// Begins to look for changed files. False when nothing was begun.
    func scan(isFull: Bool) async throws(SourceFault) -> Bool {
        let control = try presentControl()
        return try await scanning { [sources] () async throws(SourceFault) in
            try await sources.inBlockingPool { () async throws(SourceFault) in await control.scan(isFull: isFull) }
        }
    }

    /// Limit on listed folders: more than a person reads.
    private static let mostInside = 500
    /// Time limit for a search, longer than working disks need.
    private static let patience: Duration = .seconds(2)
}

extension LibraryFolders.Folder {
    fileprivate init(_ folder: LibraryFolder) {
        self.init(path: folder.path, tracks: folder.tracks, problem: folder.problem, holds: folder.holds)
    }
}
