/// The library as it is in the hub: real files, a real reader, a real catalogue, the system's watch.
import BatonCore
import BatonSeams
import Disk
import EventLoop
import Foundation
import Harness
import Media
import Stores
import Testing
import Threads

@testable import BatonLibrary

@Suite(.serialized) struct MusicLibraryTests {
    @Test func `music is found by its tags, played from its file, and shown with its picture and words`() async throws {
        try await withLibrary { folder, library, store in
            try folder.song("a/01.flac", ["title": "Weird Fishes", "artist": "Radiohead", "album": "In Rainbows"])
            try folder.file("music/a/01.lrc", Data("[00:01.50]In the deepest ocean".utf8))
            await library.begin()

            let found = try await library.found("weird")

            #expect(found.tags.title == "Weird Fishes" && found.tags.artists == ["Radiohead"] && found.tags.album == "In Rainbows")
            #expect(try await library.resolve(found.uri, trust: .itemsOnly) == folder.playable("a/01.flac"))
            #expect(try await library.lyrics(of: found.uri)?.lines == [Lyrics.Line(atMs: 1_500, text: "In the deepest ocean")])
            #expect(try await library.details(of: found.uri).hasLyrics)
            // A path that the library knows is its track.
            let files = LocalLibrary(folders: [], disk: Disk()).knowing(store)
            #expect(try await files.expand(ItemURI(folder.music + "/a/01.flac"), trust: .musicFolders).map(\.uri) == [found.uri])
        }
    }

    @Test func `a file dropped in is found within seconds, and one that is renamed keeps all that it was`() async throws {
        try await withLibrary { folder, library, store in
            try folder.song("a/01.flac", ["title": "First"])
            await library.begin()
            let first = try await library.found("first")
            let entry = try await library.expand(first.uri, trust: .itemsOnly)[0]
            _ = try store.setFavourite(entry, true, atMs: 1)
            let list = try store.createPlaylist("Mine", [entry], rule: nil, once: nil, atMs: 1).id

            try folder.song("b/02.flac", ["title": "Second"])
            let clock = ContinuousClock()
            let took = try await clock.measure { _ = try await library.found("second") }
            print("a file dropped in was found after \(took)")
            try FileManager.default.moveItem(atPath: folder.music + "/a", toPath: folder.music + "/c")
            try await library.waitUntil {
                try await library.resolve(first.uri, trust: .itemsOnly).location == folder.playable("c/01.flac").location
            }

            let moved = try await library.found("first")
            #expect(moved.uri == first.uri && moved.mark.isFavourite && !moved.isAway)
            #expect(try store.expandPlaylist(list).map(\.uri) == [first.uri])
        }
    }

    @Test func `a sheet makes tracks that begin and end within one file`() async throws {
        try await withLibrary { folder, library, _ in
            try folder.song("disc.flac", ["artist": "Somebody"])
            let sheet =
                "TITLE Disc\nFILE disc.wav WAVE\nTRACK 01 AUDIO\nTITLE One\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nTITLE Two\nINDEX 01 00:01:00\n"
            try folder.file("music/disc.cue", Data(sheet.utf8))
            await library.begin()

            let two = try await library.found("two")

            let playable = try await library.resolve(two.uri, trust: .itemsOnly)
            #expect(try playable == folder.playable("disc.flac", startMs: 1_000))
            #expect(two.tags.track == 2 && two.tags.album == "Disc")
            #expect(try await library.resolve(library.found("one").uri, trust: .itemsOnly).endMs == 1_000)
        }
    }

    @Test func `folders are added and taken out, and a wrong one is a sentence`() async throws {
        try await withLibrary { folder, library, _ in
            try folder.song("../outside/x.flac", ["title": "Elsewhere"])
            await library.begin()

            #expect(try await library.setFolder(folder.outside + "/", isWanted: true, trust: .anyPath))
            let found = try await library.found("elsewhere")
            #expect(try await !library.setFolder(folder.outside, isWanted: true, trust: .anyPath))
            #expect(try await library.setFolder(folder.outside, isWanted: false, trust: .musicFolders))
            try await library.waitUntil { try await library.search(SearchQuery("elsewhere")).rows.isEmpty }
            await #expect(throws: SourceFault.self) { try await library.resolve(found.uri, trust: .itemsOnly) }
            for (path, code) in [
                ("/nowhere", SourceFault.Code.notFound), ("music", .badRequest), (folder.outside + "/x.flac", .badRequest),
            ] {
                let fault = await #expect(throws: SourceFault.self) { try await library.setFolder(path, isWanted: true, trust: .anyPath) }
                #expect(fault?.code == code && fault?.sentence.contains(path) == true)
            }
        }
    }

    @Test func `that there is no such folder is said first, and not of places that a remote may not know`() async throws {
        try await withLibrary(roots: ["music"]) { folder, library, _ in
            func refusal(_ path: String, _ trust: Trust) async -> SourceFault? {
                await #expect(throws: SourceFault.self) { try await library.setFolder(path, isWanted: true, trust: trust) }
            }
            try folder.file("outside/there/1.mp3", Data("x".utf8))

            for (path, trust) in [
                (folder.music + "/missing", Trust.musicFolders), (folder.outside + "/missing", .anyPath), ("/proc/missing", .anyPath),
            ] {
                let fault = await refusal(path, trust)
                #expect(fault?.code == .notFound && fault?.sentence == "There is no folder \(path) on the hub's machine.")
            }
            var sentences: Set<String> = []
            for path in [folder.outside + "/there", folder.outside + "/missing"] {
                let fault = await refusal(path, .musicFolders)
                #expect(fault?.code == .forbidden && fault?.sentence.hasPrefix("There is no folder \(path) that can be added") == true)
                sentences.insert(fault?.sentence.replacing(path, with: "") ?? "")
            }
            #expect(sentences.count == 1, "BT-LIB-015: the same whether it exists or not")
        }
    }

