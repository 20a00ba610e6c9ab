/// Speeds, as they are heard: how long, how high, and from which sample on.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct Speeds {
        private static let rate = 44_100

        /// What is heard of the two files, one behind the other.
        private static func heard(_ studio: Studio, _ first: URL, at speed: Int, then second: URL, at next: Int) async throws -> [Int16] {
            let out = studio.file("out.raw")
            try await withPlayer(.pcm(out.path)) { room in
                room.player.setSpeed(permille: speed)
                room.player.setNext(Rendering(speed: next))
                room.player.load(.file(first), as: q1, fromMs: 0, paused: true)
                room.player.follow(with: .file(second), as: q2)
                room.player.setPaused(false)
                try await room.wait { $0.contains(.ended(q2)) }
                #expect(room.story == ["began q1", "began q2", "ended q2"])
            }
            return try samples(out)
        }

        /// Of the left channel.
        private static func samples(_ file: URL) throws -> [Int16] {
            let data = try Data(contentsOf: file)
            return (0..<data.count / 4).map { frame in
                let (low, high) = (Int(data[frame * 4]), Int(data[frame * 4 + 1]))
                return Int16(truncatingIfNeeded: low | high << 8)
            }
        }

        private static func raw(_ studio: Studio, _ file: URL) throws -> [Int16] {
            let raw = studio.file(file.lastPathComponent + ".raw")
            try studio.run(["sox", file.path, "-t", "raw", raw.path])
            return try samples(raw)
        }

        /// Of so many samples in the middle, by how often the wave rises through zero.
        private static func hertz(_ samples: ArraySlice<Int16>) -> Double {
            let rises = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
            guard let first = rises.first, let last = rises.last, last > first else { return 0 }
            return Double(rises.count - 1) * Double(rate) / Double(last - first)
        }

        /// Within 0.3 %.
        private static func isNear(_ samples: Int, seconds: Double) -> Bool {
            let expected = seconds * Double(rate)
            return abs(Double(samples) - expected) <= expected * 0.003
        }

        @Test func `music behind speech at double speed has every sample, and none of it is faster`() async throws {
            let studio = try Studio()
            let speech = try studio.sine("speech.flac", seconds: 10)
            let music = try studio.sine("music.flac", seconds: 2)
            let whole = try Self.raw(studio, music)

            let heard = try await Self.heard(studio, speech, at: 2000, then: music, at: 1000)

            #expect(Array(heard.suffix(whole.count)) == whole)
            let fast = heard.dropLast(whole.count)
            #expect(Self.isNear(fast.count, seconds: 5))
            let pitch = Self.hertz(fast.dropFirst(Self.rate).dropLast(Self.rate))
            #expect((439...441).contains(pitch))
        }

        @Test func `speech behind music is at its own speed from the beginning`() async throws {
            let studio = try Studio()
            let music = try studio.sine("music.flac", seconds: 2)
            let speech = try studio.sine("speech.flac", seconds: 10)
            let whole = try Self.raw(studio, music)

            let heard = try await Self.heard(studio, music, at: 1000, then: speech, at: 2000)

            #expect(Array(heard.prefix(whole.count)) == whole)
            #expect(Self.isNear(heard.count - whole.count, seconds: 5))
        }

        @Test func `a speed that changes while the next file waits holds for that file`() async throws {
            let studio = try Studio()
            let first = try studio.sine("first.flac", seconds: 2)
            let second = try studio.sine("second.flac", seconds: 10)
            let out = studio.file("out.raw")
            try await withPlayer(.pcm(out.path)) { room in
                room.player.load(.file(first), as: q1, fromMs: 0, paused: true)
                room.player.follow(with: .file(second), as: q2)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.setNext(Rendering(speed: 2000))
                room.player.setPaused(false)
                try await room.wait { $0.contains(.ended(q2)) }
            }
            let count = try Self.samples(out).count - 2 * Self.rate
            #expect(Self.isNear(count, seconds: 5))
        }
    }
}
