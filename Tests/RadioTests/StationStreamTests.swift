/// Stations as they are heard: by real connections to a real server.
import BatonCore
import BatonSeams
import Harness
import Testing

@testable import BatonRadio

@Suite struct StationStreamTests {
    @Test func `sound comes without metadata, and titles with the sound that has them`() async throws {
        let stations = try Stations()
        let heard = try await stations.listen("icy")
        #expect(heard.name == "Harbour-FM.mp3")

        #expect(try await heard.content.bytes(0, 20_000) == Stations.sound(0, 20_000))
        let titled = try #require(heard.content as? any TitledBytes)
        let places: [Int64] = [0, 699, 700, 2_800, 4_899, 4_900, 6_999]
        let titles: [String?] = places.map { titled.title(at: $0) }
        let expected: [String?] = [nil, nil, "Anna - First", "Anna - First", "Anna - First", "It's Low", "It's Low"]
        #expect(titles == expected)
        #expect(titled.title(at: 20_000) == "Motörhead")
        #expect(try await stations.seen().map(\.metadata) == ["1"])
    }

    @Test func `several who hear one station share one connection, which ends with the last of them`() async throws {
        let stations = try Stations()
        var all = try await stations.listenTwice("icy")
        _ = try await all[0].content.bytes(0, 5_000)
        all.append(try await stations.listen("icy"))
        for one in all { #expect(try await one.content.bytes(0, 1_000).count == 1_000) }
        #expect(try await stations.seen().count == 1)
        #expect(await stations.streams.count == 1)

        all = []
        try await until { await stations.streams.count == 0 }
    }

    @Test func `a stream that breaks goes on with the next connection`() async throws {
        let stations = try Stations()
        let heard = try await stations.listen("breaks")
        #expect(try await heard.content.bytes(0, 100_000) == Stations.sound(0, 100_000))
        #expect(try await stations.seen().count >= 3)
    }

    @Test func `redirects and playlists lead to the stream, also behind entries that are gone`() async throws {
        let stations = try Stations()
        #expect(try await stations.listen("list.pls").content.bytes(0, 100) == Stations.sound(0, 100))
        #expect(try await stations.listen("moved").content.bytes(0, 100) == Stations.sound(0, 100))
        #expect(try await stations.seen().allSatisfy { $0.metadata == "1" })
    }

    /// BT-RAD-003
    @Test func `pieces of HLS are joined to one stream by the hub`() async throws {
        let stations = try Stations()
        let heard = try await stations.listen("live.m3u8")
        // The third but last piece of the first list, and three more, which only later lists have.
        #expect(try await heard.content.bytes(0, 5_000) == Stations.sound(2_000, 5_000))
    }

    @Test func `a finished list of pieces is no station: it has its length, and each who plays it hears it from its beginning`()
        async throws
    {
        let stations = try Stations()
        let playing = StationPlaying(http: stations.http, streams: stations.streams)
        for _ in 0..<2 {
            let whole = try await playing.play(stations.url("whole.m3u8"), title: "A", .named(onThisMachine: true))
            #expect(!whole.isLive && whole.durationMs == 7_500)
            guard case .bytes(let bytes) = whole.location else { throw SourceFault(.failed, "It has no bytes.") }
            #expect(bytes.name == "whole")
            #expect(try await bytes.content.bytes(0, 5_000) == Stations.sound(0, 5_000))
            #expect(try await bytes.content.read(at: 5_000, count: 10).isEmpty)
            #expect(try await bytes.content.bytes(0, 100) == Stations.sound(0, 100))
        }
        #expect(await stations.streams.count == 0)
    }

    @Test(arguments: [
        ("page", "web page"), ("gone", "404"), ("round.m3u", "more playlists"), ("endless.m3u", "longer than 64 KiB"),
        ("inside.m3u", "private network"),
    ])
    func `what is no station is refused in a sentence`(path: String, words: String) async throws {
        let stations = try Stations()
        let fault = await #expect(throws: SourceFault.self) { _ = try await stations.listen(path) }
        #expect(fault?.sentence.contains(words) == true, "\(fault?.sentence ?? "")")
    }

    @Test func `metadata behind each byte is sound all the same, and a title of control characters is none`() async throws {
        let stations = try Stations()
        let heard = try await stations.listen("noise")
        #expect(try await heard.content.bytes(0, 300) == Stations.sound(0, 300))
        #expect((heard.content as? any TitledBytes)?.title(at: 200)?.contains("\u{1}") == false)
    }

    @Test func `a file of known length is no station`() async throws {
        let stations = try Stations()
        let playing = StationPlaying(http: stations.http, streams: stations.streams)
        let file = try await playing.play(stations.url("file"), title: "A", .named(onThisMachine: true))
        guard case .bytes(let bytes) = file.location else {
            Issue.record("It has no bytes.")
            return
        }
        #expect(!file.isLive && bytes.content.length == 5_000)
        let fault = await #expect(throws: SourceFault.self) { try await playing.play(stations.url("file"), title: "A", .publicOnly) }
        #expect(fault?.sentence.hasPrefix("“A” cannot be heard: ") == true && fault?.code == .forbidden)
    }
}
