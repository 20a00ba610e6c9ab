/// Books in the library: what stays the same of them, and where they are found.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

struct LibraryBookTests {
    /// A book of files, each known by its sound.
    private struct Book {
        var title: String
        var folder: String
        var sounds: [UInt64]
        var tags = BookTags()
        var author = "Ursula K. Le Guin"
        var remark: String?

        var names: [String] { sounds.map { "\($0).mp3" } }

        var scanned: ScannedFile {
            var facts = TrackFacts()
            facts.tags = Tags(title: title, artists: [author], durationMs: Milliseconds.seconds(sounds.count))
            facts.tags.kind = .book
            facts.tags.year = 1970
            facts.book = tags
            facts.genres = ["Fantasy"]
            if sounds.count > 1 { facts.parts = names.map { BookPart(name: $0, title: "Part \($0)", lengthUs: 1_000_000) } }
            let files = sounds.map { file($0, .part(Fingerprint(high: $0, low: 1))) }
            return file(sounds[0], .book(facts, of: files, remark: remark))
        }

        private func file(_ sound: UInt64, _ content: ScannedFile.Content) -> ScannedFile {
            ScannedFile(
                folder: folder, name: "\(sound).mp3", stamp: FileStamp(size: 1000, modifiedNs: 1, inode: sound), content: content)
        }
    }

    private static let tombs = Book(
        title: "The Tombs of Atuan", folder: "/books/2", sounds: [21, 22, 23],
        tags: BookTags(series: "Earthsea", number: "2", narrators: ["Rob"]))
    private static let wizard = Book(
        title: "A Wizard", folder: "/books/1", sounds: [11], tags: BookTags(series: "Earthsea", number: "1", narrators: ["Ann"]))
    private static let shore = Book(
        title: "Another Shore", folder: "/books/3", sounds: [31, 32], tags: BookTags(series: "Earthsea", number: "10"))

    private static func scan(_ library: LibraryStore, _ books: [Book], _ songs: [Song] = []) throws {
        let scan = try library.beginScan(atMs: 1)
        try library.store(books.map(\.scanned) + songs.map(\.scanned), in: scan, atMs: 1)
        try library.endScan(scan, below: ["/books", "/music"], ScanReport(), atMs: 1)
    }

    private static func uri(_ library: LibraryStore, _ title: String) throws -> ItemURI {
        try #require(try library.search(SearchQuery(title, kinds: [.book])).rows.first).uri
    }

    private static func titles(_ library: LibraryStore, in kind: ItemKind, _ name: String) throws -> [String] {
        let node = try #require(try library.search(SearchQuery(name, kinds: [kind])).rows.first)
        return try library.titles(in: node.uri.text)
    }

    @Test func `a book is one row with all that is known of it`() throws {
        try withLibrary { library in
            try Self.scan(library, [Self.tombs])
            let row = try #require(try library.browse(BrowseQuery(node: ItemURI("lib:shelf/books"))).rows.first)
            #expect(row.tags.kind == .book && row.tags.artists == ["Ursula K. Le Guin"] && row.tags.durationMs == 3000)
            #expect(row.book == Self.tombs.tags)
            #expect(try library.expand(row.uri, most: 9).map(\.tags.kind) == [.book])
            let place = try library.location(of: row.uri)
            #expect(place.parts.map(\.name) == [21, 22, 23].map { "/books/2/\($0).mp3" })
            #expect(try library.track(atPath: "/books/2/23.mp3") == row.uri)
        }
    }

    @Test func `folders of discs are known by the book around them, while they hold files`() throws {
        try withLibrary { library in
            let discs = ["CD1", "CD2", "CD2/more"].enumerated().map { number, disc in
                Book(title: disc, folder: "/books/2/" + disc, sounds: [UInt64(number + 51)])
            }
            try Self.scan(library, discs + [Self.wizard])
            #expect(try library.knownFolders(in: "/books/2").sorted() == ["CD1", "CD2"])
            try library.noteGone("/books/2/CD1")
            #expect(try library.knownFolders(in: "/books/2/") == ["CD2"])
            #expect(try library.knownFolders(in: "/books/1").isEmpty)
        }
    }

