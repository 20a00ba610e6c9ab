/// A track whose bytes end too early and that goes on from another place: which place was heard, at which sample.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct Handovers {
        /// When the other place is known: before libmpv plays, or while it does.
        enum Moment: CaseIterable { case paused, playing }

        static func tone(_ studio: Studio, _ name: String, hertz: Int, seconds: Double = 8) throws -> URL {
            let made = studio.file("made-\(name).wav")
            try studio.run([
                "sox", "-D", "-n", "-r", "44100", "-b", "16", "-c", "2", made.path, "synth", "\(seconds)", "sine", "\(hertz)", "vol", "0.5",
            ])
            guard !name.hasSuffix(".wav") else { return made }
            try studio.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", made.path, studio.file(name).path])
            return studio.file(name)
        }

        /// Left samples.
        private static func samples(_ sound: Data) -> [Int16] {
            sound.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count - 3, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self) }
            }
        }

        private static func decoded(_ file: URL, _ studio: Studio) throws -> [Int16] {
            let raw = studio.file("\(file.lastPathComponent).raw")
            try studio.run([
                "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", file.path, "-f", "s16le", "-ar", "44100", "-ac", "2", raw.path,
            ])
            return samples(try Data(contentsOf: raw))
        }

        /// From which sample on all that was heard is of this place. Decoders round differently, by one, and those of AAC add noise; a
        /// place that is wrong by a sample differs by a tenth of the whole.
        private static func cut(_ heard: [Int16], _ place: [Int16], within limit: Int = 2) -> Int {
            var cut = min(heard.count, place.count)
            while cut > 0, abs(Int(heard[cut - 1]) - Int(place[cut - 1])) <= limit { cut -= 1 }
            return cut
        }

        /// Plays the first half of one file and goes on with another, with a third behind it.
        private func hear(_ first: URL, then other: URL, _ moment: Moment, _ studio: Studio) async throws -> [Int16] {
            let next = try studio.sine("next.flac", seconds: 0.5)
            let stream = try ServerStreams.Stream(first, stopsAt: 0.5)
            let sound = try await withSoundPipe(studio) { room, pipe in
                room.player.load(stream.playable(first.lastPathComponent), as: q1, fromMs: 0, paused: moment == .paused)
                room.player.follow(with: .file(next), as: q2)
                try await room.wait { _ in stream.isAtStop && room.story == ["began q1"] }
                pipe.readAll()
                #expect(await room.player.goOn(with: .file(other), as: q1))
                stream.end(.success(()))
                try await room.wait { _ in moment != .paused || room.player.handover?.order != nil }
                room.player.setPaused(false)
                try await room.wait { $0.contains(.ended(q2)) }
                #expect(room.story == ["began q1", "began q2", "ended q2"])
            }
            return Self.samples(sound)
        }

        @Test(arguments: ["wav", "flac", "mp3"], Moment.allCases) func `the other place begins at the sample where the first ends`(
            kind: String, moment: Moment
        ) async throws {
            let studio = try Studio()
            let first = try Self.tone(studio, "first.\(kind)", hertz: 440)
            let other = try Self.tone(studio, "other.flac", hertz: 1000)

            let heard = try await hear(first, then: other, moment, studio)

            let (before, after) = (try Self.decoded(first, studio), try Self.decoded(other, studio))
            let cut = Self.cut(heard, after)
            #expect(heard.count == after.count + 22_050)
            // Half of the bytes, less what a parser keeps back.
            #expect((130_000...180_000).contains(cut), "\(cut)")
            #expect(Self.cut(Array(heard[..<cut].reversed()), before[..<cut].reversed()) < 5, "\(cut)")
        }

        @Test(arguments: ["mp3", "ogg", "m4a"]) func `an encoded place goes on with what its decoder gives there`(kind: String) async throws
        {
            let studio = try Studio()
            let other = try Self.tone(studio, "other.\(kind)", hertz: 1000)

            let heard = try await hear(try Self.tone(studio, "first.flac", hertz: 440), then: other, .paused, studio)

            let after = try Self.decoded(other, studio)
            #expect(heard.count == after.count + 22_050)
            #expect((130_000...180_000).contains(Self.cut(heard, after, within: kind == "m4a" ? 1_000 : 2)))
        }

        /// A player that waits, paused, for the change of places in the middle of a track.
        private func withHandover(
            _ studio: Studio, to other: Playable, _ body: @escaping @Loop (Listening, SoundPipe) async throws -> Void
        ) async throws {
            let stream = try ServerStreams.Stream(try Self.tone(studio, "first.flac", hertz: 440), stopsAt: 0.5)
            let next = try studio.sine("next.flac", seconds: 0.5)
            try await withSoundPipe(studio) { room, pipe in
                room.player.load(stream.playable("first.flac"), as: q1, fromMs: 0, paused: true)
                room.player.follow(with: .file(next), as: q2)
                try await room.wait { _ in stream.isAtStop && room.story == ["began q1"] }
                #expect(await room.player.goOn(with: other, as: q1))
                stream.end(.success(()))
                try await body(room, pipe)
            }
        }

        @Test func `a seek before the change of places plays the other place as a whole`() async throws {
            let studio = try Studio()
            let other = try Self.tone(studio, "other.mp3", hertz: 1000)
            try await withHandover(studio, to: .file(other)) { room, pipe in
                room.player.setPaused(false)
                try await room.wait { _ in room.player.handover == nil && room.player.deck.live?.joint != nil }
                room.player.setPaused(true)
                try await room.wait { _ in room.lines.last?.rate == 0 }
                room.player.seek(toMs: 1_000)
                try await room.wait { _ in room.lines.last.map { ($0.positionMs - 1_000).magnitude <= 20 } ?? false }
                room.player.setPaused(false)
                room.player.seek(toMs: 7_500)
                pipe.readAll()
                try await room.wait { $0.contains(.ended(q2)) }
                #expect(room.story == ["began q1", "began q2", "ended q2"])
                #expect(room.lines.allSatisfy { $0.positionMs < 8_100 })
            }
        }

        @Test func `what could refer to other files is no rest of a track`() async throws {
            let studio = try Studio()
            let song = try Self.tone(studio, "other.flac", hertz: 1000, seconds: 2)
            let sheet = try studio.write("FILE \"\(song.path)\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n", to: "other.cue")
            try await withHandover(studio, to: .file(sheet)) { room, pipe in
                room.player.setPaused(false)
                pipe.readAll()
                try await room.wait { _ in room.failure != nil }
                #expect(room.story == ["began q1", "failed q1"])
            }
        }

        @Test func `a seek while places change goes to the other place`() async throws {
            let studio = try Studio()
            let other = try Self.tone(studio, "other.flac", hertz: 1000)
            try await withHandover(studio, to: .file(other)) { room, pipe in
                room.player.seek(toMs: 7_000)
                try await room.wait { _ in room.lines.last.map { ($0.positionMs - 7_000).magnitude <= 20 } ?? false }
                room.player.setPaused(false)
                pipe.readAll()
                try await room.wait { $0.contains(.ended(q2)) }
                #expect(room.story == ["began q1", "began q2", "ended q2"])
            }
        }

        @Test func `another place that cannot be played is one failure`() async throws {
            let studio = try Studio()
            try await withHandover(studio, to: .file(try studio.write("This is no music.", to: "other.flac"))) { room, pipe in
                room.player.setPaused(false)
                pipe.readAll()
                try await room.wait { _ in room.failure != nil }
                #expect(room.story == ["began q1", "failed q1"])
                room.player.load(.file(try studio.sine("later.flac", seconds: 0.5)), as: q3, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q3)) }
            }
        }

        @Test func `what is loaded while places change ends at its end`() async throws {
            let studio = try Studio()
            let other = try Self.tone(studio, "other.flac", hertz: 1000)
            try await withHandover(studio, to: .file(other)) { room, pipe in
                room.player.load(.file(try studio.sine("later.flac", seconds: 0.5)), as: q3, fromMs: 0, paused: false)
                pipe.readAll()
                try await room.wait { $0.contains(.ended(q3)) }
                #expect(room.story == ["began q1", "began q3", "ended q3"])
            }
        }

        @Test func `a track that has not begun begins at its other place`() async throws {
            let studio = try Studio()
            let stream = try ServerStreams.Stream(try Self.tone(studio, "first.flac", hertz: 440), stopsAt: 0)
            let other = try Self.tone(studio, "other.flac", hertz: 1000, seconds: 0.5)
            let next = try studio.sine("next.flac", seconds: 0.5)
            try await withSoundPipe(studio) { room, pipe in
                pipe.readAll()
                room.player.load(stream.playable("first.flac"), as: q1, fromMs: 0, paused: false)
                room.player.follow(with: .file(next), as: q2)
                try await room.wait { _ in stream.isAtStop }
                #expect(await room.player.goOn(with: .file(other), as: q1))
                try await room.wait { $0.contains(.ended(q2)) }
                #expect(room.story == ["began q1", "began q2", "ended q2"])
            }
        }

        @Test func `closing a player while places change leaves no caller waiting`() async throws {
            let studio = try Studio()
            let other = try Self.tone(studio, "other.flac", hertz: 1000)
            let stream = try ServerStreams.Stream(try Self.tone(studio, "first.flac", hertz: 440), stopsAt: 0.5)
            try await withPlayer { room in
                room.player.load(stream.playable("first.flac"), as: q1, fromMs: 0, paused: true)
                try await room.wait { _ in stream.isAtStop && room.story == ["began q1"] }
                let player = room.player!
                let answer = Task(executorPreference: Loop.jobs) { await player.goOn(with: .file(other), as: q1) }
                try await room.wait { _ in player.handover != nil }
                await player.close()
                _ = await answer.value
            }
        }
    }
}
