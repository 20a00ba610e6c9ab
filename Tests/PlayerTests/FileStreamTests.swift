import BatonCore
import BatonSeams
import Disk
import Foundation
import Harness
import Testing

@testable import Player

@Suite struct FileStreamTests {
    @Test(arguments: [
        ("/a/b.flac", "baton-file://7.flac"), ("/a/b", "baton-file://7"), ("/a.b/c", "baton-file://7"), ("/a/b.", "baton-file://7"),
        ("/a/b.m p", "baton-file://7"), ("/a/b.://x", "baton-file://7"), ("/a/b.ü", "baton-file://7"),
        ("/a/b.elevenchars", "baton-file://7"),
        ("/a/b.\u{1}", "baton-file://7"), ("/a/b.tar.MP3", "baton-file://7.MP3"),
    ])
    func `an address says the kind of a file and nothing else of its name`(path: String, address: String) {
        #expect(FileStreams.address(7, path) == address)
    }
}

extension PlayingTests {
    @Suite struct Streams {
        @Test func `what was opened is heard to its end, whatever its name leads to by then`() async throws {
            let studio = try Studio()
            let good = try studio.sine("good.flac", seconds: 0.5)
            let out = studio.file("out.raw")
            try studio.run(["sox", good.path, "-t", "raw", studio.file("good.raw").path])

            try await withPlayer(.pcm(out.path)) { room in
                let playable = Playable.file(good)
                try FileManager.default.removeItem(at: good)
                _ = try studio.write("nothing", to: "good.flac")
                room.player.load(playable, as: q1, fromMs: 0, paused: false)
                // The same file, opened again while the first opening is still read.
                room.player.follow(with: playable, as: q2)
                try await room.wait { $0.contains(.ended(q2)) }

                #expect(room.story == ["began q1", "began q2", "ended q2"])
            }
            let whole = try Data(contentsOf: studio.file("good.raw"))
            #expect(try Data(contentsOf: out) == whole + whole)
        }

        @Test func `a file is closed when nothing plays it any more`() async throws {
            let studio = try Studio()
            let one = try studio.sine("one.flac", seconds: 30)
            let two = try studio.sine("two.flac", seconds: 30)
            func open() throws -> Set<String> {
                let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                return Set(names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0) })
                    .intersection([one.path, two.path])
            }

            try await withPlayer { room in
                room.player.load(.file(one), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.follow(with: .file(two), as: q2)
                room.player.load(.file(two), as: q3, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.began(q3)) }
                try await room.wait { _ in (try? open()) == [two.path] }
                room.player.stop()
                try await room.wait { _ in (try? open()) == [] }
            }
        }
    }
}
