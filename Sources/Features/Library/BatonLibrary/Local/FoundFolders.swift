/// Suggests folders for the library, so that an admin can add one with one press: folders with a usual name for music
/// below the allowed roots, with their number of tracks.
///
/// The search is bounded by folders and time and skips unreadable folders. A folder that was counted only in part is
/// listed with the number so far. A disk that does not respond ends the search, after the time limit of `TimedDisk`.
import BatonCore
import BatonSeams

struct FoundFolders {
    let disk: any FolderReading
    let bounds: LibraryBounds
    let clock: Clock

    /// Usual names of music folders, in lower case.
    private static let names: Set<String> = [
        "audio", "lieder", "mp3", "mp3s", "music", "musica", "música", "musik", "musique", "muziek", "muzyka", "songs", "музыка", "موسيقى",
        "音乐", "音楽", "ミュージック", "음악",
    ]
    /// Depth below a root: `/media/anna/disk/Music` is three folders below.
    private static let deepest = 3
    private static let mostFound = 20
    private static let mostLooked = 2_000
    private static let patienceMs: Milliseconds = 1_000

    private var looked = 0
    private let endMs: Milliseconds
    /// Limits of the current part of the search.
    private var mostOfPart = 0
    private var endOfPartMs: Milliseconds = 0
    /// Whether the current part has covered everything so far.
    private var isWhole = true
    private var isOver: Bool { looked >= mostOfPart || clock.nowMs >= endOfPartMs }

    init(disk: any FolderReading, bounds: LibraryBounds, clock: Clock) {
        self.disk = disk
        self.bounds = bounds
        self.clock = clock
        endMs = clock.nowMs + Self.patienceMs
    }

    /// Finds folders that neither contain a known library folder nor are inside one. Half of the time is for finding
    /// them. Each is then counted in an equal share of the remaining half, so that a large one does not hide others.
    mutating func find(besides known: [String]) -> [LibraryFolder] {
        let roots = roots()
        var paths: [String] = []
        for root in roots { paths += candidates(in: root, of: roots, depth: 0) }
        paths.removeAll { path in
            bounds.refusal(of: path) != nil || RealPath.isBelow(known, path)
                || (known + bounds.data).contains { RealPath.isBelow([path], $0) }
        }
        var found: [LibraryFolder] = []
        for (index, path) in paths.enumerated() where found.count < Self.mostFound {
            begin(oneOf: min(paths.count - index, Self.mostFound - found.count))
            let count = music(below: path, of: roots, depth: 0)
            if count > 0 { found.append(LibraryFolder(path: path, tracks: count)) }
        }
        return found
    }

    /// Starts the first half of the time. Returns the real paths of existing roots, none below another, in the order
    /// of the settings: the music folder comes first.
    mutating func roots() -> [String] {
        begin(oneOf: 2)
        var all: [String] = []
        for root in bounds.roots where !isOver {
            if let real = try? disk.realFolder(root) { all.append(real) }
        }
        var outermost = Set(ScannedFolders.outermost(all))
        return all.filter { outermost.remove($0) != nil }
    }

    /// The number of audio files in and below each folder. A folder that was searched only in part is left out if
    /// nothing was found.
    mutating func tracks(in folders: [String], within roots: [String]) -> [String: Int] {
        var tracks: [String: Int] = [:]
        for (index, path) in folders.enumerated() {
            begin(oneOf: folders.count - index)
            let count = music(below: path, of: roots, depth: 0)
            if count > 0 || isWhole { tracks[path] = count }
        }
        return tracks
    }

    /// Starts a part with an equal share of the remaining limits.
    private mutating func begin(oneOf parts: Int) {
        isWhole = true
        let nowMs = clock.nowMs
        mostOfPart = looked + (Self.mostLooked - looked + parts - 1) / parts
        endOfPartMs = nowMs + max(0, endMs - nowMs) / parts
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
        var listing: FolderListing?
        if !isOver {
            looked += 1
            listing = try? disk.list(path, within: roots, wanting: FileName.isAudio)
        }
        if listing == nil { isWhole = false }
        return listing
    }
}

/// Keeps the latest result, because several pages ask again at every change of the library. It expires after a while
/// or when the library's folders change. Calls during a search wait for its result.
actor FoundFolderCache {
    private let disk: any FolderReading
    private let bounds: LibraryBounds
    private let clock: Clock
    private var last: (found: [LibraryFolder], known: [String], atMs: Milliseconds)?

    private static let freshMs: Milliseconds = 10_000

    init(disk: any FolderReading, bounds: LibraryBounds, clock: Clock) {
        self.disk = disk
        self.bounds = bounds
        self.clock = clock
    }

    /// The suggested folders. Blocks on the disk.
    func folders(besides known: [String]) -> [LibraryFolder] {
        let nowMs = clock.nowMs
        if let last, last.known == known, nowMs - last.atMs < Self.freshMs { return last.found }
        var search = FoundFolders(disk: disk, bounds: bounds, clock: clock)
        let found = search.find(besides: known)
        // The result counts from the start of the search, so that one delayed by a disk is repeated soon.
        last = (found, known, nowMs)
        return found
    }
}
