/// How sound is read: one play is one `stream` request, places are sought, and errors are sentences.
import BatonCore
import BatonSeams
import HTTPClient
import Harness
import Testing

@testable import ServerConnectors

@Suite struct SubsonicPlayTests {
    @Test func `a song that is read to its end is one stream request and nothing else`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        _ = try await attic.rows(.album("al-1"))

        let sound = try await attic.sound(.track("so-1"))
        let bytes = try await sound.all()

        #expect(bytes.starts(with: Array("RIFF".utf8)) && bytes.count == 64_044 && sound.length == 64_044)
        #expect(try await server.methods() == ["getAlbum", "stream"])
    }

    @Test func `a song that is only looked up is no play`() async throws {
        let server = try StandIn()
        let attic = try server.connector()

        for _ in 0..<3 { _ = try await attic.sound(.track("so-1")) }

        #expect(try await server.methods() == ["getSong"])
    }

    @Test func `a copy is fetched behind everything else, and what is heard is not`() async throws {
        let (server, calls) = (try StandIn(), RecordedCalls(HTTPClient()))
        let attic = try server.connector(http: calls)

        _ = try await attic.download(attic.uri(.track("so-1"))).content.all()
        _ = try await attic.sound(.track("so-1")).all()

        let quiet = calls.calls.filter(\.limits.isQuiet).map(\.url)
        #expect(!quiet.isEmpty && quiet.allSatisfy { $0.contains("/rest/download.view") })
        #expect(calls.calls.contains { !$0.limits.isQuiet && $0.url.contains("/rest/stream.view") })
    }

    @Test func `what a player reads elsewhere is a copy and no second play`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let whole = try await attic.download(attic.uri(.track("so-7"))).content.all()
        let sound = try await attic.sound(.track("so-7"))
        let length = Int64(whole.count)

        let first = try await sound.read(at: 0, count: 4_096)
        let tail = try await sound.read(at: length - 128, count: 128)
        let second = try await sound.read(at: Int64(first.count), count: 4_096)
        let back = try await sound.read(at: 0, count: 4_096)
        let sought = try await sound.all(from: 800_000)

        #expect(first == Array(whole.prefix(first.count)) && back == first && tail == Array(whole.suffix(128)))
        #expect(second == Array(whole.dropFirst(first.count).prefix(second.count)) && sought == Array(whole[800_000...]))
        let seen = try await server.seen()
        #expect(seen.filter { $0.method == "stream" }.count == 1)
        #expect(seen.filter { $0.method == "download" }.map(\.range) == [nil, "bytes=\(length - 128)-", "bytes=800000-"])
    }

    @Test func `a server without ranges is read up to the place that was sought`() async throws {
        let server = try StandIn(without: ["ranges"])
        let attic = try server.connector()
        let sound = try await attic.sound(.track("so-7"))

        let start = try await sound.all(from: 0)
        let end = try await sound.all(from: 900_000)

        #expect(end == Array(start[900_000...]))
    }

    @Test func `several readers at once each get their own place`() async throws {
        let server = try StandIn()
        let sound = try await server.connector().sound(.track("so-1"))
        let whole = try await sound.all()

        try await withThrowingTaskGroup(of: Bool.self) { group in
            for start in [60_000, 0, 30_000, 12_345] {
                group.addTask { try await sound.all(from: Int64(start)) == Array(whole[start...]) }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func `a transcoded song is sought by its moment where the server offers it`() async throws {
        let server = try StandIn()
        let sound = try await server.connector(options: ["quality": "mp3:64"]).sound(.track("so-7"))

        let start = try await sound.read(at: 0, count: 10)
        let later = try await sound.read(at: 8_000 * 58 + 5, count: 10)

        #expect(start.allSatisfy { $0 == 0 } && later.allSatisfy { $0 == 58 })
        let streams = try await server.seen().filter { $0.method == "stream" }
        #expect(streams.map { $0.ask["timeOffset"] } == [nil, ["58"]])
        #expect(streams.allSatisfy { $0.ask["format"] == ["mp3"] && $0.ask["maxBitRate"] == ["64"] })
        // As long as was promised; what the server does not have is silence.
        #expect(try await sound.all(from: 8_000 * 59).count == 8_000 * 3 && sound.length == 8_000 * 62)
    }

    @Test func `without that offer, and for formats that begin with a head, a transcoded song is skipped through`() async throws {
        for (quality, without) in [("mp3:64", ["transcodeOffset"]), ("opus:64", [])] {
            let server = try StandIn(without: without)
            let sound = try await server.connector(options: ["quality": quality]).sound(.track("so-7"))

            _ = try await sound.read(at: 8_000 * 50, count: 10)
            let later = try await sound.read(at: 8_000 * 50, count: 10)
            let back = try await sound.read(at: 0, count: 10)

            #expect(later.allSatisfy { $0 == 50 } && back.allSatisfy { $0 == 0 })
            #expect(try await server.seen().filter { $0.method == "stream" }.allSatisfy { $0.ask["timeOffset"] == nil })
        }
    }

    @Test func `a server that is busy is asked again after as long as it says`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let sound = try await attic.sound(.track("so-1"))
        try await server.fail("stream", "busy")

        let bytes = try await sound.all()

        let streams = try await server.seen().filter { $0.method == "stream" }
        #expect(bytes.count == 64_044 && streams.count == 2 && streams[1].atMs - streams[0].atMs >= 1_000)
    }

    @Test func `an error in place of sound is a sentence`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let sound = try await attic.sound(.track("so-1"))
        try await server.fail("stream", "text")

        let said = await fault { _ = try await sound.read(at: 0, count: 10) }

        #expect(said?.sentence == "The server “Attic” answers with error 0: Media file not found.")
        #expect(await fault { _ = try await attic.sound(.track("none")) }?.code == .notFound)
    }

    @Test func `a song that is not the one that was looked up is not played`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        _ = try await attic.rows(.album("al-1"))
        try await server.control(#"{"songs": {"so-1": {"size": 1000}}}"#)
        let other = try server.connector()
        let sound = try await other.sound(.track("so-1"))

        #expect(await fault { _ = try await sound.read(at: 0, count: 10) }?.code == .gone)
    }

    @Test func `episodes and stations play too`() async throws {
        let server = try StandIn()
        let attic = try server.connector()
        let station = try await attic.edit(
            SourceListEdit(
                list: attic.uri(.shelf(.stations)), [.create(name: "Harbour FM"), .insert([ItemURI("\(server.root)/radio")], at: 0)]))

        let episode = try await attic.sound(.episode(podcast: "po-1", id: "ep-1")).all()
        let live = try await attic.resolve(station, trust: .itemsOnly)

        #expect(episode.count == 960_044 && live.isLive)
        guard case .bytes(let named) = live.location else {
            Issue.record("The station has no bytes.")
            return
        }
        #expect(try await named.content.all().starts(with: Array("RIFF".utf8)))
        let kept = try #require(await attic.past(of: station))
        #expect(kept.title == "Harbour FM" && kept.past.titles().map(\.text) == ["\(server.root)/radio"])
        #expect(try await attic.past(of: attic.uri(.track("so-1"))) == nil)
        #expect(await fault { _ = try await attic.sound(.episode(podcast: "po-1", id: "ep-2")) }?.code == .unavailable)
    }
}