    @Test func `BT-LIB-024 folders are looked into where some may be added, and refused elsewhere as one that is added`() async throws {
        try await withLibrary(roots: ["music", "outside/in", "gone"]) { folder, library, _ in
            for name in ["music/b 10/1.mp3", "music/b 2/cd/2.mp3", "music/.hidden/3.mp3", "outside/in/x/4.mp3", "outside/other/5.mp3"] {
                try folder.file(name, Data("x".utf8))
            }
            try folder.link("music/link", to: folder.outside)
            func inside(_ path: String, _ trust: Trust = .musicFolders) async throws -> [String] {
                try await library.folders(in: path, trust: trust).map { String($0.dropFirst(folder.root.count)) }
            }

            #expect(try await inside("/") == ["/music", "/outside/in"])
            #expect(try await inside(folder.music) == ["/music/b 2", "/music/b 10"])
            #expect(try await inside(folder.outside, .anyPath) == ["/outside/in", "/outside/other"])
            #expect(await library.tracks(in: [folder.music, folder.outside + "/in"]) == [folder.music: 2, folder.outside + "/in": 1])
            #expect(await library.tracks(in: [folder.outside + "/other"]) == [folder.outside + "/other": 1])
            let outside = [
                "/etc", "/nowhere", folder.outside, folder.outside + "/missing", folder.music + "/link", folder.music + "/../outside",
            ]
            for path in outside + [folder.music + "/missing"] {
                let added = await #expect(throws: SourceFault.self) {
                    try await library.setFolder(path, isWanted: true, trust: .musicFolders)
                }
                let looked = await #expect(throws: SourceFault.self) { try await library.folders(in: path, trust: .musicFolders) }
                #expect(looked?.code == (outside.contains(path) ? .forbidden : .notFound) && looked?.sentence == added?.sentence)
            }
        }
    }

    @Test func `a file that leads outside since it was found is not played`() async throws {
        try await withLibrary { folder, library, _ in
            try folder.song("1.flac", ["title": "Safe"])
            await library.begin()
            let found = try await library.found("safe")
            try FileManager.default.moveItem(atPath: folder.music + "/1.flac", toPath: folder.outside + "/1.flac")
            try folder.link("music/1.flac", to: folder.outside + "/1.flac")

            let fault = await #expect(throws: SourceFault.self) { try await library.resolve(found.uri, trust: .anyPath) }
            #expect(fault?.code == .forbidden)
        }
    }
}

extension MusicFolder {
    /// Two seconds of a tone, with tags.
    func song(_ path: String, _ tags: [String: String]) throws {
        let target = music + "/" + path
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: target).deletingLastPathComponent(), withIntermediateDirectories: true)
        // Each sounds its own way: what sounds the same is the same to the library.
        let pitch = path.utf8.reduce(0) { ($0 * 31 + Int($1)) % 2_000 }
        let words = tags.sorted { $0.key < $1.key }.flatMap { ["-metadata", "\($0.key)=\($0.value)"] }
        try Fixture.make(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=\(200 + pitch):d=2"] + words, at: target)
    }
}

extension MusicLibrary {
    struct NotFound: Error { let text: String }

    func waitUntil(_ holds: () async throws -> Bool) async throws {
        for _ in 0..<600 {
            if (try? await holds()) == true { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw NotFound(text: "It did not come to that within fifteen seconds.")
    }

    func found(_ text: String) async throws -> ItemRow {
        var row: ItemRow?
        try await waitUntil {
            row = try await search(SearchQuery(text, kinds: [.track])).rows.first { !$0.isAway }
            return row != nil
        }
        guard let row else { throw NotFound(text: text) }
        return row
    }
}

/// `roots` are folders below which an admin elsewhere may add some.
func withLibrary(roots: [String] = [], _ body: (MusicFolder, MusicLibrary, LibraryStore) async throws -> Void) async throws {
    let loop = try await EventLoop.background()
    try await withMusic { folder in
        try FileManager.default.createDirectory(atPath: folder.root + "/data", withIntermediateDirectories: true)
        let store = try LibraryStore(folder: folder.root + "/data")
        let reader = ReaderPool(
            opening: { paths in Disk().open(paths, below: (try? store.folders())?.map(\.path) ?? []) }, log: .silent)
        let library = await MusicLibrary(
            MusicLibrary.Parts(
                catalogue: store, media: reader, disk: Disk(), watching: FolderWatch(wanting: MusicLibrary.isWanted),
                quiet: BlockingPool(threads: 2, isQuiet: true), log: .silent,
                folders: [folder.music], bounds: LibraryBounds(roots: roots.map { folder.root + "/" + $0 })), reactor: loop)
        do { try await body(folder, library, store) } catch { Issue.record(error) }
        await library.close()
        reader.close()
        store.close()
    }
}
