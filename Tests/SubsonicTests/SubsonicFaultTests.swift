/// Answers that are wrong: each gets a sentence, and the source goes on.
import BatonCore
import BatonSeams
import Testing

@testable import ServerConnectors

@Suite struct SubsonicFaultTests {
    @Test(arguments: [
        ("huge", SourceFault.Code.tooLarge), ("short", .unavailable), ("loop", .failed), ("page", .failed), ("xml", .failed),
        ("down", .unavailable), ("text", .failed),
    ]) func `a wrong answer is a sentence, and the next question is answered`(kind: String, code: SourceFault.Code) async throws {
        let server = try StandIn()
        let attic = try server.connector()
        try await server.fail("getAlbum", kind, times: kind == "loop" ? 6 : 1)

        let said = await fault { _ = try await attic.rows(.album("al-1")) }

        #expect(said?.code == code && said?.sentence.contains("sesame") == false)
        #expect(try await attic.titles(.album("al-1")) == ["Ferry", "Quay", "Buoy"])
    }

    @Test func `a form is not sent on to another host`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        try await server.fail("getAlbum", "elsewhere")

        let said = await fault { _ = try await attic.rows(.album("al-1")) }

        #expect(said != nil && said?.code != .cancelled)
        #expect(try await server.methods() == ["getAlbum"])
    }

    @Test func `a method that the server lacks is not asked for again`() async throws {
        let server = try StandIn(without: ["getPodcasts", "savePlayQueueByIndex", "savePlayQueue", "startScan"])
        let attic = try server.connector()

        for _ in 0..<3 { #expect(await fault { _ = try await attic.rows(.shelf(.podcasts)) }?.code == .unsupported) }
        _ = await fault { try await attic.rescan() }

        #expect(try await server.methods() == ["getPodcasts", "startScan"])
        #expect(!attic.about.abilities.contains(.rescan) && attic.about.abilities.contains(.browse))
    }

    @Test func `a server that cannot be reached is a sentence without a path`() async throws {
        let attic = try SubsonicConnector.to("http://127.0.0.1:1/hidden")

        let said = await fault { try await attic.check() }

        #expect(said?.code == .unavailable && said?.sentence.contains("hidden") == false)
    }

    @Test func `names that lead out of a folder are names`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        try await server.control(#"{"songs": {"so-1": {"title": "../../etc/passwd", "suffix": "../sh"}}}"#)

        guard case .bytes(let named) = try await attic.resolve(attic.uri(.track("so-1")), trust: .itemsOnly).location else {
            Issue.record("The song has no bytes.")
            return
        }

        #expect(!named.name.contains("/") && named.name.hasSuffix(".wav"))
        #expect(await fault { _ = try await attic.details(of: ItemURI("attic:track/..%2F..")) }?.code == .notFound)
    }
}
