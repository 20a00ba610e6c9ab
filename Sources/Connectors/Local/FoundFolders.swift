/// Folders of music that the hub finds by itself, so that an admin can add one by a press: those that are called like one, below the
/// folders that may be added, with how much music is in them.
///
/// It looks at a bounded number of folders and for a bounded time, and passes over what cannot be read. A folder that is counted only
/// in part is told with the number that was reached.
import BatonCore
import BatonSeams

struct FoundFolders {
    let disk: any FolderReading
    let bounds: LibraryBounds
    let clock: Clock

    /// Usual names of such folders, in small letters.
    private static let names: Set<String> = [
        "audio", "lieder", "mp3", "mp3s", "music", "musica", "música", "musik", "musique", "muziek", "muzyka", "songs", "музыка", "موسيقى",
        "音乐", "音楽", "ミュージック", "음악",
    ]
    /// A disk stands three folders below a root, as in `/media/anna/disk/Music`.
    private static let deepest = 3
    private static let mostFound = 20
    private static let mostLooked = 2_000
    private static let patienceMs: Int64 = 1_000

    private var looked = 0
    private let endMs: Int64
    private var isOver: Bool { looked >= Self.mostLooked || clock.nowMs >= endMs }

    init(disk: any FolderReading, bounds: LibraryBounds, clock: Clock) {
        self.disk = disk
        self.bounds = bounds
        self.clock = clock
        endMs = clock.nowMs + Self.patienceMs
    }

    /// Without those that are in the library, in one of its folders or around one.
    mutating func find(besides known: [String]) -> [LibraryFolder] {
        let all = bounds.roots.compactMap { try? disk.realFolder($0) }
        var outermost = Set(LibraryFolders.outermost(all))
        // In the order in which they are named: the music folder is the first.
        let roots = all.filter { outermost.remove($0) != nil }
        var paths: [String] = []
        for root in roots { paths += candidates(in: root, of: roots, depth: 0) }
        var found: [LibraryFolder] = []
        for path in paths where !isOver && found.count < Self.mostFound {
            guard bounds.refusal(of: path) == nil, !RealPath.isBelow(known, path) else { continue }
            guard !(known + bounds.data).contains(where: { RealPath.isBelow([path], $0) }) else { continue }
            let count = music(below: path, of: roots, depth: 0)
            if count > 0 { found.append(LibraryFolder(path: path, tracks: count)) }
        }
        return found
    }

    private func isNamed(_ path: String) -> Bool {
        path.split(separator: "/").last.map { Self.names.contains($0.lowercased()) } ?? false
    }

    private mutating func candidates(in path: String, of roots: [String], depth: Int) -> [String] {
        if isNamed(path) { return [path] }
        guard depth < Self.deepest, let listing = list(path, roots) else { return [] }
        return listing.folders.sorted().flatMap { candidates(in: path == "/" ? "/" + $0 : path + "/" + $0, of: roots, depth: depth + 1) }
    }

    private mutating func music(below path: String, of roots: [String], depth: Int) -> Int {
        guard depth < Scan.deepest, let listing = list(path, roots) else { return 0 }
        return listing.files.count + listing.folders.reduce(0) { $0 + music(below: path + "/" + $1, of: roots, depth: depth + 1) }
    }

    private mutating func list(_ path: String, _ roots: [String]) -> FolderListing? {
        guard !isOver else { return nil }
        looked += 1
        return try? disk.list(path, within: roots, wanting: FileName.isAudio)
    }
}
