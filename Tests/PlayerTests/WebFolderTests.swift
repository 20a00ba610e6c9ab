/// The sample connector of `examples/connector`, with a real web server and a real player.
import BatonCore
import BatonSeams
import Foundation
import HTTPClient
import Harness
import Testing
import WebFolder

@testable import Player

@Suite struct WebFolderTests {
    /// `python3 -m http.server` over a folder, for the length of one test.
    private final class WebServer: Sendable {
        private let child: Child
        let address: String

        init(_ folder: URL, _ studio: Studio) throws {
            let told = studio.file("served")
            child = try Child(
                "/usr/bin/python3", ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder.path, "0"], out: told.path)
            address = try Self.address(in: told)
        }

        deinit { child.signal(SIGTERM) }

        private static func address(in file: URL) throws -> String {
            for _ in 0..<6_000 {
                let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
                if let start = text.range(of: "(http://"), let end = text.range(of: "/)") {
                    return String(text[text.index(after: start.lowerBound)..<end.lowerBound])
                }
                usleep(10_000)
            }
            throw WaitedInVain()
        }
    }

    /// A folder with one track in it and one in a folder below; and what is heard of the first.
    private func withServer(_ body: (WebFolder, Studio) async throws -> Void) async throws {
        let studio = try Studio()
        let music = studio.file("web")
        try FileManager.default.createDirectory(at: music.appending(path: "More & more"), withIntermediateDirectories: true)
        let tone = try studio.sine("tone.flac", seconds: 0.5)
        try FileManager.default.copyItem(at: tone, to: music.appending(path: "01 - Héllo #1.flac"))
        try FileManager.default.copyItem(at: tone, to: music.appending(path: "More & more/two.flac"))
        try Data("none".utf8).write(to: music.appending(path: "notes.txt"))
        let server = try WebServer(music, studio)
        try await body(try #require(WebFolder(server.address, http: HTTPClient())), studio)
        withExtendedLifetime(server) {}
    }

    @Test func `folders and tracks of a web server are found, and queued`() async throws {
        try await withServer { folder, _ in
            let top = try await folder.browse(BrowseQuery())
            let below = try #require(top.rows.first)
            let tracks = try await folder.expand(below.uri, trust: .itemsOnly)

            try await folder.check()
            #expect(top.rows.map(\.tags.title) == ["More & more", "Héllo #1"])
            #expect(top.rows.map(\.tags.kind) == [.folder, .track] && top.rows[1].tags.track == 1)
            #expect(tracks.map(\.tags.title) == ["two"])
            #expect(try await folder.browse(BrowseQuery(window: PageWindow(limit: 1))).cursor == "1")
        }
    }

    @Test func `a track of a web server is heard to its last sample`() async throws {
        try await withServer { folder, studio in
            let track = try #require(try await folder.browse(BrowseQuery()).rows.last)
            let out = studio.file("out.raw")
            try studio.run(["sox", studio.file("tone.flac").path, "-t", "raw", studio.file("good.raw").path])
            let playable = try await folder.resolve(track.uri, trust: .itemsOnly)

            try await withPlayer(.pcm(out.path)) { room in
                room.player.load(playable, as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
                #expect(room.story == ["began q1", "ended q1"])
            }

            #expect(try Data(contentsOf: out) == Data(contentsOf: studio.file("good.raw")))
        }
    }

    @Test func `what is not there, and what would leave the folder, is a sentence`() async throws {
        try await withServer { folder, _ in
            for (uri, code) in [
                ("webfolder:track/none.flac", SourceFault.Code.notFound), ("webfolder:track/..%2Fsecret.flac", .unsupported),
                ("webfolder:album/1", .unsupported),
            ] {
                let fault = await #expect(throws: SourceFault.self) { try await folder.resolve(ItemURI(uri), trust: .itemsOnly) }
                #expect(fault?.code == code)
            }
            #expect(WebFolder("ftp://x", http: HTTPClient()) == nil)
        }
    }

    @Test func `a server that is gone is a sentence that names it, and the source is down`() async throws {
        let folder = try #require(WebFolder("http://127.0.0.1:1/", http: HTTPClient()))
        let fault = await #expect(throws: SourceFault.self) { try await folder.check() }
        #expect(fault?.code == .unavailable && fault?.sentence.contains("127.0.0.1") == true)
    }
}
