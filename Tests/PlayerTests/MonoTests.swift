/// Both channels are mixed to one, as it is heard. BT-SEC-025
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct BothChannelsAsOne {
        private typealias Frame = SIMD2<Int>

        /// As a room has it that is mono.
        private static let mono: SoundFilters = {
            var modes = Modes()
            modes.isMono = true
            return modes.filters(isSpoken: false)
        }()

        /// Another tone on each side.
        private static func tones(_ studio: Studio, _ name: String, seconds: Int) throws -> URL {
            let words = ["sox", "-D", "-n", "-r", "44100", "-b", "16", "-c", "2", studio.file(name).path, "synth", "\(seconds)"]
            try studio.run(words + ["sine", "440", "sine", "660", "vol", "0.5"])
            return studio.file(name)
        }

        private static func frames(_ sound: Data) -> [Frame] {
            sound.withUnsafeBytes { bytes in
                let samples = bytes.bindMemory(to: Int16.self)
                return (0..<samples.count / 2).map { Frame(Int(samples[2 * $0]), Int(samples[2 * $0 + 1])) }
            }
        }

        private static func decoded(_ studio: Studio, _ file: URL) throws -> [Frame] {
            let raw = studio.file("\(file.lastPathComponent).raw")
            try studio.run(["sox", file.path, "-t", "raw", "-e", "signed", "-b", "16", "-c", "2", raw.path])
            return frames(try Data(contentsOf: raw))
        }

        private static func isMix(_ heard: Frame, of frame: Frame) -> Bool {
            heard.x == heard.y && abs(2 * heard.x - frame.x - frame.y) <= 2
        }

        @Test(arguments: [true, false]) func `it is switched while it plays, without a gap`(isOnBefore: Bool) async throws {
            let studio = try Studio()
            let file = try Self.tones(studio, "tones.flac", seconds: 12)
            let sound = try await withSoundPipe(studio) { room, _ in
                room.player.setFilters(isOnBefore ? Self.mono : SoundFilters())
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { _ in (room.player.measuredMs ?? 0) > 500 }
                room.player.setFilters(isOnBefore ? SoundFilters() : Self.mono)
                try await room.wait { $0.contains(.ended(q1)) }
            }
            let (heard, whole) = (Self.frames(sound), try Self.decoded(studio, file))
            try #require(heard.count == whole.count)
            func isAsIt(_ isMono: Bool, _ place: Int) -> Bool {
                isMono ? Self.isMix(heard[place], of: whole[place]) : heard[place] == whole[place]
            }
            let change = try #require(heard.indices.first { !isAsIt(isOnBefore, $0) })
            #expect(change > 4410 && (change..<heard.count).allSatisfy { isAsIt(!isOnBefore, $0) })
        }

        @Test func `what follows is mixed from its first sample on, whatever its form`() async throws {
            let studio = try Studio()
            let files = try [Self.tones(studio, "one.flac", seconds: 1), Self.tones(studio, "two.wav", seconds: 1)]
            let out = studio.file("out.raw")
            try await withPlayer(.pcm(out.path)) { room in
                room.player.setFilters(Self.mono)
                room.player.setNext(Rendering(filters: Self.mono))
                room.player.load(.file(files[0]), as: q1, fromMs: 0, paused: true)
                room.player.follow(with: .file(files[1]), as: q2)
                room.player.setPaused(false)
                try await room.wait { $0.contains(.ended(q2)) }
            }
            let (heard, whole) = (Self.frames(try Data(contentsOf: out)), try files.flatMap { try Self.decoded(studio, $0) })
            try #require(heard.count == whole.count)
            #expect(heard.indices.allSatisfy { Self.isMix(heard[$0], of: whole[$0]) })
        }

        /// An output that is a pipe would stop at another number of channels.
        @Test func `a recording with one channel plays on when it is switched`() async throws {
            let studio = try Studio()
            let file = studio.file("one.flac")
            try studio.run(["sox", "-D", "-n", "-r", "44100", "-b", "16", "-c", "1", file.path, "synth", "8", "sine", "440", "vol", "0.5"])
            let sound = try await withSoundPipe(studio) { room, _ in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { _ in (room.player.measuredMs ?? 0) > 500 }
                room.player.setFilters(Self.mono)
                try await room.wait { $0.contains(.ended(q1)) }
            }
            #expect(sound.count == 8 * 44_100 * 2)
        }

        @Test func `a recording with one channel is as loud as before`() async throws {
            let studio = try Studio()
            let file = studio.file("one.flac")
            try studio.run(["sox", "-D", "-n", "-r", "44100", "-b", "16", "-c", "1", file.path, "synth", "1", "sine", "440", "vol", "0.5"])
            let out = studio.file("out.raw")
            try await withPlayer(.pcm(out.path)) { room in
                room.player.setFilters(Self.mono)
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
            }
            #expect(Self.frames(try Data(contentsOf: out)) == (try Self.decoded(studio, file)))
        }
    }
}
