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
    package func folders(in path: String, trust: Trust) async throws(SourceFault) -> [String] {
        if path == "/" {
            var search = FoundFolders(disk: parts.disk, bounds: parts.bounds, clock: parts.clock)
            let roots = search.roots()
            if roots != ["/"] { return roots }
        }
        let real = try folder(at: path, trust, isToAdd: false)
        let listing = try parts.disk.list(real, within: [real]) { _ in false }
        // A longer path can neither be opened nor be asked for.
        return listing.folders.sorted(by: NaturalOrder.precedes).map { real == "/" ? "/" + $0 : real + "/" + $0 }
            .filter { $0.utf8.count < 4096 && parts.bounds.refusal(of: $0) == nil }
    }

    @concurrent
    package func tracks(in folders: [String]) async -> [String: Int] {
        var search = FoundFolders(disk: parts.disk, bounds: parts.bounds, clock: parts.clock)
        // The disk is asked in the name of a root, and for a list in that of the folder: one that is silent while music is counted
        // does not keep a person from looking on.
        let roots = search.roots()
        let elsewhere = folders.first { !RealPath.isBelow(roots, $0) }.flatMap(RealPath.folder(of:))
        return search.tracks(in: folders, within: roots + [elsewhere].compactMap { $0 })
    }

    @concurrent
    package func lastReport() async throws(SourceFault) -> ScanReport? { try parts.catalogue.lastReport() }

    @concurrent
    package func setFolder(
        _ path: String, isWanted: Bool, holds: FolderContent?, trust: Trust
    ) async throws(SourceFault) -> Bool {
        let folder = isWanted ? try folder(at: path, trust, isToAdd: true) : try known(path)
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

    private func folder(at path: String, _ trust: Trust, isToAdd: Bool) throws(SourceFault) -> String {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw SourceFault(.badRequest, "\(path) names no folder: expected an absolute path.")
        }
        let real: String
        do throws(SourceFault) { real = try parts.disk.realFolder(path) } catch {
            // Remotes on other machines must not learn what exists outside of the roots. A person at the hub's own machine may know.
            if trust < .anyPath || error.code != .notFound {
                try check(error.isLate ? RealPath.named(path) : RealPath.ofWhatExists(path), as: path, trust, isToAdd: isToAdd)
            }
            guard error.code == .notFound else { throw error }
            throw SourceFault(.notFound, "There is no folder \(path) on the hub's machine.")
        }
        try check(real, as: path, trust, isToAdd: isToAdd)
        return real
    }

    /// A root on a disk that is silent would hold this thread, so it is taken by its name.
    private func check(_ real: String, as path: String, _ trust: Trust, isToAdd: Bool) throws(SourceFault) {
        try parts.bounds.check(real, as: path, trust, isToAdd: isToAdd) { root in
            do throws(SourceFault) { return try parts.disk.realFolder(root) } catch { return error.isLate ? nil : RealPath.of(root) }
        }
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
