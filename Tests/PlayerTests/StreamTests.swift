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
        final class Stream: ByteSource {
            private struct State {
                var end: Result<Void, SourceFault>?
                var reachesStop = false
                var isReleased = false
                /// Reads that wait at the stop. Each ends with its task, too.
                var waiting: [AsyncStream<Void>.Continuation] = []
            }

            private let bytes: [UInt8]
            private let bound: Int
            private let state = Mutex(State())
            let hasRanges: Bool

            init(_ file: URL, stopsAt part: Double = 2, hasRanges: Bool = true) throws {
                bytes = [UInt8](try Data(contentsOf: file))
                bound = Int(Double(bytes.count) * part)
                self.hasRanges = hasRanges
            }

            var length: Int64? { Int64(bytes.count) }
            var version: ContentVersion? { nil }
            var isAtStop: Bool { state.withLock { $0.reachesStop } }

            /// The rest of the bytes comes.
            func release() { change { $0.isReleased = true } }

            func end(_ how: Result<Void, SourceFault>) { change { $0.end = how } }

            private func change(_ body: (inout State) -> Void) {
                let waiting = state.withLock { state in
                    body(&state)
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for read in waiting { read.finish() }
            }

            func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
                while true {
                    let (stop, waiting) = AsyncStream<Void>.makeStream()
                    let (stopsAt, how) = state.withLock { state -> (Int, Result<Void, SourceFault>?) in
                        let stopsAt = state.isReleased ? bytes.count : bound
                        guard Int(position) >= stopsAt, Int(position) < bytes.count else { return (stopsAt, nil) }
                        state.reachesStop = true
                        if state.end == nil { state.waiting.append(waiting) }
                        return (stopsAt, state.end)
                    }
                    guard Int(position) >= stopsAt, Int(position) < bytes.count else {
                        let end = min(bytes.count, stopsAt, Int(position) + count)
                        return Array(bytes[min(end, Int(position))..<end])
                    }
                    if let how {
                        try how.get()
                        return []
                    }
                    for await _ in stop {}
                    guard !Task.isCancelled else { throw .cancelled }
                }
            }

            func playable(_ name: String) -> Playable { Playable(.bytes(NamedBytes(name, self))) }
        }

        @Test func `a file and tracks of two servers follow each other to the sample`() async throws {
            let studio = try Studio()
            let whole = try studio.sine("whole.flac", seconds: 6)
            for (name, start) in [("a.flac", 0), ("b.wav", 88_200), ("c.flac", 176_400)] {
                try studio.run(["sox", whole.path, studio.file(name).path, "trim", "\(start)s", "88200s"])
            }
            try studio.run(["sox", whole.path, "-t", "raw", studio.file("whole.raw").path])
            let out = studio.file("out.raw")
            // Each is held back until what follows it is known: sound for a file is played as fast as it comes.
            let (second, third) = (try Stream(studio.file("b.wav"), stopsAt: 0.9), try Stream(studio.file("c.flac")))

            try await withPlayer(.pcm(out.path)) { room in
                room.player.load(.file(studio.file("a.flac")), as: q1, fromMs: 0, paused: false)
                room.player.follow(with: second.playable("b.wav"), as: q2)
                try await room.wait { $0.contains(.began(q2)) }
                var last = third.playable("c.flac")
                last.headers = ["X-Token": "secret"]
                room.player.follow(with: last, as: q3)
                second.release()
                try await room.wait { $0.contains(.ended(q3)) }
                #expect(room.story == ["began q1", "began q2", "began q3", "ended q3"])
            }
            #expect(try Data(contentsOf: out) == Data(contentsOf: studio.file("whole.raw")))
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

        /// Plays on once the place is known: until then a player cannot tell how much it holds.
        @Loop private func begin(_ stream: Stream, in room: Listening) async throws {
            room.player.load(stream.playable("one.wav"), as: q1, fromMs: 0, paused: true)
            try await room.wait { _ in !room.lines.isEmpty }
            room.player.setPaused(false)
        }

        @Test func `bytes that stop coming are told before the sound runs out`() async throws {
            let studio = try Studio()
            let stream = try Stream(try studio.sine("one.wav", seconds: 8), stopsAt: 0.4)
            try await withPlayer { room in
                room.player.stalls.patience = .milliseconds(30)
                try await begin(stream, in: room)
                try await room.wait { $0.contains(.starving(q1)) }
                #expect(!room.reports.contains(.buffering(q1, true)))
                #expect(stream.isAtStop)
            }
        }

        @Test func `a server that rests while much sound is held is let be`() async throws {
            let studio = try Studio()
            let stream = try Stream(try studio.sine("one.wav", seconds: 12), stopsAt: 0.5)
            try await withPlayer { room in
                room.player.stalls.patience = .milliseconds(30)
                try await begin(stream, in: room)
                try await room.wait { $0.contains(.starving(q1)) }
                // Six seconds are held at first, and the word comes when it is four.
                #expect((room.player.position.nowMs ?? 0) > 1_500)
            }
        }
    }
}
