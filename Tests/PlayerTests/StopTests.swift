import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

extension PlayingTests {
    /// What a sleep timer needs of a player, heard in what it really plays.
    @Suite struct Stops {
        private static let bytesPerMs = 44_100 * 4 / 1000.0

        /// BT-SLP-003
        @Test func `an entry ends where the room wants it to, to the sample, and what follows is not heard`() async throws {
            let studio = try Studio()
            let file = try studio.sine("book.flac", seconds: 6)
            let out = studio.file("out.raw")

            try await withPlayer(.pcm(out.path)) { room in
                room.player.stopAt(PlayerStop(entry: q1, atMs: 4321))
                room.player.load(.file(file), as: q1, fromMs: 3000, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
                #expect(room.story == ["began q1", "ended q1"])

                room.player.stopAt(nil)
                room.player.load(.file(file), as: q2, fromMs: 5500, paused: false)
                try await room.wait { $0.contains(.ended(q2)) }
            }

            let heard = Double(try Data(contentsOf: out).count) / Self.bytesPerMs
            #expect(abs(heard - (1321 + 500)) <= 1, "\(heard) ms")
        }

        /// BT-SLP-003
        @Test func `an entry that has ended at a stop goes on there when it is loaded again`() async throws {
            let studio = try Studio()
            let file = try studio.sine("book.flac", seconds: 6)
            let out = studio.file("out.raw")

            try await withPlayer(.pcm(out.path)) { room in
                room.player.stopAt(PlayerStop(entry: q1, atMs: 4000))
                room.player.load(.file(file), as: q1, fromMs: 3000, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
                room.player.load(.file(file), as: q1, fromMs: 4000, paused: false)
                try await room.wait { $0.filter { $0 == .ended(q1) }.count == 2 }
            }

            let heard = Double(try Data(contentsOf: out).count) / Self.bytesPerMs
            #expect(abs(heard - 3000) <= 1, "\(heard) ms")
        }

        @Test func `a stop that is set while it plays is kept, also behind a seek and in a part of a file`() async throws {
            let studio = try Studio()
            let file = try studio.sine("album.flac", seconds: 8)
            let out = studio.file("out.raw")

            try await withPlayer(.pcm(out.path)) { room in
                var part = Playable.file(file)
                (part.startMs, part.endMs) = (1000, 7000)
                room.player.load(part, as: q1, fromMs: 0, paused: true)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.stopAt(PlayerStop(entry: q1, atMs: 5000))
                room.player.seek(toMs: 4500)
                try await room.wait { _ in room.lines.contains { $0.positionMs == 4500 } }
                room.player.setPaused(false)
                try await room.wait { $0.contains(.ended(q1)) }
            }

            let heard = Double(try Data(contentsOf: out).count) / Self.bytesPerMs
            #expect((499...800).contains(heard), "\(heard) ms, with at most what was ready before the seek")
        }

        @Test func `a stop that is taken back gives a part its own end again`() async throws {
            let studio = try Studio()
            let file = try studio.sine("album.flac", seconds: 8)
            let out = studio.file("out.raw")

            try await withPlayer(.pcm(out.path)) { room in
                var part = Playable.file(file)
                (part.startMs, part.endMs) = (1000, 4000)
                room.player.stopAt(PlayerStop(entry: q1, atMs: 2500))
                room.player.load(part, as: q1, fromMs: 0, paused: true)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.stopAt(nil)
                room.player.setPaused(false)
                try await room.wait { $0.contains(.ended(q1)) }
            }

            let heard = Double(try Data(contentsOf: out).count) / Self.bytesPerMs
            #expect(abs(heard - 3000) <= 1, "\(heard) ms")
        }

        /// BT-SLP-005
        @Test func `a fade ends in silence, and the sound is whole again when it is ended`() async throws {
            let studio = try Studio()
            let file = try studio.sine("one.flac", seconds: 5)
            try await withPlayer { room in
                room.player.setGain(0.5)
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.fade(overMs: 300)
                try await room.wait { _ in room.player.fading.part == 0 }
                #expect(room.player.gain == 0.5)
                room.player.endFade()
                #expect(room.player.fading.part == 1)
            }
        }

        @Test func `a fade falls evenly and never rises`() {
            let parts = stride(from: Int64(0), through: 20_500_000, by: 50_000).map { SoundFade.part(ofUs: Microseconds($0), 20_000_000) }

            #expect(parts.first == 1 && parts.last == 0 && zip(parts, parts.dropFirst()).allSatisfy { $0 >= $1 })
            // Half of the way is an eighth of the amplitude: half as loud to the ear.
            #expect(abs(SoundFade.part(ofUs: 10_000_000, 20_000_000) - 0.125) < 0.001)
        }

        @Test func `chapters of a file are told behind its length`() async throws {
            let studio = try Studio()
            _ = try studio.sine("plain.flac", seconds: 4)
            _ = try studio.write(
                ";FFMETADATA1\n"
                    + [(0, 1500, "One"), (1500, 4000, "Two")].map {
                        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.0)\nEND=\($0.1)\ntitle=\($0.2)\n"
                    }.joined(), to: "chapters.txt")
            let book = studio.file("book.m4b")
            try studio.run([
                "ffmpeg", "-v", "error", "-i", studio.file("plain.flac").path, "-i", studio.file("chapters.txt").path, "-map_metadata", "1",
                "-c:a", "aac", "-f", "mp4", book.path,
            ])

            try await withPlayer { room in
                room.player.load(.file(book), as: q1, fromMs: 0, paused: false)
                let marks = [ChapterList.Mark(title: "One", startMs: 0), ChapterList.Mark(title: "Two", startMs: 1500)]
                try await room.wait { $0.contains(.chapters(q1, marks)) }
            }
        }
    }
}
