/// What a Chad Music server lists, as the hub shows it, over a real socket.
import BatonCore
import BatonSeams
import ServerConnectors
import Testing

@Suite struct BrowsingTests {
    private let host: ChadHost

    init() throws { host = try ChadHost() }

    @Test(arguments: ["plain", "aliases", "words"])
    func `each shape of the server's answers gives the same rows`(shape: String) async throws {
        try await host.set(["shape": shape])
        let chad = try host.account()

        let shelves = try await chad.rows(nil)
        #expect(shelves.map(\.tags.title) == ["Artists", "Years", "Albums", "Publishers", "Countries", "Genres", "Types", "Statuses"])
        let artists = try await chad.rows("chad:shelf/artist")
        #expect(artists.map(\.tags.title) == ["Kestrel", "Low/Tide", "Ästrid & Co"] && artists.allSatisfy { $0.tags.kind == .artist })
        #expect(try await chad.rows("chad:shelf/year").first?.uri.text == "chad:year/1990")
        let albums = try await chad.rows(artists[2].uri.text)
        #expect(albums.map(\.tags.title) == (0..<8).map { "Harbour \($0 * 3 + 1)" })
        #expect(albums[0].tags.year == 1991 && albums[0].tags.artists == ["Ästrid & Co"] && albums[0].count == 3)
        let track = try #require(try await chad.rows(albums[0].uri.text).last)
        #expect(track.tags.title == "Tone 1.3" && track.tags.track == 3 && track.tags.disc == 1 && track.tags.durationMs == 203_000)
        #expect(track.tags.album == "Harbour 1" && track.tags.year == 1991)
        // An id beyond 2^53, which the server writes as a number, keeps all of its digits.
        #expect(track.uri.text == "chad:track/1152921504606846989/a-1/files/%C3%A4strid%20%26%20co/harbour%201/03%20tone%201.3.flac")
    }

    @Test func `a page deep in a list costs one request, and the last page says that it is the last`() async throws {
        let chad = try host.account()

        let requests = try await host.requests {
            let page = try await chad.browse(BrowseQuery(node: ItemURI("chad:shelf/album"), window: PageWindow(from: 10, limit: 10)))
            #expect(page.rows.map(\.tags.title) == (10..<20).map { "Harbour \($0)" } && page.cursor == "20")
            let last = try await chad.browse(
                BrowseQuery(node: ItemURI("chad:shelf/album"), window: PageWindow(limit: 10, cursor: page.cursor)))
            #expect(last.rows.count == 4 && last.cursor == nil)
        }
        #expect(requests.map(\.path) == ["/api/cat/album?offset=10&limit=10", "/api/cat/album?offset=20&limit=10"])
    }

    @Test func `a server without pages, and without questions for one artist, is browsed all the same`() async throws {
        try await host.set(["pages": "0", "values": "0"])
        let chad = try host.account()

        let page = try await chad.browse(BrowseQuery(node: ItemURI("chad:shelf/album"), window: PageWindow(from: 20, limit: 3)))
        #expect(page.rows.map(\.tags.title) == ["Harbour 20", "Harbour 21", "Harbour 22"] && page.total == 24 && page.cursor == "23")
        let ofOne = try await chad.rows("chad:artist/Kestrel", from: 2, limit: 2)
        #expect(ofOne.map(\.tags.title) == ["Harbour 6", "Harbour 9"])
    }

    @Test func `words are searched among artists, albums and the tracks of albums that were found`() async throws {
        let chad = try host.account()

        let found = try await chad.search(SearchQuery("harbour 2"))
        #expect(
            found.rows.filter { $0.tags.kind == .album }.map(\.tags.title) == [
                "Harbour 2", "Harbour 20", "Harbour 21", "Harbour 22", "Harbour 23",
            ])
        #expect(found.rows.filter { $0.tags.kind == .track }.count == 15)
        #expect(try await chad.search(SearchQuery("kestrel", kinds: [.artist])).rows.map(\.uri.text) == ["chad:artist/Kestrel"])
        #expect(try await chad.search(SearchQuery("no such words")).rows.isEmpty)
    }

    @Test func `an item says more of itself, also after a restart`() async throws {
        let chad = try host.account()
        let track = try #require(try await chad.rows("chad:album/a-4").first)

        let again = try host.account()
        #expect(try await again.details(of: track.uri).row == track)
        let album = try await again.details(of: ItemURI("chad:album/a-4")).row
        #expect(album.tags.title == "Harbour 4" && album.tags.albumArtist == "Ästrid & Co" && album.count == 3)
        #expect(await again.fault { _ = try await $0.details(of: ItemURI("chad:album/none")) }?.code == .notFound)
        #expect(await again.fault { _ = try await $0.details(of: ItemURI("chad:book/1")) }?.code == .notFound)
    }

    @Test func `an album, an artist and all albums are queued in the server's order`() async throws {
        let chad = try host.account()

        let album = try await chad.expand(ItemURI("chad:album/a-2"), trust: .itemsOnly)
        #expect(album.map(\.tags.title) == ["Tone 2.1", "Tone 2.2", "Tone 2.3"])
        let artist = try await chad.expand(ItemURI("chad:artist/Kestrel"), trust: .itemsOnly)
        #expect(artist.count == 24 && artist[3].tags.title == "Tone 3.1")
        #expect(try await chad.expand(ItemURI("chad:shelf/album"), trust: .itemsOnly).count == 72)
        #expect(await chad.fault { _ = try await $0.expand(ItemURI("chad:shelf/genre"), trust: .itemsOnly) }?.code == .unsupported)
    }

    @Test func `a pass for the mirror notes every album where it is browsed, with its tracks`() async throws {
        let chad = try host.account()
        var rows: [MirrorRow] = []
        var cursor: String?
        repeat {
            let page = try await chad.mirror(after: cursor)
            rows += page.rows
            cursor = page.cursor
        } while cursor != nil

        func noted(in container: String) -> [String] {
            rows.filter { $0.container?.text == container }.sorted { $0.position < $1.position }.map(\.row.uri.text)
        }
        #expect(rows.filter { $0.container == nil }.count == 8)
        for container in [
            "chad:shelf/album", "chad:shelf/artist", "chad:artist/Low%2FTide", "chad:genre/Drone", "chad:year/1993", "chad:album/a-7",
        ] {
            let browsed = try await chad.rows(container).map(\.uri.text)
            #expect(noted(in: container) == browsed, "\(container)")
        }
        #expect(await chad.fault { _ = try await $0.mirror(after: "album.-1") }?.code == .badRequest)
    }

    @Test func `an album's picture is had by the album's name`() async throws {
        let chad = try host.account()
        let row = try #require(try await chad.rows("chad:shelf/album", from: 5, limit: 1).first)
        let id = try #require(row.tags.art.flatMap { ArtworkID(text: $0.id) })

        #expect(id.source == "chad")
        guard case .bytes(let bytes) = try await (try host.account()).picture(id.name) else { throw ChadHost.NotThere() }
        #expect(String(decoding: bytes.dropFirst(8), as: UTF8.self) == "/covers/a-5.png")
    }
}
