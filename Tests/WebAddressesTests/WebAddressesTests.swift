/// Addresses on the web as items.
import BatonCore
import BatonLibrary
import BatonSeams
import Testing

@Suite struct WebAddressesTests {
    /// A server that answers each call with these headers, and notes what it may reach.
    private struct Answering: HTTPCalling {
        struct Source: HTTPByteSource {
            var headers: [HTTPCall.Header]
            var length: Int64? = 3
            var hasRanges = true
            var version: ContentVersion?
            func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] { [] }
        }

        var headers: [HTTPCall.Header] = []
        var fault: SourceFault?
        var allows: @Sendable (AddressPolicy) -> Bool = { _ in true }

        func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer { throw HTTPCallFault(.badCall, "") }
        func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource {
            if let fault { throw fault }
            guard allows(call.policy) else { throw SourceFault(.forbidden, "It may not be called.") }
            return Source(headers: headers)
        }
    }

    private struct Radio: StationHearing {
        func play(_ url: String, title: String, _ policy: AddressPolicy) async throws(SourceFault) -> Playable {
            Playable(.url(url + "#" + title), isLive: true)
        }
        func past(of url: String) async -> (any StationPast)? { nil }
    }

    private static func web(_ http: Answering) -> WebAddresses { WebAddresses(http: http, radio: Radio()) }

    @Test(arguments: [
        ("http://radio.example:8000", "radio.example:8000"), ("HTTPS://x.example/a/04%20-%20Song.mp3?token=1", "Song"),
        ("http://user:pw@x.example/", "x.example"), ("http://x.example/live#now", "live"),
    ])
    func `a web address is an item with a title from its end`(address: String, title: String) async throws {
        let web = Self.web(Answering())
        let offers = try await web.expand(ItemURI(address), trust: .musicFolders)

        #expect(offers.map(\.tags.title) == [title])
        #expect(offers[0].uri.text.hasPrefix("http"))
        guard case .bytes = try await web.resolve(offers[0].uri, trust: .musicFolders).location else {
            Issue.record("The player would open it by itself.")
            return
        }
    }

    @Test(arguments: [HTTPCall.Header("icy-name", "Radio"), .init("content-type", "application/vnd.apple.mpegURL")])
    func `a station and a list of pieces are the radio's`(header: HTTPCall.Header) async throws {
        let web = Self.web(Answering(headers: [header]))
        #expect(try await web.resolve(ItemURI("http://x/live"), trust: .musicFolders) == Playable(.url("http://x/live#live"), isLive: true))
    }

    @Test func `only a person at this machine names an address of it`() async throws {
        let own = CallTarget(host: "x", port: 80, address: try #require(NetworkAddress([127, 0, 0, 1])))
        let web = Self.web(Answering(allows: { $0.allows(own) }))
        for (trust, isAllowed) in [(Trust.musicFolders, false), (.ownMachine, true), (.plainPath, true), (.anyPath, true)] {
            let playable = try? await web.resolve(ItemURI("http://x/a.mp3"), trust: trust)
            #expect((playable != nil) == isAllowed)
        }
    }

    @Test func `what the server does not have is said with its name`() async throws {
        let web = Self.web(Answering(fault: SourceFault(.notFound, "no")))
        let fault = await #expect(throws: SourceFault.self) { try await web.resolve(ItemURI("http://x/a/gone.mp3?k=1"), trust: .anyPath) }
        #expect(fault?.sentence == "“gone.mp3” cannot be played: the server does not have it (404).")
    }

    @Test func `a guest may not name addresses, and no one a broken one`() async throws {
        let web = Self.web(Answering())
        let guest = await #expect(throws: SourceFault.self) { try await web.expand(ItemURI("http://x/"), trust: .itemsOnly) }
        #expect(guest?.code == .forbidden)
        for text in ["http://", "http:///x", "ftp://x/y", "http://x/a b", "http://x/\r\nHost: y", "http:x"] {
            let fault = await #expect(throws: SourceFault.self) { try await web.expand(ItemURI(text), trust: .anyPath) }
            #expect(fault?.code == .unsupported)
        }
    }
}