    /// BT-NXT-001
    @Test func `the book that follows is the next one of the series that is there`() throws {
        try withLibrary { library in
            let loose = Book(title: "Loose", folder: "/books/4", sounds: [41])
            try Self.scan(library, [Self.shore, Self.tombs, Self.wizard, loose])
            func following(_ title: String) throws -> String? { try library.following(Self.uri(library, title))?.tags.title }
            #expect(try following("A Wizard") == "The Tombs of Atuan")
            #expect(try following("The Tombs of Atuan") == "Another Shore")
            #expect(try following("Another Shore") == nil && following("Loose") == nil)
            #expect(try library.following(ItemURI("lib:track/none")) == nil && library.following(ItemURI("lib:album/1")) == nil)
            try Self.scan(library, [Self.shore, Self.wizard])
            #expect(try following("A Wizard") == "Another Shore", "one that is not there any more is passed over")
        }
    }

    @Test func `series, authors and narrators hold their books, series in the order of their numbers`() throws {
        try withLibrary { library in
            try Self.scan(library, [Self.shore, Self.tombs, Self.wizard])
            let inOrder = ["A Wizard", "The Tombs of Atuan", "Another Shore"]
            #expect(try Self.titles(library, in: .series, "earthsea") == inOrder)
            #expect(try Self.titles(library, in: .author, "le guin") == inOrder)
            #expect(try Self.titles(library, in: .narrator, "rob") == ["The Tombs of Atuan"])
            let series = try #require(try library.search(SearchQuery("earth", kinds: [.series])).rows.first)
            #expect(series.count == 3)
            #expect(try library.expand(series.uri, most: 9).map(\.tags.title) == inOrder)
            #expect(try library.search(SearchQuery("earthsea tombs")).rows.map(\.tags.title) == ["The Tombs of Atuan"])
            let shelves = try library.browse(BrowseQuery()).rows.map(\.tags.title)
            #expect(Set(["Books", "Series", "Authors", "Narrators"]).isSubset(of: shelves))
        }
    }

