/// Folders of music that the hub finds by itself.
import BatonCore
import BatonSeams
import Disk
import Foundation
import Harness
import Synchronization
import Testing

@testable import BatonLibrary

struct FoundFolderTests {
    private func found(_ folder: MusicFolder, roots: [String], data: [String] = [], besides known: [String] = []) -> [String] {
        var search = FoundFolders(disk: Disk(), bounds: LibraryBounds(roots: roots, data: data), clock: HandClock(0).clock)
        return search.find(besides: known).map { "\($0.path.dropFirst(folder.root.count)) \($0.tracks)" }
    }

    @Test func `folders that are called like music are found with how much is in them`() async throws {
        try await withMusic { folder in
            for name in [
                "music/a/1.mp3", "music/2.flac", "music/cover.jpg", "media/anna/disk/Musik/x/3.ogg", "media/anna/disk/Films/4.mp3",
            ] {
                try folder.file(name, Data("x".utf8))
            }
            for name in ["srv/Music/notes.txt", "srv/.hidden/music/5.mp3", "deep/a/b/c/d/music/6.mp3"] {
                try folder.file(name, Data("x".utf8))
            }
            let roots = ["music", "media", "srv", "deep", "missing"].map { folder.root + "/" + $0 }

            #expect(found(folder, roots: roots) == ["/music 2", "/media/anna/disk/Musik 1"])
            // What is elsewhere could not be added.
            #expect(found(folder, roots: [folder.root + "/media/anna"]) == ["/media/anna/disk/Musik 1"] && found(folder, roots: []).isEmpty)
        }
    }

    @Test func `folders of the library, around it and in it, and the hub's own data are none`() async throws {
        try await withMusic { folder in
            for name in ["a/music/1.mp3", "b/music/in/2.mp3", "c/music/3.mp3", "d/music/4.mp3"] { try folder.file(name, Data("x".utf8)) }
            let root = folder.root
            let known = ["\(root)/a/music", "\(root)/b/music/in", "\(root)/c"]
            #expect(found(folder, roots: [root], data: ["\(root)/d"], besides: known).isEmpty)
            #expect(found(folder, roots: [root], besides: known) == ["/d/music 1"])
        }
    }

    @Test func `a slow disk is looked at for a second, and each folder that was found has a part of it`() async throws {
        try await withMusic { folder in
            for name in ["x/a/music/1.mp3", "x/a/music/in/2.mp3", "x/b/music/3.mp3", "x/b/music/in/4.mp3"] {
                try folder.file(name, Data("x".utf8))
            }
            let disk = SlowDisk(listMs: 200)
            var search = FoundFolders(disk: disk, bounds: LibraryBounds(roots: [folder.root + "/x"]), clock: disk.clock)

            let found = search.find(besides: [])

            // Three looks find them, and one at each is all that the rest allows.
            #expect(found.map(\.path) == ["a", "b"].map { "\(folder.root)/x/\($0)/music" } && found.map(\.tracks) == [1, 1])
            #expect(disk.lists == 5)
        }
    }

    @Test func `music is counted in many folders within a second, and what is not known to be none is left out`() async throws {
        try await withMusic { folder in
            for name in ["a/1.mp3", "a/in/2.mp3", "b/in/3.mp3", "c/notes.txt"] { try folder.file("music/" + name, Data("x".utf8)) }
            let paths = ["a", "b", "c", "missing"].map { folder.music + "/" + $0 }
            func counts(listMs: Milliseconds) -> [Int?] {
                let disk = SlowDisk(listMs: listMs)
                var search = FoundFolders(disk: disk, bounds: LibraryBounds(roots: [folder.root]), clock: disk.clock)
                let counts = search.tracks(in: paths, within: [folder.music])
                return paths.map { counts[$0] }
            }

            #expect(counts(listMs: 0) == [2, 1, 0, nil])
            // Each has one look, which is not all of the first two.
            #expect(counts(listMs: 300) == [1, nil, 0, nil])
        }
    }

    @Test func `folders are looked for again after a while, or when the library has others`() async throws {
        try await withMusic { folder in
            try folder.file("music/1.mp3", Data("x".utf8))
            let disk = SlowDisk(listMs: 0)
            let cache = FoundFolderCache(disk: disk, bounds: LibraryBounds(roots: [folder.root]), clock: disk.clock)

            #expect(await cache.folders(besides: []).map(\.path) == [folder.music])
            let once = disk.lists

            try folder.file("music/2.mp3", Data("x".utf8))
            #expect(await cache.folders(besides: []).map(\.tracks) == [1])
            #expect(disk.lists == once)
            #expect(await cache.folders(besides: [folder.music]).isEmpty)
            #expect(await cache.folders(besides: []).map(\.tracks) == [2])
            disk.pass(ms: 20_000)
            try folder.file("music/3.mp3", Data("x".utf8))
            #expect(await cache.folders(besides: []).map(\.tracks) == [3])
        }
    }
}

/// A disk on which each list takes so long, by a clock of its own.
private final class SlowDisk: FolderReading {
    private let disk = Disk()
    private let time = HandClock(0)
    private let listMs: Milliseconds
    private let count = Mutex(0)

    init(listMs: Milliseconds) { self.listMs = listMs }

    var clock: Clock { time.clock }
    var lists: Int { count.withLock { $0 } }
    func pass(ms: Milliseconds) { time.pass(ms: ms) }

    func list(
        _ path: String, within folders: [String], wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> FolderListing {
        count.withLock { $0 += 1 }
        time.pass(ms: listMs)
        return try disk.list(path, within: folders, wanting: isWanted)
    }

    func realFolder(_ path: String) throws(SourceFault) -> String { try disk.realFolder(path) }
}
