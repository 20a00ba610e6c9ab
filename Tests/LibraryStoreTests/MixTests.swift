/// Mixes: tracks that follow from what a person has heard and marked.
import BatonCore
import BatonSeams
import Testing

@testable import Stores

@Suite struct `Mixes are places of the library` {
    private let anna = Person("@anna")
    private let room = RoomID("living")
    private static let dayMs: Milliseconds = 86_400_000
    private var nowMs: Milliseconds { Clock.system.wallMs }

    private static func song(_ title: String, _ genre: String) -> Song { Song(title, by: ["Ann"]).with { $0.genres = [genre] } }
    private let songs = [song("One", "Jazz"), song("Two", "Jazz"), song("Three", "Rock"), song("Four", "Folk")]

    private func entry(_ library: LibraryStore, _ title: String) throws -> NewEntry {
        NewEntry(uri: try #require(try library.uri(title)), tags: Tags(title: title))
    }

    /// Titles that are shown; the same tracks play.
    private func titles(_ library: LibraryStore, _ mix: LibraryMix) throws -> [String] {
        let page = try library.browse(BrowseQuery(node: mix.uri))
        #expect(try library.expand(mix.uri, most: 100).map(\.uri) == page.rows.map(\.uri) && page.total == page.rows.count)
        return page.rows.map(\.tags.title).sorted()
    }

    @Test func `favourites that were not heard for long, and what was never heard`() throws {
        try withLibrary { library in
            try library.scan(songs)
            for title in ["One", "Two", "Three"] { _ = try library.setFavourite(try entry(library, title), true, atMs: 1) }
            try library.notePlayed(try entry(library, "Two"), room: room, atMs: nowMs - Self.dayMs * 91)
            try library.notePlayed(try entry(library, "Three"), room: room, atMs: nowMs - Self.dayMs * 89)

            #expect(try titles(library, .unheard) == ["One", "Two"])
            #expect(try titles(library, .never) == ["Four", "One"])
        }
    }

    @Test func `more of the genres of the last seven days, and nothing where none was heard`() throws {
        try withLibrary { library in
            try library.scan(songs)
            #expect(try titles(library, .week).isEmpty)
            try library.notePlayed(try entry(library, "Three"), room: room, atMs: nowMs - Self.dayMs * 8)
            try library.notePlayed(try entry(library, "One"), room: room, atMs: nowMs - Self.dayMs * 6)
            #expect(try titles(library, .week) == ["One", "Two"])
        }
    }

    @Test func `a user's mixes follow from what that user has heard`() throws {
        try withLibrary { library in
            try library.scan(songs)
            let (one, four) = (try entry(library, "One"), try entry(library, "Four"))
            _ = try library.setFavourite(four, true, of: anna, atMs: 1)
            try library.notePlayed(one, by: anna, room: room, atMs: nowMs)
            func mix(_ mix: LibraryMix) throws -> [String] { try library.rows(of: mix, for: anna).map(\.tags.title).sorted() }

            #expect(try mix(.unheard) == ["Four"] && mix(.never) == ["Four", "Three", "Two"] && mix(.week) == ["One", "Two"])
            #expect(try titles(library, .never).count == 4 && titles(library, .unheard).isEmpty && titles(library, .week).isEmpty)
        }
    }

    @Test func `albums that are like what was heard last, those that share more genres first`() throws {
        func song(_ title: String, _ album: String, _ genres: String...) -> Song {
            Song(title, by: [title], on: album).with { facts in
                facts.genres = genres
                facts.tags.albumArtist = title
            }
        }
        try withLibrary { library in
            try library.scan([
                song("A", "Heard", "Jazz", "Soul"), song("B", "Both", "Soul", "Jazz"), song("C", "One", "Jazz"), song("D", "None", "Folk"),
                song("E", "", "Jazz"),
            ])
            #expect(try library.browse(BrowseQuery(node: LibraryMix.similar.uri)).rows.isEmpty)
            try library.notePlayed(try entry(library, "A"), room: room, atMs: 1)
            #expect(try library.browse(BrowseQuery(node: LibraryMix.similar.uri)).rows.map(\.tags.title) == ["Both", "One"])
            #expect(try library.expand(LibraryMix.similar.uri, most: 9).map(\.tags.title) == ["B", "C"])
            #expect(try library.rows(of: .similar, for: anna).isEmpty)
        }
    }

    @Test func `each says what it is, comes in pages, and has no more than a hundred tracks`() throws {
        try withLibrary { library in
            try library.scan((0..<150).map { Song("Song \($0)", by: ["Ann"]) })
            for mix in LibraryMix.allCases {
                let details = try library.details(of: mix.uri)
                #expect(!details.row.tags.title.isEmpty && details.about?.hasSuffix(".") == true && details.row.uri == mix.uri)
            }
            let all = try library.browse(BrowseQuery(node: LibraryMix.never.uri))
            #expect(all.rows.count == 100 && all.rows.map(\.tags.title) != all.rows.map(\.tags.title).sorted())
            let page = try library.browse(BrowseQuery(node: LibraryMix.never.uri, window: PageWindow(limit: 60)))
            let rest = try library.browse(BrowseQuery(node: LibraryMix.never.uri, window: PageWindow(limit: 60, cursor: page.cursor)))
            #expect(page.rows + rest.rows == all.rows && rest.cursor == nil)
            #expect(sourceFault { _ = try library.browse(BrowseQuery(node: ItemURI("lib:mix/other"))) }?.code == .notFound)
        }
    }
}
