/// What is told to the server, and how a list that was changed there meanwhile is left alone.
import BatonCore
import BatonSeams
import Testing

@testable import ServerConnectors

@Suite struct SubsonicWriteTests {
    private static let moment: Milliseconds = 1_795_403_076_123

    @Test func `favourites, stars and plays reach the server, and it shows them`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let items = [SubsonicItem.track("so-1"), .album("al-1"), .artist("ar-1")].map { attic.uri($0) }
        let notes: [WriteBack] =
            items.map { .favourite($0, true) } + items.map { .stars($0, 4) } + [
                .played(items[0], atMs: Self.moment), .nowPlaying(items[0]),
            ]

        for note in notes.dropLast() { #expect(try await attic.hasReached(note, atMs: Self.moment) == false) }
        for note in notes { try await attic.writeBack(note, atMs: Self.moment) }
        for note in notes.dropLast() { #expect(try await attic.hasReached(note, atMs: Self.moment) == true) }

        #expect(try await attic.hasReached(notes[7], atMs: Self.moment) == nil)
        #expect(try await attic.titles(.shelf(.starred)) == ["Ines Vale", "North Light", "Ferry"])
        let mark = try await attic.details(of: items[0]).row.mark
        #expect(mark == ItemMark(isFavourite: true, stars: 4, plays: 1, lastPlayedMs: Self.moment))
        let asked = try await server.seen().filter { $0.method == "scrobble" }.map(\.ask)
        #expect(asked.map { $0["time"] } == [["1795403076123"], nil] && asked.map { $0["submission"] } == [["true"], ["false"]])
        try await attic.writeBack(.favourite(items[1], false), atMs: Self.moment)
        try await attic.writeBack(.stars(items[1], 0), atMs: Self.moment)
        #expect(try await attic.titles(.shelf(.starred)) == ["Ines Vale", "Ferry"])
    }

    @Test func `a play whose answer was lost is seen at the server`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let note = WriteBack.played(attic.uri(.track("so-1")), atMs: Self.moment)
        try await attic.check()
        try await server.fail("scrobble", "drop")

        let lost = await fault { try await attic.writeBack(note, atMs: Self.moment) }

        #expect(lost?.code == .unavailable && lost?.isUntaken == false)
        #expect(try await attic.details(of: attic.uri(.track("so-1"))).row.mark.plays == 1)
        #expect(try await attic.hasReached(note, atMs: Self.moment) == true)
    }

    @Test func `a server that is busy or away has not taken a play`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let note = WriteBack.played(attic.uri(.track("so-1")), atMs: Self.moment)
        try await server.fail("scrobble", "busy")

        let busy = await fault { try await attic.writeBack(note, atMs: Self.moment) }
        let away = await fault { try await SubsonicConnector.to("http://127.0.0.1:1").writeBack(note, atMs: Self.moment) }

        #expect(busy?.code == .unavailable && busy?.isUntaken == true && busy?.retryAfterMs == 1_000)
        #expect(away?.code == .unavailable && away?.isUntaken == true)
        #expect(try await attic.details(of: attic.uri(.track("so-1"))).row.mark.plays == 0)
    }

    @Test func `a playlist is created, edited and deleted, whatever its id looks like`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let songs = (1...6).map { attic.uri(.track("so-\($0)")) }
        func titles(_ list: ItemURI) async throws -> [String] { try await attic.browse(BrowseQuery(node: list)).rows.map(\.tags.title) }

        let list = try await attic.edit(
            SourceListEdit(list: nil, [.create(name: "Sea"), .insert(Array(songs[0..<3]), at: 0), .describe("Salt")]))
        #expect(list.text == "attic:playlist/9007199254740994")
        #expect(try await titles(list) == ["Ferry", "Quay", "Buoy"])
        for (change, after) in [
            (.insert([songs[3]], at: 99), ["Ferry", "Quay", "Buoy", "Moss"]), (.move(from: 3, to: 0), ["Moss", "Ferry", "Quay", "Buoy"]),
            (.remove([1, 3]), ["Moss", "Quay"]), (.insert([songs[4]], at: 1), ["Moss", "Fern", "Quay"]),
            (.rename("Shore"), ["Moss", "Fern", "Quay"]),
        ] as [(SourceListEdit.Change, [String])] {
            let base = try await attic.browse(BrowseQuery(node: list)).version
            _ = try await attic.edit(SourceListEdit(list: list, base: base, [change]))
            #expect(try await titles(list) == after)
        }
        #expect(try await attic.titles(.shelf(.playlists)) == ["Shore"])
        _ = try await attic.edit(SourceListEdit(list: list, [.delete]))
        #expect(try await attic.titles(.shelf(.playlists)).isEmpty)
    }

    @Test func `a list that was changed at the server meanwhile is left alone`() async throws {
        let server = try StandIn()
        let (attic, other) = (try server.connector(), try server.connector())
        let list = try await attic.edit(SourceListEdit(list: nil, [.create(name: "Sea"), .insert([attic.uri(.track("so-1"))], at: 0)]))
        let seen = try await attic.browse(BrowseQuery(node: list)).version

        _ = try await other.edit(SourceListEdit(list: list, [.insert([attic.uri(.track("so-2"))], at: 9)]))
        let refused = await fault { _ = try await attic.edit(SourceListEdit(list: list, base: seen, [.remove([0])])) }

        #expect(refused?.code == .conflict)
        #expect(try await attic.browse(BrowseQuery(node: list)).rows.map(\.tags.title) == ["Ferry", "Quay"])
    }

    @Test func `a playlist that contains itself is a list of its songs`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        try await server.control(#"{"lists": {"Loop": {"name": "Loop", "songs": ["so-1"]}}}"#)

        #expect(try await attic.expand(attic.uri(.playlist("Loop")), trust: .itemsOnly).map(\.tags.title) == ["Ferry"])
    }

    @Test func `stations are created, renamed and deleted`() async throws {
        let server = try StandIn()
        let attic = try server.connector()

        let station = try await attic.edit(
            SourceListEdit(list: attic.uri(.shelf(.stations)), [.create(name: "One"), .insert([ItemURI("https://example.org/a")], at: 0)]))
        _ = try await attic.edit(SourceListEdit(list: station, [.rename("Two")]))
        #expect(try await attic.titles(.shelf(.stations)) == ["Two"])
        _ = try await attic.edit(SourceListEdit(list: station, [.delete]))

        #expect(try await attic.titles(.shelf(.stations)).isEmpty)
    }

    @Test(arguments: [[], ["indexBasedQueue"]]) func `the queue is saved and found again, in both ways that servers have`(
        without: [String]
    ) async throws {
        let server = try StandIn(without: without)
        let attic = try server.connector()
        let items = [attic.uri(.track("so-1")), ItemURI("lib:track/1"), attic.uri(.track("so-3"))]
        #expect(try await attic.savedQueue() == nil)

        try await attic.writeBack(.queue(items, current: items[2], ms: 133_000), atMs: 0)
        let saved = try await attic.savedQueue()

        #expect(saved?.entries.map(\.tags.title) == ["Ferry", "Buoy"] && saved?.current == 1 && saved?.positionMs == 133_000)
        #expect(saved?.savedBy == "Phone" && saved?.savedAtMs == 1_770_091_506_789)
        #expect(try await server.methods().contains("savePlayQueue") == !without.isEmpty)
        try await attic.writeBack(.queue([], current: nil, ms: 0), atMs: 0)
        #expect(try await attic.savedQueue() == nil)
    }
}
