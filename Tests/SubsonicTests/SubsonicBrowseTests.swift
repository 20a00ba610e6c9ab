/// Shelves, search, words and pictures of the OpenSubsonic stand-in.
import BatonCore
import BatonSeams
import Testing

@testable import ServerConnectors

@Suite struct SubsonicBrowseTests {
    @Test func `a page anywhere costs one request, and none when it is looked at again`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let window = PageWindow(from: 1, limit: 1)

        let page = try await attic.browse(BrowseQuery(node: attic.uri(.shelf(.albums)), window: window))
        let again = try await attic.browse(BrowseQuery(node: attic.uri(.shelf(.albums)), window: window))
        let next = try await attic.browse(BrowseQuery(node: attic.uri(.shelf(.albums)), window: PageWindow(limit: 1, cursor: page.cursor)))

        #expect(page.rows.map(\.tags.title) == ["North Light"] && again == page && next.rows.map(\.tags.title) == ["Second Nature"])
        #expect(try await server.methods() == ["getAlbumList2", "getAlbumList2"])
    }

    @Test func `all shelves show what the server has`() async throws {
        let server = try StandIn()
        let attic = try server.connector()

        #expect(try await attic.rows(nil).count == SubsonicItem.Shelf.allCases.count)
        #expect(try await attic.titles(.shelf(.artists)) == ["Ines Vale", "The Wirewalkers"])
        #expect(try await attic.titles(.shelf(.letters)) == ["I", "W"])
        #expect(try await attic.titles(.letter("W")) == ["The Wirewalkers"])
        #expect(try await attic.titles(.artist("ar-1")) == ["North Light", "Second Nature", "Top songs"])
        #expect(try await attic.titles(.top("ar-1")) == ["Ferry", "Quay"])
        #expect(try await attic.titles(.album("al-2")) == ["Moss", "Fern"])
        #expect(try await attic.titles(.shelf(.genres)) == ["Folk", "Rock"])
        #expect(try await attic.titles(.genre("Rock")) == ["Copper"])
        #expect(try await attic.titles(.shelf(.years)).first == "2020–2029")
        #expect(try await attic.titles(.decade(1990)) == ["Second Nature"])
        #expect(try await attic.titles(.shelf(.newest)).count == 3)
        #expect(try await attic.titles(.shelf(.random)).count == 7)
        #expect(try await attic.titles(.shelf(.starred)).isEmpty)
        #expect(try await attic.titles(.shelf(.folders)) == ["Music"])
        #expect(try await attic.titles(.root("1")) == ["Ines Vale"])
        #expect(try await attic.titles(.shelf(.podcasts)) == ["Field Notes"])
        #expect(try await attic.rows(.podcast("po-1")).map(\.isAway) == [false, true])
    }

    @Test func `a song brings along what is known of it`() async throws {
        let server = try StandIn()
        let attic = try server.connector()

        let details = try await attic.details(of: attic.uri(.track("so-1")))
        let tags = details.row.tags

        #expect(
            tags.title == "Ferry" && tags.artists == ["Ines Vale"] && tags.album == "North Light" && tags.track == 1 && tags.year == 1987)
        #expect(tags.durationMs == 4_000 && tags.art?.id == "attic:al-1")
        #expect(details.similar == attic.uri(.similar("so-1")))
        #expect(try await attic.details(of: attic.uri(.artist("ar-1"))).about == "About ar-1.")
        let artist = try await attic.details(of: attic.uri(.artist("ar-1")))
        #expect(artist.top == attic.uri(.top("ar-1")) && artist.related == attic.uri(.related("ar-1")))
        #expect(try await attic.titles(.related("ar-1")) == ["The Wirewalkers"])
        #expect(details.genres == ["Folk"] && details.gain == ReplayGain(track: -350, trackPeak: 900_000))
        #expect(details.format == SoundFormat(codec: "wav", rate: 8_000, bits: 16, channels: 1))
    }

    @Test func `a search pages through artists, albums and songs`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        var found: [ItemRow] = []
        var window = PageWindow(limit: 2)
        for _ in 0..<20 {
            let page = try await attic.search(SearchQuery("e", window: window))
            found += page.rows
            guard let cursor = page.cursor else { break }
            window.cursor = cursor
        }

        #expect(Set(found.map(\.uri)).count == found.count)
        #expect(Set(found.map(\.tags.kind)) == [.artist, .album, .track])
        #expect(
            Set(found.map(\.tags.title)).isSuperset(of: ["Ines Vale", "The Wirewalkers", "Second Nature", "Copper", "Ferry", "Fern", "Ore"])
        )
        #expect(try await attic.search(SearchQuery("ferry", kinds: [.track])).rows.map(\.tags.title) == ["Ferry"])
    }

    @Test func `a folder that stands in itself is read once`() async throws {
        let server = try StandIn()
        let attic = try server.connector()

        let entries = try await attic.expand(attic.uri(.folder("di-1")), trust: .itemsOnly)

        #expect(entries.map(\.tags.title) == ["Ferry", "Quay", "Ferry", "Quay"])
        #expect(try await server.methods().filter { $0 == "getMusicDirectory" }.count == 2)
    }

    @Test func `words come with their moments where the server has them, else plain`() async throws {
        let server = try StandIn()
        let attic = try server.connector()

        let timed = try await attic.lyrics(of: attic.uri(.track("so-1")))
        let plain = try await attic.lyrics(of: attic.uri(.track("so-2")))

        #expect(timed?.lines == [Lyrics.Line(atMs: 1_000, text: "The ferry leaves"), Lyrics.Line(atMs: 2_500, text: "at four")])
        #expect(plain?.lines.map(\.text) == ["One line", "Another line"] && plain?.isTimed == false)
    }

    @Test func `a picture is asked for in the size of a screen`() async throws {
        let server = try StandIn()
        let attic = try server.connector()

        guard case .bytes(let bytes) = try await attic.picture("al-1") else {
            Issue.record("The picture has no bytes.")
            return
        }

        #expect(bytes.starts(with: [0x89, 0x50]))
        #expect(try await server.seen().last?.ask["size"] == ["1200"])
        #expect(await fault { _ = try await attic.picture("none") }?.code == .notFound)
    }

    @Test(arguments: [[], ["getSimilarSongs2"]]) func `songs that are like one come from the server, or from its genre`(without: [String])
        async throws
    {
        let server = try StandIn(without: without)
        let attic = try server.connector()

        let similar = try await attic.similar(to: attic.uri(.track("so-1")), count: 3)

        #expect(similar.count == 3 && !similar.contains { $0.tags.title == "Ferry" })
        #expect(try await server.methods().contains("getRandomSongs") == !without.isEmpty)
    }

    @Test(arguments: [[], ["emptySearch"]]) func `a pass over everything finds every song in its album`(without: [String]) async throws {
        let server = try StandIn(without: without)
        let attic = try server.connector()
        try await server.control(#"{"lists": {"li-1": {"songs": ["so-2", "so-1"]}}}"#)
        var rows: [MirrorRow] = []
        var cursor: String?
        repeat {
            let page = try await attic.mirror(after: cursor)
            rows += page.rows
            cursor = page.cursor
        } while cursor != nil

        func titles(_ item: SubsonicItem) -> [String] {
            rows.filter { $0.container == attic.uri(item) }.sorted { $0.position < $1.position }.map(\.row.tags.title)
        }
        #expect(titles(.album("al-1")) == ["Ferry", "Quay", "Buoy"] && titles(.album("al-3")) == ["Ore", "Alloy"])
        #expect(titles(.shelf(.albums)) == ["Copper", "North Light", "Second Nature"])
        #expect(titles(.artist("ar-1")) == ["North Light", "Second Nature"])
        #expect(titles(.playlist("li-1")) == ["Quay", "Ferry"])
        // Every shelf that the server answers at once, and what is on it.
        #expect(Set(titles(.shelf(.newest))) == Set(titles(.shelf(.albums))))
        let letters = titles(.shelf(.letters))
        #expect(!letters.isEmpty && letters.allSatisfy { !titles(.letter($0)).isEmpty })
        #expect(titles(.shelf(.genres)).allSatisfy { !titles(.genre($0)).isEmpty })
        let decades = rows.filter { $0.container == attic.uri(.shelf(.years)) }.map(\.row.uri)
        #expect(!decades.isEmpty && decades.allSatisfy { decade in rows.contains { $0.container == decade } })
        let counts = rows.filter { $0.container == nil && $0.row.tags.kind == .shelf }.map { ($0.row.uri, $0.row.count) }
        #expect(counts.first { $0.0 == attic.uri(.shelf(.folders)) }?.1 == nil)
        #expect(counts.first { $0.0 == attic.uri(.shelf(.playlists)) }?.1 == 1)
        #expect(rows.filter { $0.container == nil }.count == SubsonicItem.Shelf.allCases.count)
    }
}
