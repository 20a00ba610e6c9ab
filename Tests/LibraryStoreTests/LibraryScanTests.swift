/// What a scan makes of files: found, moved, changed, gone, and found again.
import BatonCore
import BatonSeams
import BatonWire
import Foundation
import Harness
import Testing

@testable import Stores

struct LibraryScanTests {
    private let help = Song("Help!", by: ["The Beatles"], on: "Help!", in: "/music/Beatles").with { $0.tags.track = 1 }
    private let yesterday = Song("Yesterday", by: ["The Beatles"], on: "Help!", in: "/music/Beatles").with { $0.tags.track = 13 }

    @Test func `what was read is found, shown and opened`() throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            try library.scan([help, yesterday])

            let hit = try #require(try library.search(SearchQuery("yester beat", kinds: [.track])).rows.first)
            #expect(hit.tags.title == "Yesterday")
            #expect(hit.tags.artists == ["The Beatles"])
            #expect(try library.location(of: hit.uri).path == "/music/Beatles/Yesterday.flac")
            #expect(try library.titles(in: "lib:shelf/albums") == ["Help!"])
            #expect(try library.titles(in: "lib:shelf/artists") == ["The Beatles"])
            #expect(try library.folders() == [LibraryFolder(path: "/music", tracks: 2)])
            let album = try #require(try library.browse(BrowseQuery(node: ItemURI("lib:shelf/albums"))).rows.first)
            #expect(album.count == 2)
            #expect(try library.titles(in: album.uri.text) == ["Help!", "Yesterday"])
            #expect(try library.expand(album.uri, most: 10).map(\.tags.title) == ["Help!", "Yesterday"])
            #expect(library.libraryCounts().tracks == 2)
        }
    }

    @Test func `a file that was moved or retagged keeps its id, and a twin has one of its own`() throws {
        try withLibrary { library in
            try library.scan([help, yesterday])
            let before = try #require(try library.uri("Yesterday"))

            var moved = yesterday
            moved.folder = "/music/Elsewhere"
            moved.name = "another name.flac"
            moved.facts.tags.title = "Yesterday (Remaster)"
            var twin = help
            twin.folder = "/music/Copies"
            try library.scan([help, moved, twin])

            #expect(try library.uri("Yesterday (Remaster)") == before)
            #expect(library.libraryCounts().tracks == 3)
            let twins = try library.search(SearchQuery("help", kinds: [.track])).rows.filter { $0.tags.title == "Help!" }.map(\.uri.text)
            #expect(Set(twins).count == 2)
            #expect(twins.contains { $0.hasSuffix("-2") })
        }
    }

    @Test func `a file that was moved counts where it is`() throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            try library.scan([help, yesterday])
            var moved = yesterday
            moved.folder = "/music/Elsewhere"
            try library.scan([help, moved])

            let root = try #require(try library.browse(BrowseQuery(node: ItemURI("lib:shelf/folders"))).rows.first)
            let folders = try library.browse(BrowseQuery(node: root.uri)).rows
            #expect(root.count == 2)
            #expect(folders.map(\.tags.title) == ["Beatles", "Elsewhere"] && folders.map(\.count) == [1, 1])
        }
    }

    @Test func `much at once is found at once, and in its order when the scan is over`() throws {
        try withLibrary { library in
            // Backwards, and each between two others: an order in which places run out.
            let songs = (0..<900).reversed().map { (number: Int) -> Song in
                let title = "Song \(1_000 + number * 7 % 900)"
                return Song(title, by: ["Artist \(number / 90)"], on: "Album \(number / 9)", sound: UInt64(number + 1))
            }
            let scan = try library.beginScan(atMs: 1)
            for some in [songs[..<16], songs[16..<300], songs[300...]] { try library.store(some.map(\.scanned), in: scan, atMs: 1) }
            let sorted = songs.map(\.facts.tags.title).sorted()

            let during = try library.search(SearchQuery("song", kinds: [.track], window: PageWindow(limit: 1_000))).rows.map(\.tags.title)
            try library.endScan(scan, below: ["/music"], ScanReport(), atMs: 2)
            let after = try library.search(SearchQuery("song", kinds: [.track], window: PageWindow(limit: 1_000))).rows.map(\.tags.title)

            #expect(during.sorted() == sorted)
            #expect(after == sorted)
            #expect(try library.search(SearchQuery("artist 3", kinds: [.artist])).rows.map(\.count) == [90])
        }
    }

    @Test func `what was not seen is gone, and comes back as it was`() throws {
        try withLibrary { library in
            try library.scan([help, yesterday])
            let before = try #require(try library.uri("Yesterday"))

            try library.scan([help])
            #expect(try library.titles("yesterday") == [])
            #expect(library.libraryCounts().tracks == 1)

            try library.scan([help, yesterday])
            #expect(try library.uri("Yesterday") == before)
        }
    }

    @Test func `of a folder that cannot be read nothing is lost`() throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            try library.scan([help, yesterday])

            try library.noteFolder("/music", problem: "The disk is away.")
            try library.scan([])

            let rows = try library.search(SearchQuery("beatles", kinds: [.track])).rows
            #expect(rows.count == 2)
            #expect(rows.filter(\.isAway).count == 2)
            try library.noteFolder("/music", problem: nil)
            #expect(try library.search(SearchQuery("beatles", kinds: [.track])).rows.allSatisfy { !$0.isAway })
        }
    }

    @Test func `two albums of one name are two, and two discs are one`() throws {
        try withLibrary { library in
            let hits = ["Queen", "Abba"].map { name in
                Song("\(name) song", by: [name], on: "Greatest Hits", in: "/music/\(name)")
            }
            let discs = [1, 2].map { (disc: Int) in
                Song("Part \(disc)", by: ["Pink Floyd"], on: "The Wall", in: "/music/The Wall/CD \(disc)").with { $0.tags.disc = disc }
            }
            let various = ["Ann", "Bob"].map { name in
                Song("\(name) sings", by: [name], on: "Now", in: "/music/\(name)").with { $0.isCompilation = true }
            }
            try library.scan(hits + discs + various)

            let albums = try library.browse(BrowseQuery(node: ItemURI("lib:shelf/albums"))).rows
            #expect(albums.map(\.tags.title) == ["Greatest Hits", "Greatest Hits", "Now", "The Wall"])
            #expect(albums.map(\.count) == [1, 1, 2, 2])
            #expect(albums.map(\.tags.albumArtist).sorted() == ["Abba", "Pink Floyd", "Queen", "Various Artists"])
        }
    }

    @Test func `a scan that was cut short goes on, and knows what it has read`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            var library = try LibraryStore(folder: folder)
            let scan = try library.beginScan(atMs: 1)
            try library.store([help.scanned], in: scan, atMs: 1)
            library.close()

            library = try LibraryStore(folder: folder)
            #expect(try library.beginScan(atMs: 2) == scan)
            let known = try #require(try library.known(in: ["/music/Beatles"])[0]["Help!.flac"])
            #expect(known.stamp == help.scanned.stamp)
            try library.noteSeen([known.id], in: scan)
            try library.store([yesterday.scanned], in: scan, atMs: 2)
            try library.endScan(scan, below: ["/music"], ScanReport(), atMs: 3)
            #expect(library.libraryCounts().tracks == 2)
            #expect(try library.lastReport()?.isDone == true)
            #expect(try library.beginScan(atMs: 4) != scan)
            library.close()
        }
    }

    @Test func `a file that cannot be read is named, and the rest goes on`() throws {
        try withLibrary { library in
            let scan = try library.beginScan(atMs: 1)
            let broken = ScannedFile(
                folder: "/music", name: "x.mp3", stamp: FileStamp(size: 0, modifiedNs: 1, inode: 1), content: .unreadable("It is empty."))
            try library.store([broken, help.scanned], in: scan, atMs: 1)
            #expect(try library.known(in: ["/music"])[0]["x.mp3"]?.problem == "It is empty.")
            #expect(library.libraryCounts().tracks == 1)
        }
    }

    @Test func `a folder that is taken out takes its tracks along`() throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            try library.scan([help, yesterday])
            #expect(try library.setFolder("/music", isWanted: true) == false)
            #expect(try library.setFolder("/music", isWanted: false))
            #expect(try library.folders() == [])
            #expect(library.libraryCounts().tracks == 0)
            #expect(library.libraryCounts().albums == 0)
            #expect(try library.titles("beatles", kinds: []) == [])
        }
    }

    @Test func `folders hold folders, then tracks`() throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            let loose = Song("A loose one", in: "/music")
            try library.scan([help, yesterday, loose])

            let root = try #require(try library.browse(BrowseQuery(node: ItemURI("lib:shelf/folders"))).rows.first)
            #expect(root.tags.title == "music" && root.count == 3)
            let inside = try library.browse(BrowseQuery(node: root.uri)).rows
            #expect(inside.map(\.tags.title) == ["Beatles", "A loose one"])
            #expect(try library.titles(in: inside[0].uri.text) == ["Help!", "Yesterday"])
            #expect(try library.expand(root.uri, most: 10).count == 3)
            let artist = try #require(try library.browse(BrowseQuery(node: ItemURI("lib:shelf/artists"))).rows.first)
            #expect(try library.titles(in: artist.uri.text) == ["Help!"])
            #expect(try library.expand(artist.uri, most: 10).count == 2)
            let first = try library.browse(BrowseQuery(node: root.uri, window: PageWindow(limit: 1)))
            let next = try library.browse(BrowseQuery(node: root.uri, window: PageWindow(limit: 1, cursor: first.cursor)))
            #expect(next.rows.map(\.tags.title) == ["A loose one"] && next.cursor == nil)
            #expect(try library.browse(BrowseQuery(node: root.uri, window: PageWindow(from: 1))).rows == next.rows)
            #expect(try library.browse(BrowseQuery()).rows.count == 11)
            #expect(try library.details(of: yesterdayURI(library)).path == "/music/Beatles/Yesterday.flac")
        }
    }

    private func yesterdayURI(_ library: LibraryStore) throws -> ItemURI { try #require(try library.uri("Yesterday")) }

    @Test func `who comes back after the library was closed is told so`() throws {
        try withLibrary { library in
            let scan = try library.beginScan(atMs: 1)
            library.close()

            #expect(throws: SourceFault.self) { try library.storeColours(["cover": [1, 2]]) }
            #expect(throws: SourceFault.self) { try library.search(SearchQuery("help")) }
            #expect(throws: SourceFault.self) { try library.endScan(scan, below: [], ScanReport(), atMs: 2) }
        }
    }

    @Test func `parts of one file are tracks of their own`() throws {
        try withLibrary { library in
            let parts = (0..<3).map { part in
                var facts = TrackFacts()
                facts.tags = Tags(title: "Part \(part)")
                facts.startMs = Milliseconds.seconds(part)
                facts.endMs = Milliseconds.seconds(part) + 1000
                return facts
            }
            let file = ScannedFile(
                folder: "/music", name: "all.flac", stamp: FileStamp(size: 1, modifiedNs: 1, inode: 1),
                content: .tracks(parts, fingerprint: Fingerprint(high: 0xAB, low: 1), lyrics: nil))
            let scan = try library.beginScan(atMs: 1)
            try library.store([file], in: scan, atMs: 1)
            #expect(
                try library.location(of: ItemURI("lib:track/00000000000000ab-c2"))
                    == TrackLocation(path: "/music/all.flac", startMs: 1000, endMs: 2000))
            #expect(library.libraryCounts().tracks == 3)
        }
    }

    @Test(arguments: [false, true]) func `a picture beside one track and within another is found beside it`(isWithinFirst: Bool) throws {
        func song(_ title: String, _ folder: String, _ picture: PictureSource) -> Song {
            Song(title, in: folder, sound: UInt64(title.utf8.count)).with { facts in
                facts.tags.art = Artwork(id: "p1", width: 30, height: 30)
                facts.picture = picture
            }
        }
        let songs = [
            song("One", "/music/A", .file("/music/A/cover.png")), song("Three", "/music/B", .embedded(in: "/music/B/Three.flac")),
        ]
        try withLibrary { library in
            try library.scan(isWithinFirst ? songs.reversed() : songs)
            #expect(try library.picture("p1") == .file("/music/A/cover.png"))
            #expect(try library.musicFile(withPicture: "p1") != nil && library.musicFile(withPicture: "p2") == nil)
        }
    }
}
