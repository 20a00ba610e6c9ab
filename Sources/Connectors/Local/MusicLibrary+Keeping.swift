/// The library as the hub steers it.
package import BatonCore
package import BatonSeams

extension MusicLibrary: LibraryKeeper {
    package var news: AsyncStream<ScanReport?> { scheduler.news }

    /// What a change to a file of this name means to the library: for the watch.
    @Sendable
    package static func isWanted(_ name: String) -> Bool { FolderNote.isWanted(name) }

    @concurrent
    package func folders() async throws(SourceFault) -> [LibraryFolder] { try parts.catalogue.folders() }

    @concurrent
    package func foundFolders() async throws(SourceFault) -> [LibraryFolder] {
        try await foundFolderCache.folders(besides: parts.catalogue.folders().map(\.path))
    }

    @concurrent
    package func lastReport() async throws(SourceFault) -> ScanReport? { try parts.catalogue.lastReport() }

    @concurrent
    package func setFolder(
        _ path: String, isWanted: Bool, holds: FolderContent?, trust: Trust
    ) async throws(SourceFault) -> Bool {
        let folder = isWanted ? try folder(at: path, trust) : try known(path)
        if !isWanted, parts.folders.contains(where: { $0 == path || (try? parts.disk.realFolder($0)) == folder }) {
            throw SourceFault(.invalidState, "\(path) is named in the hub's settings (music); take it out there, and then once more here.")
        }
        guard try parts.catalogue.setFolder(folder, isWanted: isWanted, holds: holds) else { return false }
        await scheduler.foldersChanged(folder, isWanted: isWanted)
        return true
    }

    package func scan(isFull: Bool) async -> Bool { await scheduler.scan(isFull: isFull) }

    /// Looks at everything, and from then on at what changes. Returns at once.
    @Loop
    package func begin() { scheduler.begin() }

    /// Why changes of some folders are not seen at once; a sentence.
    @Loop
    package var unwatched: String? { scheduler.unwatched }

    /// Ends what goes on within a second; a thread that a disk holds is left behind.
    @Loop
    package func close() async { await scheduler.close() }

    private func folder(at path: String, _ trust: Trust) throws(SourceFault) -> String {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw SourceFault(.badRequest, "\(path) names no folder: expected an absolute path.")
        }
        let real: String
        do throws(SourceFault) { real = try parts.disk.realFolder(path) } catch {
            // Remotes on other machines must not learn what exists outside of the roots. A person at the hub's own machine may know.
            if trust < .anyPath || error.code != .notFound { try parts.bounds.check(RealPath.ofWhatExists(path), as: path, trust) }
            guard error.code == .notFound else { throw error }
            throw SourceFault(.notFound, "There is no folder \(path) on the hub's machine.")
        }
        try parts.bounds.check(real, as: path, trust)
        return real
    }

    /// One that is to go may be on a disk that is not there any more.
    private func known(_ path: String) throws(SourceFault) -> String {
        let folders = try parts.catalogue.folders().map(\.path)
        let tidy = LibraryFolders.tidy(path)
        guard
            let found = folders.first(where: { $0 == tidy })
                ?? (try? parts.disk.realFolder(path)).flatMap({ real in folders.first { $0 == real } })
        else {
            throw SourceFault(.notFound, "\(path) is no folder of the library.")
        }
        return found
    }
}
