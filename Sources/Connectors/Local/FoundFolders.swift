/// Folders of music that the hub finds by itself, so that an admin can add one by a press: those that are called like one, below the
/// folders that may be added, with how much music is in them.
///
/// It looks at a bounded number of folders and for a bounded time, and passes over what cannot be read. A folder that is counted only
/// in part is told with the number that was reached. A disk that does not answer ends the search, as late as `TimedDisk` says.
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
    /// Bounds of the part that goes on.
    private var mostOfPart = 0
    private var endOfPartMs: Int64 = 0
    /// Whether all of the part was looked at so far.
    private var isWhole = true
    private var isOver: Bool { looked >= mostOfPart || clock.nowMs >= endOfPartMs }

    init(disk: any FolderReading, bounds: LibraryBounds, clock: Clock) {
        self.disk = disk
        self.bounds = bounds
        self.clock = clock
        endMs = clock.nowMs + Self.patienceMs
    }

    /// Without those that are in the library, in one of its folders or around one. One half of the time is for finding them; in the other
    /// half each that is counted has an equal part of what is left, so that a large one does not keep others from being told.
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

    /// Roots that are there, by their real paths and none below another. In the order in which they are named: the music
    /// folder is the first. Begins one half of the time.
    mutating func roots() -> [String] {
        begin(oneOf: 2)
        var all: [String] = []
        for root in bounds.roots where !isOver {
            if let real = try? disk.realFolder(root) { all.append(real) }
        }
        var outermost = Set(LibraryFolders.outermost(all))
        return all.filter { outermost.remove($0) != nil }
    }

    /// How many files of music are in each of these folders and below. One that was looked at only in part is left out where none was
    /// found in that.
    mutating func tracks(in folders: [String], within roots: [String]) -> [String: Int] {
        var tracks: [String: Int] = [:]
        for (index, path) in folders.enumerated() {
            begin(oneOf: folders.count - index)
            let count = music(below: path, of: roots, depth: 0)
            if count > 0 || isWhole { tracks[path] = count }
        }
        return tracks
    }

    /// Begins one of so many equal parts of what is left.
    private mutating func begin(oneOf parts: Int) {
        isWhole = true
        let nowMs = clock.nowMs
        mostOfPart = looked + (Self.mostLooked - looked + parts - 1) / parts
        endOfPartMs = nowMs + max(0, endMs - nowMs) / Int64(parts)
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

/// The folders that were found last. They are looked for again after a while, or when the library has other folders: pages ask for them
/// again with each change of the library, and several pages at once. A question that comes while they are looked for waits for the
/// same answer.
actor FoundFolderCache {
    private let disk: any FolderReading
    private let bounds: LibraryBounds
    private let clock: Clock
    private var last: (found: [LibraryFolder], known: [String], atMs: Int64)?

    private static let freshMs: Int64 = 10_000

    init(disk: any FolderReading, bounds: LibraryBounds, clock: Clock) {
        self.disk = disk
        self.bounds = bounds
        self.clock = clock
    }

    /// Blocks on the disk.
    func folders(besides known: [String]) -> [LibraryFolder] {
        let nowMs = clock.nowMs
        if let last, last.known == known, nowMs - last.atMs < Self.freshMs { return last.found }
        var search = FoundFolders(disk: disk, bounds: bounds, clock: clock)
        let found = search.find(besides: known)
        // As old as the beginning of the search: one that waited long for a disk is soon repeated.
        last = (found, known, nowMs)
        return found
    }
}
