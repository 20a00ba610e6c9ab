/// The library's administration: folders, scans and access.
package import BatonCore
package import BatonSeams

extension MusicLibrary: LibraryControl {
    package var news: AsyncStream<ScanReport?> { scheduler.news }

    /// Whether the watch reports changes of files with this name.
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
        // A longer path can be neither opened nor requested.
        return listing.folders.sorted(by: NaturalOrder.precedes).map { real == "/" ? "/" + $0 : real + "/" + $0 }
            .filter { $0.utf8.count < 4096 && parts.bounds.refusal(of: $0) == nil }
    }

    @concurrent
    package func tracks(in folders: [String]) async -> [String: Int] {
        var search = FoundFolders(disk: parts.disk, bounds: parts.bounds, clock: parts.clock)
        // The disk is asked under the root's name for searches and under the folder's name for lists, so that a disk
        // that is silent during counting does not block browsing.
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

    /// Scans everything and then watches for changes. Returns at once.
    @Loop
    package func begin() { scheduler.begin() }

    /// A sentence that says why changes of some folders are not seen at once.
    @Loop
    package var unwatched: String? { scheduler.unwatched }

    /// Stops all work within a second and abandons threads that wait for a disk.
    @Loop
    package func close() async { await scheduler.close() }

    private func folder(at path: String, _ trust: Trust, isToAdd: Bool) throws(SourceFault) -> String {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw SourceFault(.badRequest, "\(path) names no folder: expected an absolute path.")
        }
        let real: String
        do throws(SourceFault) { real = try parts.disk.realFolder(path) } catch {
            // Remotes on other machines must not learn which paths exist outside of the roots; a person at the hub's
            // own machine may.
            if trust < .anyPath || error.code != .notFound {
                try check(error.isLate ? RealPath.named(path) : RealPath.ofWhatExists(path), as: path, trust, isToAdd: isToAdd)
            }
            guard error.code == .notFound else { throw error }
            throw SourceFault(.notFound, "There is no folder \(path) on the hub's machine.")
        }
        try check(real, as: path, trust, isToAdd: isToAdd)
        return real
    }

    /// Checks access. A root on a silent disk is compared by name, because resolving it would block this thread.
    private func check(_ real: String, as path: String, _ trust: Trust, isToAdd: Bool) throws(SourceFault) {
        try parts.bounds.check(real, as: path, trust, isToAdd: isToAdd) { root in
            do throws(SourceFault) { return try parts.disk.realFolder(root) } catch { return error.isLate ? nil : RealPath.of(root) }
        }
    }

    /// The catalogue's path for a folder to remove, whose disk may be missing.
    private func known(_ path: String) throws(SourceFault) -> String {
        let folders = try parts.catalogue.folders().map(\.path)
        let tidy = ScannedFolders.tidy(path)
        guard
            let found = folders.first(where: { $0 == tidy })
                ?? (try? parts.disk.realFolder(path)).flatMap({ real in folders.first { $0 == real } })
        else {
            throw SourceFault(.notFound, "\(path) is no folder of the library.")
        }
        return found
    }
}
