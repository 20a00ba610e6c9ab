/// The next scan to run: a value that collects events during the current scan.
import BatonCore
import BatonSeams

struct ScanRequest: Sendable {
    private(set) var isWhole = false
    private var isFull = false
    /// Whether a person waits for it, as for a folder that was just added.
    private var isAwaited = false
    /// Folders to scan with their subfolders, and folders to scan alone.
    private var trees: Set<String> = []
    private var folders: Set<String> = []
    private var gone: [String] = []

    /// Limit of folders; above it, scanning everything is faster.
    private static let most = 5_000

    /// Whether remotes show its progress. A scan after an event is not shown, because no person asked for it.
    var isTold: Bool { isWhole || isAwaited }

    var isEmpty: Bool { !isWhole && trees.isEmpty && folders.isEmpty && gone.isEmpty }

    mutating func all(isFull: Bool) {
        isWhole = true
        self.isFull = self.isFull || isFull
    }

    mutating func tree(_ path: String, isAwaited: Bool = false) {
        trees.insert(path)
        self.isAwaited = self.isAwaited || isAwaited
    }

    mutating func note(_ event: FolderEvent) {
        switch event {
        case .changed(let path): folders.insert(path)
        case .came(let path): trees.insert(path)
        case .gone(let path): gone.append(path)
        case .overflow: isWhole = true
        }
        if trees.count + folders.count + gone.count > Self.most {
            self = ScanRequest()
            isWhole = true
        }
    }

    /// Runs the scan, off the loop.
    @concurrent
    func carryOut(_ parts: MusicLibrary.Parts, tell: @escaping @Sendable (ScanReport) -> Void) async -> Scan.Outcome {
        do throws(SourceFault) {
            for path in gone { try parts.catalogue.noteGone(path) }
            try forgetBesideMusic(parts)
            let folders = ScannedFolders(try ScannedFolders.refuse(try ScannedFolders.settle(parts), parts))
            let order = order(folders)
            let scan = Scan(
                catalogue: parts.catalogue, media: parts.media, disk: parts.disk, watching: parts.watching, clock: parts.clock)
            var outcome = await scan.run(order, tell: tell)
            if !gone.isEmpty { outcome.hasChanged = true }
            return outcome
        } catch {
            return Scan.Outcome(report: ScanReport(), failure: error)
        }
    }

    func order(_ library: ScannedFolders) -> Scan.Order {
        let roots = library.tops
        // A deleted file changes the book that contained it.
        let folders = Set(folders.union(gone.compactMap(RealPath.folder).filter { library.books(in: $0) != nil }).map(library.bookFolder))
        let trees = trees.map(library.bookFolder)
        var looks: [ScanPlan.Look] = []
        if isWhole {
            looks = roots.indices.map { ScanPlan.Look(path: roots[$0], root: $0) }
        } else {
            let outer = ScannedFolders.outermost(trees)
            looks = (outer.map { ($0, true) } + folders.sorted().map { ($0, false) }).compactMap { path, isDeep in
                library.top(of: path).map { ScanPlan.Look(path: path, root: $0, isDeep: isDeep) }
            }
        }
        return Scan.Order(library: library, looks: looks, isFull: isFull, isWhole: isWhole, isTold: isTold)
    }

    /// Removes playlists and pictures of artists whose files or folders were deleted.
    private func forgetBesideMusic(_ parts: MusicLibrary.Parts) throws(SourceFault) {
        guard !gone.isEmpty else { return }
        func isLost(_ file: String) -> Bool { gone.contains { RealPath.isBelow([$0], file) } }
        let lists = try parts.catalogue.playlistFiles().keys.filter(isLost)
        if !lists.isEmpty { try parts.catalogue.forgetPlaylistFiles(lists.sorted()) }
        let pictures = try parts.catalogue.artistPictures().keys.filter(isLost)
        if !pictures.isEmpty { try parts.catalogue.setArtistPictures([], gone: pictures.sorted()) }
    }
}

/// The library's folders, prepared for a scan.
struct ScannedFolders: Equatable {
    /// Real paths, none below another, so that no folder is scanned twice.
    let tops: [String]
    /// Number of known tracks in each folder.
    let tracks: [String: Int]
    /// Folders with a recorded problem.
    let troubled: [String]
    private let contents: [String: FolderContent]

    init(_ folders: [LibraryFolder]) {
        tops = Self.outermost(folders.map(\.path))
        troubled = folders.filter { $0.problem != nil }.map(\.path)
        tracks = Dictionary(folders.map { ($0.path, $0.tracks) }, uniquingKeysWith: { first, _ in first })
        contents = Dictionary(folders.map { ($0.path, $0.holds) }, uniquingKeysWith: { first, _ in first })
    }

    /// The index of the library folder that contains the path.
    func top(of path: String) -> Int? { tops.firstIndex { RealPath.isBelow([$0], path) } }

    /// The division of this folder's files into books, if the innermost library folder around it holds books; else `nil`.
    func books(in path: String) -> FolderBooks? {
        let around = contents.keys.filter { RealPath.isBelow([$0], path) }
        guard let root = around.max(by: { $0.utf8.count < $1.utf8.count }), contents[root] == .books else { return nil }
        let names = path.dropFirst(root.count).split(separator: "/").map(String.init)
        return names.isEmpty ? .each : .one(BookPathFacts(names))
    }

    /// The folder of the book: the parent of a disc folder, else the folder itself.
    func bookFolder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), DiscFolder.number(String(path[path.index(after: slash)...])) != nil else { return path }
        let folder = String(path[..<slash])
        guard case .one? = books(in: folder) else { return path }
        return folder
    }

    static func outermost(_ paths: [String]) -> [String] {
        var tops: [String] = []
        // Shorter paths come first, so that parents come before the folders inside them.
        for path in Set(paths).sorted(by: { $0.utf8.count < $1.utf8.count || ($0.utf8.count == $1.utf8.count && $0 < $1) })
        where !RealPath.isBelow(tops, path) { tops.append(path) }
        return tops
    }

    /// Adds the configured folders to the library. They stay while their disk is missing, like folders that people add.
    static func settle(_ parts: MusicLibrary.Parts) throws(SourceFault) -> [LibraryFolder] {
        let known = try parts.catalogue.folders()
        // Paths in the catalogue are real, and so may be a path whose disk does not respond.
        let news = parts.folders.map(tidy).filter { folder in !known.contains { $0.path == folder } }
        let missing = news.map { (try? parts.disk.realFolder($0)) ?? $0 }.filter { folder in !known.contains { $0.path == folder } }
        guard !missing.isEmpty else { return known }
        for folder in missing { _ = try parts.catalogue.setFolder(folder, isWanted: true) }
        return try parts.catalogue.folders()
    }

    /// Skips folders that an earlier version allowed and that are forbidden now. They stay in the list, with the reason.
    static func refuse(_ folders: [LibraryFolder], _ parts: MusicLibrary.Parts) throws(SourceFault) -> [LibraryFolder] {
        var allowed: [LibraryFolder] = []
        for folder in folders {
            guard let sentence = parts.bounds.refusal(of: folder.path) else {
                allowed.append(folder)
                continue
            }
            guard folder.problem != sentence else { continue }
            parts.log(.warning, sentence)
            try parts.catalogue.noteFolder(folder.path, problem: sentence)
        }
        return allowed
    }

    static func tidy(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return "/" + parts.joined(separator: "/")
    }
}
