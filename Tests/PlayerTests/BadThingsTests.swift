import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct BadThings {
        /// What the player says of something bad, and that what follows is played all the same.
        private func failure(of playable: Playable, in studio: Studio) async throws -> String {
            let good = try studio.sine("good.flac", seconds: 0.2)
            var reason = ""
            try await withPlayer { room in
                room.player.load(playable, as: q1, fromMs: 0, paused: false)
                try await room.wait { _ in room.failure != nil }
                reason = room.failure?.reason ?? ""
                room.player.load(.file(good), as: q2, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q2)) }

                #expect(room.story == ["failed q1", "began q2", "ended q2"], "\(reason)")
            }
            return reason
        }

        @Test func `when what plays and what follows fail in one breath, both are told, in their order`() async throws {
            let studio = try Studio()
            let empty = Playable.file(try studio.write("", to: "empty.flac"))
            let text = Playable.file(try studio.write("This is no music.", to: "text.mp3"))
            try await withPlayer { room in
                for round in 1...100 {
                    room.player.load(empty, as: q1, fromMs: 0, paused: false)
                    room.player.follow(with: text, as: q2)
                    try await room.wait { _ in room.story.count == 2 * round }
                }
                #expect(room.story == (1...100).flatMap { _ in ["failed q1", "failed q2"] })
            }
        }

        @Test func `an empty file is called empty`() async throws {
            let studio = try Studio()
            let reason = try await failure(of: .file(try studio.write("", to: "empty.mp3")), in: studio)
            #expect(reason == "“empty.mp3” cannot be played: the file is empty.")
        }

        @Test(arguments: ["text.mp3", "text.flac", "text.txt", "text"]) func `text is no sound, whatever its name`(name: String)
            async throws
        {
            let studio = try Studio()
            let text = String(repeating: "This is not music at all.\n", count: 400)
            let reason = try await failure(of: .file(try studio.write(text, to: name)), in: studio)
            #expect(
                ["its format is not known", "there is no sound in it", "it could not be read"].contains { reason.contains($0) }, "\(reason)"
            )
        }

        @Test func `a picture has no sound`() async throws {
            let studio = try Studio()
            try studio.run([
                "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", studio.file("red.png").path,
            ])
            let reason = try await failure(of: .file(studio.file("red.png")), in: studio)
            #expect(reason.contains("there is no sound in it"), "\(reason)")
        }

        @Test(arguments: ["list.m3u", "list.m3u8", "list.pls", "list.cue", "hls.m3u8", "concat.txt", "edl.edl"])
        func `a list is refused and nothing in it is played`(name: String) async throws {
            let studio = try Studio()
            let other = try studio.sine("other.flac", seconds: 0.2)
            try studio.run(["ffmpeg", "-loglevel", "error", "-i", other.path, "-c:a", "aac", "-f", "mpegts", studio.file("other.ts").path])
            let lists = [
                "list.m3u": "\(other.path)\n", "list.m3u8": "#EXTM3U\n#EXTINF:1,x\n\(other.path)\n",
                "list.pls": "[playlist]\nFile1=\(other.path)\nNumberOfEntries=1\n",
                "list.cue": "FILE \"other.flac\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n",
                "hls.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.2,\nother.ts\n#EXT-X-ENDLIST\n",
                "concat.txt": "ffconcat version 1.0\nfile other.flac\n", "edl.edl": "# mpv EDL v0\nother.flac\n",
            ]
            let reason = try await failure(of: .file(try studio.write(lists[name]!, to: name)), in: studio)
            #expect(reason.hasPrefix("“\(name)” cannot be played: "))
            if name.hasPrefix("list") { #expect(reason.contains("list of other things"), "\(reason)") }
        }

        @Test(arguments: ["ftp://127.0.0.1/x.mp3", "lavfi://sine", "edl://x", "file:///etc/passwd", "memory://x", "-"])
        func `only http and https URLs reach the player`(url: String) async throws {
            let studio = try Studio()
            let reason = try await failure(of: Playable(.url(url)), in: studio)
            #expect(reason.contains("Only http and https URLs can be played."))
        }

        @Test func `after something bad the follower plays by itself`() async throws {
            let studio = try Studio()
            let good = try studio.sine("good.flac", seconds: 0.2)

            try await withPlayer { room in
                room.player.load(.file(try studio.write("", to: "empty.flac")), as: q1, fromMs: 0, paused: false)
                room.player.follow(with: .file(good), as: q2)
                try await room.wait { $0.contains(.ended(q2)) }

                #expect(room.story == ["failed q1", "began q2", "ended q2"])
            }
        }

        @Test func `a seek behind the end is an end`() async throws {
            let studio = try Studio()
            let good = try studio.sine("good.flac", seconds: 10)

            try await withPlayer { room in
                room.player.load(.file(good), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.seek(toMs: 60_000)
                try await room.wait { $0.contains(.ended(q1)) }

                #expect(room.story == ["began q1", "ended q1"])
            }
        }

        @Test func `a start behind the end is an end`() async throws {
            let studio = try Studio()
            let good = try studio.sine("good.flac", seconds: 0.5)

            try await withPlayer { room in
                room.player.load(.file(good), as: q1, fromMs: 60_000, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }

                #expect(room.story == ["began q1", "ended q1"])
            }
        }
    }
}
