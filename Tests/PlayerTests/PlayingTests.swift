import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

/// All that plays, one after the other: what is measured here shares two ears and one clock.
@Suite(.serialized, .timeLimit(.minutes(3))) struct PlayingTests {}

extension PlayingTests {
    @Suite struct Order {
        @Test func `a file plays to its end and says so`() async throws {
            let studio = try Studio()
            let file = try studio.sine("one.flac", seconds: 0.5)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }

                #expect(room.story == ["began q1", "ended q1"])
            }
        }

        @Test func `two halves of one sine join without a gap and without a loss`() async throws {
            let studio = try Studio()
            let whole = try studio.sine("whole.flac", seconds: 10)
            try studio.run(["sox", whole.path, studio.file("a.flac").path, "trim", "0s", "220500s"])
            try studio.run(["sox", whole.path, studio.file("b.flac").path, "trim", "220500s"])
            try studio.run(["sox", whole.path, "-t", "raw", studio.file("whole.raw").path])
            let out = studio.file("out.raw")

            try await withPlayer(.pcm(out.path)) { room in
                room.player.load(.file(studio.file("a.flac")), as: q1, fromMs: 0, paused: false)
                room.player.follow(with: .file(studio.file("b.flac")), as: q2)
                try await room.wait { $0.contains(.ended(q2)) }

                #expect(room.story == ["began q1", "began q2", "ended q2"])
            }
            let played = try Data(contentsOf: out)
            #expect(played.count == 441_000 * 4)
            #expect(played == (try Data(contentsOf: studio.file("whole.raw"))))
        }

        @Test func `what follows can be changed`() async throws {
            let studio = try Studio()
            let file = try studio.sine("one.flac", seconds: 0.3)
            let other = try studio.sine("other.flac", seconds: 0.3)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: true)
                room.player.follow(with: .file(other), as: q2)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.follow(with: .file(other), as: q3)
                room.player.setPaused(false)
                try await room.wait { $0.contains(.ended(q3)) }

                #expect(room.story == ["began q1", "began q3", "ended q3"])
            }
        }

        @Test func `what follows can be taken back`() async throws {
            let studio = try Studio()
            let file = try studio.sine("one.flac", seconds: 0.3)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: true)
                room.player.follow(with: .file(file), as: q2)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.follow(with: nil, as: nil)
                room.player.setPaused(false)
                try await room.wait { $0.contains(.ended(q1)) }
                // Whatever else came would come before this.
                room.player.load(.file(file), as: q3, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q3)) }

                #expect(room.story == ["began q1", "ended q1", "began q3", "ended q3"])
            }
        }

        @Test(arguments: 0..<20) func `a change of mind at the very end leaves one story`(seed: Int) async throws {
            let studio = try Studio()
            let file = try studio.sine("one.flac", seconds: 0.25)
            let other = try studio.sine("other.flac", seconds: 0.1)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                room.player.follow(with: .file(other), as: q2)
                try await room.wait { $0.contains(.began(q1)) }
                let change = room.lines.first?.atUs ?? room.nowUs
                try await room.wait { _ in room.nowUs >= change + Microseconds(seed) * 15_000 }
                let before = room.story
                room.player.follow(with: .file(other), as: q3)
                try await room.wait { $0.contains(.ended(q3)) || (before.contains("ended q2") && $0.contains(.ended(q2))) }

                // libmpv may have moved on before the change reached it, however little was told by then.
                let both = ["began q1", "began q2", "began q3", "ended q3"]
                let without = ["began q1", "began q3", "ended q3"]
                let tooLate = ["began q1", "began q2", "ended q2"]
                #expect([both, without, tooLate].contains(room.story), "seed \(seed), at \(before): \(room.story)")
            }
        }

        @Test func `what was replaced is not heard of again`() async throws {
            let studio = try Studio()
            let long = try studio.sine("long.flac", seconds: 30)
            let short = try studio.sine("short.flac", seconds: 0.3)

            try await withPlayer { room in
                room.player.load(.file(long), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.load(.file(long), as: q2, fromMs: 0, paused: false)
                room.player.load(.file(short), as: q3, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q3)) }

                #expect(room.story == ["began q1", "began q3", "ended q3"])
            }
        }

        @Test func `what was stopped says nothing more, and something else can be played`() async throws {
            let studio = try Studio()
            let long = try studio.sine("long.flac", seconds: 30)
            let short = try studio.sine("short.flac", seconds: 0.3)

            try await withPlayer { room in
                room.player.load(.file(long), as: q1, fromMs: 0, paused: false)
                room.player.follow(with: .file(short), as: q2)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.stop()
                room.player.load(.file(short), as: q3, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q3)) }

                #expect(room.story == ["began q1", "began q3", "ended q3"])
            }
        }

        @Test func `an idle player is let go, and made again when it is needed`() async throws {
            let studio = try Studio()
            let file = try studio.sine("one.flac", seconds: 0.2)

            try await withPlayer(idleLimit: .milliseconds(100)) { room in
                room.player.prepare()
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
                try await libmpvGoes()
                room.player.load(.file(file), as: q2, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q2)) }

                #expect(room.story == ["began q1", "ended q1", "began q2", "ended q2"])
            }
            try await libmpvGoes()
        }

        @Test func `a player rests after ten idle minutes, and not while something is to be played`() async throws {
            let studio = try Studio()
            let file = try studio.sine("long.flac", seconds: 30)

            try await withPatientPlayer { room, time in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.began(q1)) }
                room.player.setPaused(true)
                time.pass(.seconds(3600))
                room.player.setPaused(false)
                try await room.wait { _ in room.lines.last?.rate == 1000 }

                room.player.stop()
                time.pass(.seconds(599))
                #expect(libmpvIsThere)
                time.pass(.seconds(1))
                try await libmpvGoes()
                room.player.load(.file(file), as: q2, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.began(q2)) }
            }
        }

        @Test func `a closed player says nothing more`() async throws {
            let studio = try Studio()
            let file = try studio.sine("one.flac", seconds: 10)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                await room.player.close()
                let said = room.reports.count
                room.player.load(.file(file), as: q2, fromMs: 0, paused: false)

                #expect(room.reports.count == said)
                try await libmpvGoes()
            }
        }
    }
}

/// Waits until no thread of libmpv is left in this process. Its helpers end a moment after it.
func libmpvGoes(in place: SourceLocation = #_sourceLocation) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while libmpvIsThere {
        try #require(ContinuousClock.now < end, "libmpv is still there.", sourceLocation: place)
        try await Task.sleep(for: .milliseconds(5))
    }
}

private var libmpvIsThere: Bool {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.contains { (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))?.hasPrefix("mpv") == true }
}
