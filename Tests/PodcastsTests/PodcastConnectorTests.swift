/// The source of podcasts, with a server in memory and the hub's own store.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Stores
import Synchronization
import Testing

@testable import BatonPodcasts

@Suite struct PodcastConnectorTests {
    /// Answers each address with what was put there, and remembers what it was asked.
    private final class Server: HTTPCalling {
        struct Page: Sendable {
            var status = 200
            var text = ""
            var headers: [HTTPCall.Header] = []
            var movedTo: String?
        }

        private struct State {
            var pages: [String: Page] = [:]
            var calls: [HTTPCall] = []
        }

        private let state = Mutex(State())

        func put(_ page: Page, at url: String) { state.withLock { $0.pages[url] = page } }
        var calls: [HTTPCall] { state.withLock { $0.calls } }

        private final class Bytes: HTTPBody {
            private let bytes: Mutex<[UInt8]?>
            init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }
            func next() async throws(HTTPCallFault) -> [UInt8]? {
                bytes.withLock { bytes in
                    defer { bytes = nil }
                    return bytes
                }
            }
            func cancel() {}
        }

        func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer {
            let page = state.withLock { state in
                state.calls.append(call)
                return state.pages[call.url] ?? Page(status: 404)
            }
            return HTTPAnswer(status: page.status, headers: page.headers, body: Bytes(Array(page.text.utf8)), movedTo: page.movedTo)
        }

        func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource {
            state.withLock { $0.calls.append(call) }
            throw SourceFault(.notFound, "There is none.")
        }
    }

    /// A feed is a line for its title, and one for each episode: its GUID and the address of its sound.
    private struct Lines: FeedReading {
        func feed(_ bytes: [UInt8]) throws(SourceFault) -> Feed {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            guard let title = lines.first, title != "<html>" else { throw SourceFault(.unreadable, "it is a web page.") }
            let episodes = lines.dropFirst().enumerated().map { number, line in
                let words = line.split(separator: " ").map(String.init)
                var episode = Episode(key: words[0], title: words[0], url: words[1])
                episode.publishedMs = Milliseconds(number) * 86_400_000
                return episode
            }
            return Feed(PodcastFacts(title: title), Array(episodes))
        }
    }

    private final class Secrets: SecretStorage {
        private let all = Mutex<[String: SourceSecrets]>([:])

        func secrets(of name: String) throws(SourceFault) -> SourceSecrets? { all.withLock { $0[name] } }
        func store(_ secrets: SourceSecrets, of name: String) throws(SourceFault) { all.withLock { $0[name] = secrets } }
        func remove(_ name: String) throws(SourceFault) { all.withLock { $0[name] = nil } }
        var isEmpty: Bool { all.withLock { $0.isEmpty } }
    }

    private static let url = "https://a.example/talk"
    private static let feed = "Talk\ng1 https://a.example/1.mp3\ng2 https://b.example/2.mp3"

    private func withPodcasts(_ body: (PodcastConnector, Server, Secrets) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try SourceStore(folder: folder)
        defer { store.close() }
        let (server, secrets) = (Server(), Secrets())
        server.put(.init(text: Self.feed, headers: [.init("etag", "e1")]), at: Self.url)
        try await body(PodcastConnector(store, http: server, reading: Lines(), secrets: secrets, random: { 0.5 }), server, secrets)
    }

    @Test func `a podcast is added once, lists the newest first, and plays the oldest first`() async throws {
        try await withPodcasts { podcasts, _, _ in
            let (talk, isNew) = try await podcasts.add(Self.url, SourceSecrets(), isOwn: false)
            #expect(isNew && talk.title == "Talk" && talk.episodes == 2)
            #expect(try await podcasts.add(Self.url, SourceSecrets(), isOwn: false).isNew == false)

            let listed = try await podcasts.browse(BrowseQuery(node: podcasts.uri(of: talk))).rows.map(\.tags.title)
            let played = try await podcasts.expand(podcasts.uri(of: talk), trust: .itemsOnly).map(\.tags.title)
            #expect(listed == ["g2", "g1"] && played == ["g1", "g2"])
        }
    }

    @Test func `a server is asked whether its feed has changed, and a feed that has not keeps all`() async throws {
        try await withPodcasts { podcasts, server, _ in
            let talk = try await podcasts.add(Self.url, SourceSecrets(), isOwn: false).0
            server.put(.init(status: 304), at: Self.url)

            let again = try await podcasts.refresh(talk)

            #expect(server.calls.last?.headers.contains(.init("If-None-Match", "e1")) == true)
            #expect(again.episodes == 2 && again.sentence == nil)
        }
    }

    /// BT-POD-005
    @Test func `a password goes to the server of the feed and to no other, and leaves with the podcast`() async throws {
        try await withPodcasts { podcasts, server, secrets in
            let talk = try await podcasts.add(Self.url, SourceSecrets(user: "anna", password: "quay"), isOwn: false).0
            for episode in try await podcasts.expand(podcasts.uri(of: talk), trust: .itemsOnly) {
                await #expect(throws: SourceFault.self) { try await podcasts.resolve(episode.uri, trust: .itemsOnly) }
            }
            let asked = server.calls.filter { $0.headers.contains { $0.name == "Authorization" } }.map(\.url)
            #expect(asked == [Self.url, "https://a.example/1.mp3"])

            #expect(try podcasts.remove(talk) && secrets.isEmpty)
        }
    }

    @Test func `what is no feed keeps nothing, and later changes nothing but a sentence`() async throws {
        try await withPodcasts { podcasts, server, _ in
            server.put(.init(text: "<html>"), at: "https://a.example/page")
            for url in ["https://a.example/page", "https://anna:quay@a.example/x", "file:///etc/passwd"] {
                await #expect(throws: SourceFault.self) { try await podcasts.add(url, SourceSecrets(), isOwn: false) }
            }
            #expect(try podcasts.storage.podcasts().isEmpty)

            let talk = try await podcasts.add(Self.url, SourceSecrets(), isOwn: false).0
            server.put(.init(text: "<html>"), at: Self.url)
            let broken = try await podcasts.refresh(talk)
            #expect(broken.episodes == 2 && broken.failures == 1 && broken.sentence?.contains("web page") == true)
        }
    }

    @Test func `a feed that has moved for good is asked for there from then on`() async throws {
        try await withPodcasts { podcasts, server, _ in
            let talk = try await podcasts.add(Self.url, SourceSecrets(), isOwn: false).0
            let there = "https://c.example/talk"
            server.put(.init(text: Self.feed, movedTo: there), at: Self.url)
            server.put(.init(text: Self.feed), at: there)

            let moved = try await podcasts.refresh(talk)
            _ = try await podcasts.refresh(moved)

            #expect(moved.url == there && server.calls.last?.url == there)
            #expect(try await podcasts.add(there, SourceSecrets(), isOwn: false).isNew == false)
        }
    }
}
