/// Playlist files, as people's programs write them.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import BatonLibrary

struct PlaylistTests {
    @Test func `an m3u names files beside it, elsewhere and on the web`() async throws {
        try await withMusic { folder in
            for name in ["a.mp3", "sub/b.flac", "sub/c.ogg"] { try folder.file("music/" + name) }
            try folder.file(
                "music/lists/x.m3u8",
                Data(
                    """
                    \u{FEFF}#EXTM3U
                    #EXTINF:251,Radiohead - Kid A - live
                    ../a.mp3
                    # a comment

                    \(folder.music)/sub/b.flac\r
                    #EXTINF:-1 tvg-id="x",A station
                    http://radio.example/stream.mp3
                    file://\(folder.music)/sub/c.ogg
                    ..\\a.mp3
                    rtsp://nobody/knows

                    """.utf8))

            let offers = try await folder.expand(folder.music + "/lists/x.m3u8")

            #expect(
                offers.map(\.uri.text) == [
                    "file:track\(folder.music)/a.mp3", "file:track\(folder.music)/sub/b.flac", "http://radio.example/stream.mp3",
                    "file:track\(folder.music)/sub/c.ogg", "file:track\(folder.music)/a.mp3",
                ])
            #expect(offers[0].tags == Tags(title: "Kid A - live", artists: ["Radiohead"], durationMs: 251_000))
            #expect(offers[1].tags == Tags(title: "b"))
            #expect(offers[2].tags == Tags(title: "A station"))
        }
    }

    @Test func `a pls is read by its numbers`() async throws {
        try await withMusic { folder in
            try folder.file("music/a.mp3")
            try folder.file("music/b.mp3")
            try folder.file(
                "music/x.pls",
                Data(
                    """
                    [playlist]
                    File10=b.mp3
                    File2=a.mp3
                    Title2=Some title
                    Length2=12
                    File3=https://radio.example/
                    Length3=-1
                    NumberOfEntries=3
                    Version=2
                    """.utf8))

            let offers = try await folder.expand(folder.music + "/x.pls")

            #expect(offers.map(\.tags.title) == ["Some title", "radio.example", "b"])
            #expect(offers.map(\.tags.durationMs) == [12_000, nil, nil])
            #expect(offers[1].uri == ItemURI("https://radio.example/"))
        }
    }

    @Test func `a playlist in Latin-1 finds its files`() async throws {
        try await withMusic { folder in
            try folder.file("music/Für Elise.mp3")
            try folder.file(
                "music/x.m3u", [UInt8]("#EXTINF:1,F".utf8) + [0xFC] + [UInt8]("r\nF".utf8) + [0xFC] + [UInt8]("r Elise.mp3\n".utf8))

            let offers = try await folder.expand(folder.music + "/x.m3u")

            #expect(offers.map(\.tags.title) == ["Für"])
            #expect(try await folder.paths(folder.music + "/x.m3u") == ["music/Für Elise.mp3"])
        }
    }

    @Test func `a missing file stays in the queue, where playing it shows what is wrong`() async throws {
        try await withMusic { folder in
            try folder.file("music/a.mp3")
            try folder.file("music/x.m3u", Data("gone.mp3\na.mp3\n".utf8))

            #expect(try await folder.paths(folder.music + "/x.m3u") == ["music/gone.mp3", "music/a.mp3"])
        }
    }

    @Test func `what a remote may not reach is left out, and told when nothing is left`() async throws {
        try await withMusic { folder in
            try folder.file("music/a.mp3")
            try folder.file("outside/secret.mp3")
            try folder.file("music/x.m3u", Data("../outside/secret.mp3\na.mp3\n/etc/passwd\n../outside/none.mp3\n".utf8))
            try folder.file("music/y.m3u", Data("../outside/secret.mp3\n/etc/shadow\n".utf8))

            #expect(try await folder.paths(folder.music + "/x.m3u") == ["music/a.mp3"])
            #expect(await folder.fault(folder.music + "/y.m3u")?.code == .forbidden)
            #expect(try await folder.paths(folder.music + "/y.m3u", trust: .anyPath) == ["outside/secret.mp3"])
        }
    }

    @Test func `playlists nested one level deep, and a circle ends`() async throws {
        try await withMusic { folder in
            try folder.file("music/a.mp3")
            try folder.file("music/b.mp3")
            try folder.file("music/c.mp3")
            try folder.file("music/top.m3u", Data("a.mp3\nmiddle.m3u\nalbum\ntop.m3u\n".utf8))
            try folder.file("music/middle.m3u", Data("b.mp3\ndeep.m3u\n".utf8))
            try folder.file("music/deep.m3u", Data("c.mp3\n".utf8))
            try folder.file("music/album/1.mp3")

            #expect(
                try await folder.paths(folder.music + "/top.m3u") == [
                    "music/a.mp3", "music/b.mp3", "music/album/1.mp3", "music/a.mp3", "music/album/1.mp3",
                ])
        }
    }

    @Test func `a playlist that names a large folder in each of its lines is given up`() async throws {
        try await withMusic { folder in
            for number in 1...50 { try folder.file("music/scans/\(number).txt") }
            try folder.file("music/top.m3u", Data(String(repeating: "scans\n", count: 30).utf8))
            try folder.file("music/calm.m3u", Data(String(repeating: "scans\n", count: 10).utf8))
            var library = folder.library
            library.mostNames = 1_000

            #expect(await library.fault(folder.music + "/top.m3u")?.code == .tooLarge)
            #expect(await library.fault(folder.music + "/calm.m3u")?.code == .notFound)
        }
    }

    @Test func `a playlist that names hundreds of playlists is given up`() async throws {
        try await withMusic { folder in
            try folder.file("music/a.mp3")
            try folder.file("music/none.m3u", Data("#EXTM3U\n".utf8))
            try folder.file("music/top.m3u", Data((String(repeating: "none.m3u\n", count: 300) + "a.mp3\n").utf8))
            try folder.file("music/calm.m3u", Data((String(repeating: "none.m3u\n", count: 90) + "a.mp3\n").utf8))

            #expect(await folder.fault(folder.music + "/top.m3u")?.code == .tooLarge)
            #expect(try await folder.paths(folder.music + "/calm.m3u") == ["music/a.mp3"])
        }
    }

    /// Folders, links and playlists that lead to each other in any way, in circles too: each gives tracks or a sentence, within its bounds.
    @Test(arguments: 0..<UInt64(8)) func `whatever folders and playlists lead to, looking through them ends`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        func any(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        let folders = ["music"] + (0..<8).map { "music/\($0)" } + (0..<8).map { "music/\($0)/deeper" }
        try await withMusic { folder in
            for path in folders {
                try folder.file("\(path)/\(any(3)).mp3")
                for number in 0..<any(4) { try? folder.link("\(path)/link \(number)", to: "\(folder.root)/\(folders[any(folders.count)])") }
                var lines = ""
                for _ in 0..<any(12) {
                    let target = "\(folder.root)/\(folders[any(folders.count)])"
                    lines += target + ["", "/list.m3u", "/0.mp3", "/list.m3u/.."][any(4)] + "\n"
                }
                try folder.file("\(path)/list.m3u", Data(lines.utf8))
            }
            var library = folder.library
            library.mostNames = 1_000
            for path in folders.flatMap({ [$0, $0 + "/list.m3u"] }) {
                do throws(SourceFault) {
                    let found = try await library.expand(ItemURI("\(folder.root)/\(path)"), trust: .musicFolders)
                    #expect(!found.isEmpty && found.count <= library.mostNames, "seed \(seed), \(path)")
                } catch {
                    #expect([.tooLarge, .notFound, .forbidden].contains(error.code), "seed \(seed), \(path): \(error)")
                }
            }
        }
    }

    @Test func `an empty playlist, one of pieces and a huge one are told apart`() async throws {
        try await withMusic { folder in
            try folder.file("music/empty.m3u", Data("#EXTM3U\n".utf8))
            try folder.file("music/hls.m3u8", Data("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n1.ts\n".utf8))
            try folder.file("music/huge.m3u", Data(count: 5 << 20))
            try folder.file("music/many.m3u", Data(String(repeating: "x.mp3\n", count: 10_001).utf8))

            #expect(await folder.fault(folder.music + "/empty.m3u")?.code == .notFound)
            #expect(await folder.fault(folder.music + "/hls.m3u8")?.code == .unsupported)
            #expect(await folder.fault(folder.music + "/huge.m3u")?.code == .tooLarge)
            #expect(await folder.fault(folder.music + "/many.m3u")?.code == .tooLarge)
            try folder.file("music/a.txt")
            try folder.file("music/nothing.m3u", Data(String(repeating: "a.txt\n", count: 10_001).utf8))
            #expect(await folder.fault(folder.music + "/nothing.m3u")?.code == .tooLarge)
        }
    }
}

extension LocalLibrary {
    fileprivate func fault(_ path: String) async -> SourceFault? {
        do throws(SourceFault) {
            _ = try await expand(ItemURI(path), trust: .musicFolders)
            return nil
        } catch {
            return error
        }
    }
}
