/// The shelves of composers, years and labels, and how a library from before gets them.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct LibraryShelfTests {
    private let songs = [
        Song("One", by: ["Ann"], on: "First").with { facts in
            (facts.composers, facts.labels, facts.tags.year) = (["Cole", "Dora"], ["Blue Door"], 1999)
        },
        Song("Two", by: ["Ann"], on: "First").with { facts in
            (facts.composers, facts.labels, facts.tags.year) = (["cole"], ["Blue Door"], 1999)
        },
        Song("Three", by: ["Bob"]).with { facts in (facts.labels, facts.tags.year) = (["Attic"], 2003) },
    ]

    private func shelves(_ library: LibraryStore) throws -> [String] {
        try library.browse(BrowseQuery()).rows.map(\.uri.text).filter { ["composers", "years", "labels"].contains($0.dropFirst(10)) }
    }

    @Test func `what is called so comes first, then what begins so, then what has the word`() throws {
        try withLibrary { library in
            try library.scan([
                Song("Anthem", by: ["Zoe"], on: "Zeta"), Song("Anthem of Rain", by: ["Zoe"], on: "Zeta"),
                Song("A National Anthem", by: ["Zoe"], on: "Zeta"), Song("Anthems", by: ["Zoe"], on: "Anthem"),
                Song("Else", by: ["Anthem"], on: "The Anthem"), Song("More", by: ["Anthem Band"], on: "Zeta"),
            ])
            #expect(
                try library.titles("anthem", kinds: [.track]) == [
                    "Anthem", "Anthem of Rain", "Anthems", "A National Anthem", "Else", "More",
                ])
            #expect(try library.titles("anthem", kinds: [.artist]) == ["Anthem", "Anthem Band"])
            #expect(try library.titles("anthem", kinds: [.album]).prefix(2) == ["Anthem", "The Anthem"])
            // Page by page it is the same.
            var paged: [String] = []
            var window = PageWindow(limit: 1)
            repeat {
                let page = try library.search(SearchQuery("anthem", kinds: [.track], window: window))
                paged += page.rows.map(\.tags.title)
                window.cursor = page.cursor
            } while window.cursor != nil
            #expect(paged == ["Anthem", "Anthem of Rain", "Anthems", "A National Anthem", "Else", "More"])
        }
    }

    @Test func `a playlist file fills one playlist, and what a person has deleted stays away until the file changes`() throws {
        try withLibrary { library in
            try library.scan([Song("One", by: ["Anna"]), Song("Two", by: ["Anna"])])
            let tracks = try ["one", "two"].map { try #require(try library.search(SearchQuery($0, kinds: [.track])).rows.first) }
                .map { NewEntry(uri: $0.uri, tags: $0.tags) }
            func store(_ entries: [NewEntry], modifiedNs: Int64) throws {
                let stamp = FileStamp(size: 9, modifiedNs: modifiedNs, inode: 3)
                try library.store(
                    ScannedPlaylist(path: "/music/mix.m3u8", stamp: stamp, name: "mix", entries: entries, isPartial: false), atMs: 5)
            }
            func lists() throws -> [PlaylistRow] { try library.playlists(PageWindow()) }
            try store(tracks, modifiedNs: 1)
            try store(Array(tracks.reversed()), modifiedNs: 2)
            let list = try #require(try lists().first)
            #expect(try lists().count == 1 && list.name == "mix")
            #expect(try library.expandPlaylist(list.id).map(\.tags.title) == ["Two", "One"])
            #expect(try library.playlistFiles()["/music/mix.m3u8"]?.stamp.modifiedNs == 2)

            _ = try library.deletePlaylist(list.id, once: nil)
            try store(tracks, modifiedNs: 2)
            #expect(try lists().isEmpty)
            try store(tracks, modifiedNs: 3)
            #expect(try lists().count == 1)
            try library.forgetPlaylistFiles(["/music/mix.m3u8"])
            #expect(try lists().isEmpty && library.playlistFiles().isEmpty)
        }
    }

    @Test func `guests of a track are artists of their own`() throws {
        try withLibrary { library in
            try library.scan([
                Song("Rain", by: ["Anna feat. Bob & Cid"], on: "Waves"), Song("Sun (ft. Dora)", by: ["Anna"], on: "Waves"),
                Song("Wind", by: ["Salt & Pepper"], on: "Waves"),
            ])
            #expect(try library.titles(in: "lib:shelf/artists") == ["Anna", "Bob", "Cid", "Dora", "Salt & Pepper"])
            let bob = try #require(try library.search(SearchQuery("bob", kinds: [.artist])).rows.first)
            #expect(try library.titles(in: bob.uri.text) == ["Waves"])
            #expect(FeaturedNames.artists("Feat") == ["Feat"] && FeaturedNames.artists("Craft feat.") == ["Craft feat."])
        }
    }

    @Test func `composers, years and labels are shelves whose containers hold what has them`() throws {
        try withLibrary { library in
            #expect(try shelves(library).isEmpty)
            try library.scan(songs)

            #expect(try shelves(library) == ["lib:shelf/composers", "lib:shelf/years", "lib:shelf/labels"])
            let composers = try library.browse(BrowseQuery(node: ItemURI("lib:shelf/composers"))).rows
            #expect(composers.map(\.tags.title) == ["Cole", "Dora"] && composers.map(\.count) == [2, 1])
            #expect(composers.allSatisfy { $0.tags.kind == .composer })
            #expect(try library.titles(in: composers[0].uri.text) == ["One", "Two"])
            #expect(try library.titles(in: "lib:shelf/years") == ["2003", "1999"])
            #expect(try library.titles(in: "lib:year/1999") == ["First"])
            #expect(try library.titles(in: "lib:year/2003") == ["Three"])
            let labels = try library.browse(BrowseQuery(node: ItemURI("lib:shelf/labels"))).rows
            #expect(labels.map(\.tags.title) == ["Attic", "Blue Door"])
            #expect(try library.titles(in: labels[0].uri.text) == ["Three"])
            #expect(try library.titles(in: labels[1].uri.text) == ["First"])
            #expect(try library.details(of: ItemURI("lib:year/1999")).row.count == 2)
            #expect(throws: SourceFault.self) { _ = try library.browse(BrowseQuery(node: ItemURI("lib:year/1998"))) }
        }
    }

    @Test func `a composer, a year or a label is queued as its tracks, and names are found`() throws {
        try withLibrary { library in
            try library.scan(songs)

            let dora = try #require(try library.search(SearchQuery("dor", kinds: [.composer])).rows.first)
            #expect(dora.tags.title == "Dora")
            #expect(try library.expand(dora.uri, most: 10).map(\.tags.title) == ["One"])
            #expect(try library.expand(ItemURI("lib:year/1999"), most: 10).map(\.tags.title).sorted() == ["One", "Two"])
            #expect(try library.titles("door", kinds: [.label]) == ["Blue Door"])
            #expect(try library.titles("attic", kinds: [.album, .artist, .track]).isEmpty)
            let one = try #require(try library.uri("One"))
            let details = try library.details(of: one)
            #expect(details.composers == ["Cole", "Dora"] && details.labels == ["Blue Door"])
        }
    }

    @Test func `they go with their last track`() throws {
        try withLibrary { library in
            try library.scan(songs)
            try library.scan([songs[2]])

            #expect(try shelves(library) == ["lib:shelf/years", "lib:shelf/labels"])
            #expect(try library.titles(in: "lib:shelf/labels") == ["Attic"])
            #expect(try library.titles(in: "lib:shelf/years") == ["2003"])
        }
    }

    @Test func `the files of a library from before are read again, and its tracks stay the same`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let library = try LibraryStore(folder: folder)
            try library.scan(songs.map { song in song.with { ($0.composers, $0.labels) = ([], []) } })
            let one = try #require(try library.uri("One"))
            library.close()
            let old = try Database(folder + "/library.db")
            try old.forgetBooks()
            try old.execute("DROP VIEW release_year; PRAGMA user_version = 8")
            old.close()

            let new = try LibraryStore(folder: folder)
            defer { new.close() }
            let scan = try new.beginScan(atMs: 2)
            let known = try #require(try new.known(in: ["/music"]).first)
            #expect(known.count == 3 && known.values.allSatisfy { $0.companions != 0 })
            #expect(try new.titles(in: "lib:shelf/years") == ["2003", "1999"])
            try new.store(songs.map(\.scanned), in: scan, atMs: 2)
            try new.endScan(scan, below: ["/music"], ScanReport(), atMs: 2)
            #expect(try new.uri("One") == one)
            #expect(try new.titles(in: "lib:shelf/composers") == ["Cole", "Dora"])
        }
    }

    @Test func `an album is found by words of its title and of its artist, also in a library from before`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let library = try LibraryStore(folder: folder)
            try library.scan([Song("Help!", by: ["The Beatles"], on: "Help!").with { $0.tags.albumArtist = "The Beatles" }])
            #expect(try library.titles("beatles help", kinds: [.album]) == ["Help!"])
            library.close()
            let old = try Database(folder + "/library.db")
            try old.forgetListening()
            try old.execute(
                """
                UPDATE spot SET words = replace(words, ' h', ' b') WHERE kind = 'album'; INSERT INTO found (found) VALUES ('rebuild');
                PRAGMA user_version = 10
                """)
            old.close()

            let new = try LibraryStore(folder: folder)
            defer { new.close() }
            #expect(try new.titles("beatles help", kinds: [.album]) == ["Help!"])
        }
    }

    @Test func `an artist's top tracks are those played most, then those with stars`() throws {
        try withLibrary { library in
            let songs = ["One", "Two", "Three", "Four"].map { Song($0, by: ["Ann"]) } + [Song("Other", by: ["Bob"])]
            try library.scan(songs)
            let ann = try #require(try library.search(SearchQuery("ann", kinds: [.artist])).rows.first).uri
            #expect(try library.details(of: ann).top == nil)
            func entry(_ title: String) throws -> NewEntry {
                NewEntry(uri: try #require(try library.uri(title)), tags: Tags(title: title, artists: ["Ann"]))
            }
            _ = try library.setStars(try entry("Four"), 4, atMs: 1)
            for title in ["Two", "Two", "Three", "Other"] { _ = try library.notePlayed(try entry(title), room: RoomID("main"), atMs: 2) }

            let top = try #require(try library.details(of: ann).top)
            #expect(try library.titles(in: top.text) == ["Two", "Three", "Four"])
            #expect(try library.expand(top, most: 2).map(\.tags.title) == ["Two", "Three"])
            #expect(try library.details(of: top).row.tags.title == "Top tracks")
        }
    }

    @Test func `artists are alike by the genres they share`() throws {
        try withLibrary { library in
            func song(_ title: String, _ artist: String, _ genres: [String]) -> Song {
                Song(title, by: [artist]).with { $0.genres = genres }
            }
            try library.scan([
                song("1", "Ann", ["Jazz", "Folk"]), song("2", "Ann", ["Jazz"]), song("3", "Bob", ["Jazz"]), song("4", "Bob", ["Jazz"]),
                song("5", "Cid", ["Folk", "Jazz"]), song("6", "Dee", ["Metal"]), song("7", "Eve", []), song("8", "Fay", ["Folk"]),
                song("9", "Various Artists", ["Jazz", "Folk"]),
            ])
            func related(to name: String) throws -> ItemURI? {
                let artist = try #require(try library.search(SearchQuery(name, kinds: [.artist])).rows.first)
                return try library.details(of: artist.uri).related
            }

            let likeAnn = try #require(try related(to: "ann"))
            // Two shared genres before one; of those with one, the artist with more tracks.
            #expect(try library.titles(in: likeAnn.text) == ["Cid", "Bob", "Fay"])
            #expect(try library.expand(likeAnn, most: 2).map(\.tags.title) == ["5", "3"])
            #expect(try related(to: "eve") == nil)
            let likeDee = try #require(try related(to: "dee"))
            #expect(try library.titles(in: likeDee.text).isEmpty)
        }
    }
}
