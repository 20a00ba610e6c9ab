import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct Network {
        @Test func `a stream is played, and its source gets the headers it wants`() async throws {
            let studio = try Studio()
            _ = try studio.sine("one.flac", seconds: 0.3)
            let server = try Server(studio)
            let headers = ["X-Token": #"a,b\,c: d\"#, "Authorization": "Bearer x=y"]

            try await withPlayer { room in
                room.player.load(Playable(.url(server.url("one.flac")), headers: headers), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
                #expect(room.story == ["began q1", "ended q1"])
            }
            let seen = try #require(try server.requests().first)
            #expect(seen["x-token"] == #"a,b\,c: d\"#)
            #expect(seen["authorization"] == "Bearer x=y")
            #expect(seen["user-agent"] == "baton/0.1")
        }

        @Test func `headers of one source never reach another`() async throws {
            let studio = try Studio()
            // The pipe and the output hold a tenth of each, so none ends before what follows it is known.
            let local = try studio.sine("local.flac", seconds: 6)
            _ = try studio.sine("one.flac", seconds: 6)
            _ = try studio.sine("two.flac", seconds: 6)
            let server = try Server(studio)

            try await withSoundPipe(studio) { room, _ in
                room.player.load(Playable(.url(server.url("one.flac")), headers: ["X-Token": "secret"]), as: q1, fromMs: 0, paused: false)
                room.player.follow(with: Playable(.url(server.url("two.flac"))), as: q2)
                try await room.wait { $0.contains(.began(q2)) }
                room.player.follow(with: .file(local), as: q3)
                try await room.wait { $0.contains(.began(q3)) }
                room.player.follow(with: Playable(.url(server.url("two.flac?again")), headers: ["X-Other": "1"]), as: q1)
                try await room.wait { $0.filter { $0 == .began(q1) }.count == 2 }
            }
            let seen = try server.requests()
            #expect(seen.map { $0["x-token"] } == ["secret", nil, nil], "\(seen)")
            #expect(seen.map { $0["x-other"] } == [nil, nil, "1"], "\(seen)")
        }

        @Test func `what a server does not have is said in words`() async throws {
            let studio = try Studio()
            let server = try Server(studio)

            try await withPlayer { room in
                room.player.load(Playable(.url(server.url("gone.mp3?id=3"))), as: q1, fromMs: 0, paused: false)
                try await room.wait { _ in room.failure != nil }
                #expect(room.failure?.reason == "“gone.mp3” cannot be played: the server does not have it (404).")
            }
        }

        @Test func `a server that is not there is said in words`() async throws {
            try await withPlayer { room in
                room.player.load(Playable(.url("http://127.0.0.1:9/x.mp3")), as: q1, fromMs: 0, paused: false)
                try await room.wait { _ in room.failure != nil }
                #expect(room.failure?.reason == "“x.mp3” cannot be played: the server does not answer.")
            }
        }

        @Test func `a station tells its name and what it plays, and has no end`() async throws {
            let studio = try Studio()
            let sine = try studio.sine("sine.wav", seconds: 20)
            try studio.run([
                "ffmpeg", "-loglevel", "error", "-i", sine.path, "-b:a", "128k", "-write_xing", "0", studio.file("station.mp3").path,
            ])
            let server = try Server(studio)

            try await withPlayer { room in
                room.player.load(Playable(.url(server.url("icy")), isLive: true), as: q1, fromMs: 0, paused: false)
                try await room.wait { _ in room.tags.contains { $0.streamTitle == "Bert - Second" } }

                let titles = room.tags.compactMap(\.streamTitle)
                #expect(titles == ["Anna - First", "Bert - Second"])
                #expect(room.tags.allSatisfy { $0.durationMs == nil && $0.kind == .station && $0.album == "Radio Baton" })
            }
        }
    }
}

/// `server.py` for the length of one test.
private final class Server: Sendable {
    private let child: Child
    private let port: String
    private let folder: URL

    init(_ studio: Studio) throws {
        folder = studio.folder
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("server.py")
        let told = studio.file("port")
        child = try Child("/usr/bin/python3", [script.path, studio.folder.path], out: told.path, err: studio.file("server.log").path)
        port = try Self.line(in: told)
    }

    deinit { child.signal(SIGTERM) }

    /// The first line that appears in a file, with a limit.
    private static func line(in file: URL) throws -> String {
        for _ in 0..<6_000 {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            if let end = text.firstIndex(of: "\n") { return String(text[..<end]) }
            usleep(10_000)
        }
        throw WaitedInVain()
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// The headers of each request so far.
    func requests() throws -> [[String: String]] {
        struct Request: Decodable { var headers: [String: String] }
        return try String(contentsOf: folder.appendingPathComponent("requests.log"), encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)).headers }
    }
}
