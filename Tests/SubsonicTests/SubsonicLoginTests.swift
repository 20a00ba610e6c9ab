/// Login at a server that takes tokens, keys and passwords in every combination; what stays out of URLs and sentences.
import BatonSeams
import Testing

@testable import ServerConnectors

@Suite struct SubsonicLoginTests {
    @Test func `a token goes into the body where the server takes forms, below the path of the account`() async throws {
        let server = try StandIn(base: "/music", accepts: "token")
        let memory = Notes()
        let attic = try server.connector(memory: memory)

        try await attic.check()
        _ = try await attic.rows(.shelf(.albums))

        let seen = try await server.seen()
        #expect(seen.map(\.method) == ["getOpenSubsonicExtensions", "ping", "getAlbumList2"])
        #expect(seen.dropFirst().allSatisfy { $0.verb == "POST" && $0.query.isEmpty && $0.ask["t"] != nil && $0.ask["p"] == nil })
        #expect(!memory.all.contains("sesame"))
    }

    @Test func `an API key is sent without a user`() async throws {
        let server = try StandIn(accepts: "apiKey")

        try await server.connector(SourceSecrets(apiKey: "key-4711")).check()

        let asked = try await server.seen().last?.ask
        #expect(asked?["apiKey"] == ["key-4711"] && asked?["u"] == nil && asked?["t"] == nil)
    }

    @Test(arguments: [10, 41, 42]) func `a server without tokens gets the password, and this is remembered`(refusal: Int) async throws {
        let server = try StandIn(accepts: "plain", refusal: refusal, without: ["formPost"])
        let memory = Notes()

        try await server.connector(memory: memory).check()
        try await server.connector(memory: memory).check()

        let pings = try await server.seen().filter { $0.method == "ping" }
        #expect(pings.map { $0.ask["t"] != nil } == [true, false, false])
        #expect(pings.last?.ask["p"] == ["enc:736573616d65"] && pings.last?.verb == "GET")
    }

    @Test func `a wrong password is shown once, and no sentence repeats it`() async throws {
        let server = try StandIn()

        let wrong = await fault { try await server.connector(SourceSecrets(user: "bob", password: "sesame")).check() }
        let key = await fault { try await server.connector(SourceSecrets(user: "ada", password: "sesame", apiKey: "key-1")).check() }

        #expect(wrong?.code == .forbidden && wrong?.sentence == "The server “Attic” does not accept the user name or the password.")
        #expect(key?.code == .forbidden && key?.sentence.contains("key-1") == false)
        #expect(try await server.methods() == ["ping", "ping"])
    }

    @Test func `what was remembered of one address says nothing of another`() async throws {
        let first = try StandIn(accepts: "plain")
        let second = try StandIn(accepts: "token")
        let memory = Notes()

        try await first.connector(memory: memory).check()
        try await second.connector(memory: memory).check()

        #expect(try await second.seen().filter { $0.method == "ping" }.allSatisfy { $0.ask["p"] == nil })
    }

    @Test(arguments: ["ftp://host", "http://", "http://user:word@host", "http://host:0", "http://host?x", "host"])
    func `an address that is none is refused with a sentence`(url: String) throws {
        #expect(throws: SourceFault.self) { try SubsonicConnector.to(url) }
    }

    @Test func `an account without secrets is told what it lacks`() {
        #expect(SubsonicKind.missing(SourceSecrets()) != nil)
        #expect(SubsonicKind.missing(SourceSecrets(user: "ada")) != nil)
        #expect(SubsonicKind.missing(SourceSecrets(apiKey: "key")) == nil)
    }
}
