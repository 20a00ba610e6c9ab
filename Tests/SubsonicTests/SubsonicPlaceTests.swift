/// Bookmarks as places in spoken items.
import BatonCore
import BatonSeams
import Testing

@testable import ServerConnectors

@Suite struct SubsonicPlaceTests {
    @Test func `a bookmark is read and written as a place, and one that was finished is taken away`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let uri = attic.uri(.episode(podcast: "po-1", id: "ep-1"))
        func note(_ ms: Milliseconds, finished: Bool = false, over: ServerPlace? = nil) -> WriteBack {
            .progress(ServerPlaceNote(uri, ServerPlace(positionMs: ms, isFinished: finished), state: .paused, on: "Den", over: over))
        }
        #expect(try await attic.place(of: uri) == nil)
        try await attic.writeBack(note(21_500), atMs: 0)

        let there = try #require(try await attic.place(of: uri))
        #expect(there.positionMs == 21_500 && there.atMs != nil)
        #expect(try await attic.hasReached(note(21_500), atMs: 0) == true)
        try await attic.writeBack(note(60_000, finished: true, over: there), atMs: 0)
        #expect(try await attic.place(of: uri) == nil)
    }

    @Test func `bookmarks of songs are places, with their times by this hub's clock, however wrong the server's is`() async throws {
        let server = try StandIn()
        try await server.control(#"{"ahead": 86400}"#)
        let attic = try server.connector()
        let uri = attic.uri(.track("so-7"))
        #expect(try await attic.places().isEmpty)
        let before = Clock.system.wallMs
        try await attic.writeBack(.progress(ServerPlaceNote(uri, ServerPlace(positionMs: 31_000), state: .paused, on: "Den")), atMs: 0)
        let places = try await attic.places()
        #expect(places.keys.map(\.text) == [uri.text] && places[uri]?.positionMs == 31_000)
        // A day is told from what a slow machine needs between the two requests.
        #expect((try #require(places[uri]?.atMs) - before).magnitude < 3_600_000)
        #expect(try await attic.place(of: uri)?.positionMs == 31_000)
    }

    @Test func `episodes are episodes, so they are gone on with at their place`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let page = try await attic.browse(BrowseQuery(node: attic.uri(.podcast("po-1"))))
        #expect(page.rows.allSatisfy { $0.tags.kind == .episode } && attic.about.abilities.contains(.progress))
        // The server ends with its last use.
        #expect(try await server.seen().contains { $0.method == "getPodcasts" })
    }
}
