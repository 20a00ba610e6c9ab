/// What a Chad Music server may do wrong, and what people may do with an account.
import BatonCore
import BatonSeams
import Harness
import ServerConnectors
import Synchronization
import Testing

@Suite struct TroubleTests {
    private let host: ChadHost

    init() throws { host = try ChadHost() }

    @Test(arguments: [
        ("huge", SourceFault.Code.tooLarge), ("redirects", .failed), ("status501", .unavailable), ("status410", .gone),
        ("status429", .unavailable), ("status403", .forbidden), ("nested", .failed), ("missing", .failed), ("json", .failed),
        ("elsewhere", .forbidden),
    ])
    func `a list that cannot be had is a sentence, and the source goes on`(fault: String, code: SourceFault.Code) async throws {
        let chad = try host.account()
        try await host.set(["fault": fault, "at": "/api/cat/album"])

        let found = try #require(await chad.fault { _ = try await $0.rows("chad:shelf/album") })
        #expect(found.code == code && found.sentence.hasSuffix(".") && !found.sentence.contains(ChadHost.key), "\(found)")
        #expect(found.retryAfterMs == (fault.hasPrefix("status") && code == .unavailable ? 7000 : nil))
        #expect(try await chad.rows("chad:shelf/artist").count == 3)
        try await host.set(["fault": ""])
        #expect(try await chad.rows("chad:shelf/album").count == 24)
    }

    @Test(arguments: [
        ("lost", SourceFault.Code.failed, "a message where a file was expected: The file is lost."),
        ("json", .failed, "a message where a file was expected."), ("status501", .unavailable, "(status 501): Sorry, not now."),
        ("status410", .gone, "does not have it any more"), ("status401", .forbidden, "does not accept the API key"),
        ("redirects", .failed, "redirects further"), ("short", .unavailable, ""),
    ])
    func `sound that cannot be had is a sentence that never holds the key`(fault: String, code: SourceFault.Code, says: String) async throws
    {
        let uri = try #require(try await (try host.account()).rows("chad:album/a-0").first).uri
        try await host.set(["fault": fault, "at": "/files"])
        let chad = try host.account()

        let found = try #require(await chad.fault { _ = try await $0.bytes(uri) })
        #expect(found.code == code && (says.isEmpty || found.sentence.contains(says)), "\(found)")
        #expect(!found.sentence.contains(ChadHost.key))
        try await host.set(["fault": ""])
        #expect(try await chad.bytes(uri).count == 300_000)
    }

    @Test func `the test of an account tells a wrong key from a server that is not there and from another server`() async throws {
        let chad = try host.account()
        try await chad.check()

        let wrong = try #require(await (try host.account(key: "wrong-key")).fault { try await $0.check() })
        #expect(wrong.code == .forbidden && !wrong.sentence.contains("wrong-key"))
        try await host.set(["shape": "plain", "fault": "status404", "at": "/api/stats"])
        #expect(await chad.fault { try await $0.check() }?.code == .notFound)
    }

    @Test(arguments: ["ftp://x", "http://", "http://u:p@x/", "http://x/?a=b", "http://x:port/", "x"])
    func `an address that is none is refused with a sentence`(address: String) throws {
        let parts = SourceParts(
            http: UnusedCalls(), clock: .system, log: .silent, random: { Array(repeating: 0, count: $0) }, md5: { _ in [] },
            memory: UnusedMemory())
        let account = SourceAccount(name: "chad", title: "Loft", kind: "chadmusic", url: address)
        let fault = #expect(throws: SourceFault.self) {
            try ChadMusicKind.kind.make(account, SourceSecrets(apiKey: "secret"), parts)
        }
        #expect(fault?.code == .badRequest && fault?.sentence.contains("secret") == false)
        #expect(ChadMusicKind.kind.missing(SourceSecrets(user: "x", password: "y")) != nil)
    }

    @Test func `a scan is asked for`() async throws {
        try await (try host.account()).rescan()

        let last = try await host.requests().last
        #expect(last?.method == "POST" && last?.path == "/api/rescan")
    }

    @Test func `a file is uploaded, and what the server says of it is a sentence`() async throws {
        let chad = try host.account()
        let file = NamedBytes("07 Fjörd.flac", HeldBytes(bytes: Array(repeating: 7, count: 50_000)))

        #expect(try await chad.upload(file) == "“Loft” has taken “07 Fjörd.flac”: 1 track, 2 albums.")
        #expect(try await host.requests().last?.filename == "07%20Fj%C3%B6rd.flac")
        let again = await chad.fault { _ = try await $0.upload(file) }
        #expect(again == SourceFault(.conflict, "“Loft” already has “07 Fjörd.flac”: The file exists."))
        let large = NamedBytes("large.mp3", HeldBytes(bytes: Array(repeating: 7, count: 1_000_001)))
        #expect(await chad.fault { _ = try await $0.upload(large) }?.code == .tooLarge)
        let other = await chad.fault { _ = try await $0.upload(NamedBytes("x.wav", HeldBytes(bytes: [1]))) }
        #expect(other == SourceFault(.unsupported, "“Loft” does not take “x.wav”: Unsupported kind of file."))
        for name in ["../x.flac", "a/b.flac", "..", "", "x.txt"] {
            #expect(await chad.fault { _ = try await $0.upload(NamedBytes(name, HeldBytes(bytes: [1]))) } != nil)
        }
        #expect(try await host.ask("/seen")["uploads"]?["07 Fjörd.flac"]?["bytes"]?.int == 50_000)
    }

    @Test func `a server that has pages without albums, and no last one, is asked a bounded number of times`() async throws {
        let calls = RecordedCalls(EndlessPages())
        let chad = try host.account(calls: calls)

        #expect(await chad.fault { _ = try await $0.expand(ItemURI("chad:shelf/album"), trust: .itemsOnly) }?.code == .notFound)
        #expect(calls.calls.count == 100)
    }
}

/// Rows that name no album, of a list that is longer than any.
private struct EndlessPages: HTTPCalling {
    private final class Body: HTTPBody {
        private let left = Mutex<[UInt8]?>(Array(#"{"total":1000000000,"rows":[{},{}]}"#.utf8))

        func next() async throws(HTTPCallFault) -> [UInt8]? { left.withLock { $0.take() } }
        func cancel() {}
    }

    func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer { HTTPAnswer(status: 200, headers: [], body: Body()) }
    func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource { throw SourceFault(.unsupported, "Not used here.") }
}

private struct UnusedCalls: HTTPCalling {
    func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer { throw HTTPCallFault(.badCall, "Not used here.") }
    func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource { throw SourceFault(.unsupported, "Not used here.") }
}

private struct UnusedMemory: SourceMemory {
    func value(_ name: String) -> String? { nil }
    func store(_ value: String?, _ name: String) {}
}
