/// What the hub reads for the player from other servers: without gaps, also when it goes on from another place.
import BatonCore
import BatonSeams
import Foundation
import Synchronization
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct ServerStreams {
        /// A file's bytes as of another server. They wait at `stopsAt` until `end` says how they end.
        private final class Stream: ByteSource {
            private let bytes: [UInt8]
            private let stopsAt: Int
            private let state = Mutex((end: Result<Void, SourceFault>?.none, reachesStop: false))
            let hasRanges: Bool

            init(_ file: URL, stopsAt part: Double = 2, hasRanges: Bool = true) throws {
                bytes = [UInt8](try Data(contentsOf: file))
                stopsAt = Int(Double(bytes.count) * part)
                self.hasRanges = hasRanges
            }

            var length: Int64? { Int64(bytes.count) }
            var version: ContentVersion? { nil }
            var isAtStop: Bool { state.withLock { $0.reachesStop } }

            func end(_ how: Result<Void, SourceFault>) { state.withLock { $0.end = how } }

            func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
                guard Int(position) >= stopsAt else {
                    let end = min(bytes.count, stopsAt, Int(position) + count)
                    return Array(bytes[min(end, Int(position))..<end])
                }
                while true {
                    let how = state.withLock { state in
                        state.reachesStop = true
                        return state.end
                    }
                    if let how {
                        try how.get()
                        return []
                    }
                    guard !Task.isCancelled else { throw .cancelled }
                    await Task.yield()
                }
            }

            func playable(_ name: String) -> Playable { Playable(.bytes(NamedBytes(name, self))) }
        }

        private static func tone(_ studio: Studio, _ name: String, hertz: Int, seconds: Double) throws -> URL {
            try studio.run([
                "sox", "-D", "-n", "-r", "44100", "-b", "16", "-c", "2", studio.file(name).path, "synth", "\(seconds)", "sine", "\(hertz)",
                "vol", "0.5",
            ])
            return studio.file(name)
        }

        /// Left samples of what was heard.
        private static func samples(_ file: URL) throws -> [Int16] {
            try Data(contentsOf: file).withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count - 3, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self) }
            }
        }

        private static func longestSilence(_ samples: [Int16]) -> Int {
            var (longest, now) = (0, 0)
            for sample in samples {
                now = abs(Int(sample)) < 200 ? now + 1 : 0
                longest = max(longest, now)
            }
            return longest
        }

        /// How often the sound crosses zero upwards in a second.
        private static func hertz(_ samples: ArraySlice<Int16>) -> Double {
            let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
            return Double(crossings) * 44_100 / Double(max(1, samples.count))
        }

        @Test func `a file and tracks of two servers follow each other to the sample`() async throws {
            let studio = try Studio()
            let whole = try studio.sine("whole.flac", seconds: 6)
            for (name, start) in [("a", 0), ("b", 88_200), ("c", 176_400)] {
                try studio.run(["sox", whole.path, studio.file("\(name).flac").path, "trim", "\(start)s", "88200s"])
            }
            try studio.run(["sox", whole.path, "-t", "raw", studio.file("whole.raw").path])
            let out = studio.file("out.raw")
            let (second, third) = (try Stream(studio.file("b.flac")), try Stream(studio.file("c.flac")))

            try await withPlayer(.pcm(out.path)) { room in
                room.player.load(.file(studio.file("a.flac")), as: q1, fromMs: 0, paused: false)
                room.player.follow(with: second.playable("b.flac"), as: q2)
                try await room.wait { $0.contains(.began(q2)) }
                var last = third.playable("c.flac")
                last.headers = ["X-Token": "secret"]
                room.player.follow(with: last, as: q3)
                try await room.wait { $0.contains(.ended(q3)) }
                #expect(room.story == ["began q1", "began q2", "began q3", "ended q3"])
            }
            #expect(try Data(contentsOf: out) == Data(contentsOf: studio.file("whole.raw")))
        }

        @Test(arguments: ["wav", "flac", "mp3"]) func `a track whose bytes stop goes on elsewhere where its sound ended`(kind: String)
            async throws
        {
            let studio = try Studio()
            let first = try Self.tone(studio, "first.wav", hertz: 440, seconds: 8)
            let encoded = studio.file("one.\(kind)")
            try studio.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", first.path, encoded.path])
            let other = try Self.tone(studio, "other.flac", hertz: 1000, seconds: 8)
            let next = try studio.sine("next.flac", seconds: 0.5)
            let stream = try Stream(encoded, stopsAt: 0.5)
            let out = studio.file("out.raw")

            try await withPlayer(.pcm(out.path)) { room in
                room.player.load(stream.playable("one.\(kind)"), as: q1, fromMs: 0, paused: false)
                room.player.follow(with: .file(next), as: q2)
                try await room.wait { _ in stream.isAtStop && room.story == ["began q1"] }
                #expect(room.player.goOn(with: .file(other), as: q1))
                stream.end(.success(()))
                try await room.wait { $0.contains(.ended(q2)) }
                #expect(room.story == ["began q1", "began q2", "ended q2"])
            }
            let heard = try Self.samples(out)
            // The two tones are as long as the track, within a frame of its encoding, and nothing is missing between them.
            #expect(abs(heard.count - 8 * 44_100 - 22_050) < 5_000, "\(heard.count)")
            #expect(Self.longestSilence(Array(heard[4_000..<(heard.count - 4_000)])) < 450)
            #expect(abs(Self.hertz(heard[44_100..<132_300]) - 440) < 5)
            #expect(abs(Self.hertz(heard[220_500..<330_750]) - 1000) < 5)
        }

        @Test func `bytes that break off are a failure with a reason, and no end`() async throws {
            let studio = try Studio()
            let stream = try Stream(try studio.sine("one.wav", seconds: 4), stopsAt: 0.5)
            try await withPlayer { room in
                room.player.load(stream.playable("one.wav"), as: q1, fromMs: 0, paused: false)
                try await room.wait { _ in stream.isAtStop && room.story == ["began q1"] }
                stream.end(.failure(SourceFault(.unavailable, "The server is gone.")))
                try await room.wait { _ in room.failure != nil }
                #expect(room.story == ["began q1", "failed q1"])
                #expect(room.failure?.reason == "“one.wav” cannot be played on: The server is gone.")
            }
        }

        @Test func `missing bytes are told as buffering, and their coming too`() async throws {
            let studio = try Studio()
            let stream = try Stream(try studio.sine("one.wav", seconds: 3), stopsAt: 0.5)
            try await withPlayer { room in
                room.player.load(stream.playable("one.wav"), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.buffering(q1, true)) }
                stream.end(.success(()))
                try await room.wait { $0.contains(.ended(q1)) }
            }
        }
    }
}