    @Test func `no list of music has a book in it`() throws {
        try withLibrary { library in
            try Self.scan(library, [Self.tombs, Self.wizard], [Song("Help!", by: ["The Beatles"], on: "Help!")])
            #expect(library.libraryCounts().tracks == 1)
            // A page of it is drawn from all of them, and says so.
            #expect(try library.browse(BrowseQuery(node: ItemURI("lib:shelf/random"))).total == 1)
            let fault = #expect(throws: SourceFault.self) { try library.browse(BrowseQuery(node: ItemURI("lib:shelf/nowhere"))) }
            #expect(fault?.sentence == "The library has no shelf “nowhere”.")
            for shelf in ["tracks", "added", "random"] { #expect(try library.titles(in: "lib:shelf/" + shelf) == ["Help!"]) }
            #expect(try library.titles(in: "lib:shelf/artists") == ["The Beatles"])
            for shelf in ["genres", "years"] { #expect(try library.titles(in: "lib:shelf/" + shelf).isEmpty) }
            #expect(try library.titles("tombs").isEmpty)
            for sort in BrowseQuery.Sort.allCases {
                #expect(try library.titles(in: "lib:shelf/tracks", sort: sort) == ["Help!"])
                #expect(try library.titles(in: "lib:shelf/books", sort: sort).count == 2)
            }
        }
    }

    @Test func `a book stays the same while one of its files is there`() throws {
        try withLibrary { library in
            try Self.scan(library, [Self.tombs])
            let before = try Self.uri(library, "tombs")
            var book = Self.tombs
            // One in front, one gone, the one that bore it gone, renamed with its folder.
            for sounds: [UInt64] in [[20, 21, 22, 23], [20, 21, 23], [20, 23], [23, 24], [24]] {
                book.sounds = sounds
                try Self.scan(library, [book])
                #expect(try Self.uri(library, "tombs") == before, "\(sounds)")
                #expect(try library.details(of: before).row.tags.durationMs == Milliseconds.seconds(sounds.count))
            }
            book.folder = "/books/elsewhere"
            try Self.scan(library, [book])
            #expect(try Self.uri(library, "tombs") == before)
            #expect(try library.browse(BrowseQuery(node: ItemURI("lib:shelf/books"))).rows.count == 1)
        }
    }

    @Test func `the file that bore a book may come back as a track of its own`() throws {
        try withLibrary { library in
            try Self.scan(library, [Self.tombs])
            let before = try Self.uri(library, "tombs")
            var book = Self.tombs
            book.sounds = [22, 23]
            try Self.scan(library, [book])
            let song = Song("Song", sound: 21)
            try Self.scan(library, [book], [song])
            #expect(try Self.uri(library, "tombs") == before)
            #expect(try library.uri("Song") != before)
        }
    }

    @Test func `another book in the same folder is another`() throws {
        try withLibrary { library in
            try Self.scan(library, [Self.tombs])
            let before = try Self.uri(library, "tombs")
            var other = Self.tombs
            (other.title, other.sounds) = ("Tehanu", [41, 42])
            try Self.scan(library, [other])
            #expect(try Self.uri(library, "tehanu") != before)
            #expect(try library.search(SearchQuery("tombs")).rows.isEmpty)
        }
    }

    @Test func `marks stay when tracks become a book, and when a book becomes tracks`() throws {
        try withLibrary { library in
            let songs = ([21, 22, 23] as [UInt64]).map { sound in
                var song = Song("Song \(sound)", in: "/books/2", sound: sound)
                song.name = "\(sound).mp3"
                return song
            }
            try Self.scan(library, [], songs)
            let track = try #require(try library.uri("Song 21"))
            _ = try library.setFavourite(NewEntry(uri: track, tags: Tags(title: "Song 21")), true, atMs: 5)
            try Self.scan(library, [Self.tombs])
            #expect(try Self.uri(library, "tombs") == track)
            #expect(try library.details(of: track).row.mark.isFavourite)
            #expect(library.libraryCounts().tracks == 0)
            try Self.scan(library, [], songs)
            #expect(try library.titles(in: "lib:shelf/tracks") == ["Song 21", "Song 22", "Song 23"])
            #expect(try library.titles(in: "lib:shelf/books").isEmpty)
            #expect(try library.details(of: track).row.mark.isFavourite)
        }
    }

    @Test func `when a file of a book goes, the others are read again`() throws {
        try withLibrary { library in
            try Self.scan(library, [Self.tombs])
            try library.noteGone("/books/2/22.mp3")
            let known = try #require(try library.known(in: ["/books/2"]).first)
            #expect(known.keys.sorted() == ["21.mp3", "23.mp3"] && known.values.allSatisfy { $0.stamp.modifiedNs == -1 })
        }
    }

    @Test func `what is wrong with a book is in each report until it is mended`() throws {
        try withLibrary { library in
            var book = Self.tombs
            let remark = "“The Tombs of Atuan” has gaps."
            book.remark = remark
            try Self.scan(library, [book])
            #expect(try library.lastReport()?.problems == [remark])
            let again = try library.beginScan(atMs: 2)
            let known = try #require(try library.known(in: ["/books/2"]).first)
            try library.noteSeen(known.values.map(\.id), in: again)
            try library.endScan(again, below: ["/books"], ScanReport(), atMs: 2)
            #expect(try library.lastReport()?.problems == [remark])
            try Self.scan(library, [Self.tombs])
            #expect(try library.lastReport()?.problems == [])
        }
    }

    @Test func `a folder says what it holds`() throws {
        try withLibrary { library in
            let isNew = try library.setFolder("/books", isWanted: true, holds: .books)
            #expect(isNew)
            #expect(try library.folders() == [LibraryFolder(path: "/books", holds: .books)])
            #expect(try !library.setFolder("/books", isWanted: true))
            #expect(try library.setFolder("/books", isWanted: true, holds: .music))
            #expect(try library.setFolder("/books", isWanted: true, holds: .books))
            #expect(try library.setFolder("/books", isWanted: false))
            #expect(try library.setFolder("/books", isWanted: true))
            #expect(try library.folders() == [LibraryFolder(path: "/books")])
        }
    }
}
