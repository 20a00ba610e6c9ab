import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct Position {
        /// Where a line says that playing is at a moment.
        private func position(_ line: (entry: EntryID, positionMs: Milliseconds, atUs: Microseconds, rate: Int), at us: Microseconds)
            -> Double
        {
            Double(line.positionMs) + Double(us - line.atUs) / 1000 * Double(line.rate) / 1000
        }

        /// Comparisons with the clock: a device that is late on a busy machine cannot be told from a line that is wrong, so one attempt in
        /// five has to be right. Each gives back its complaint.
        @Loop private func oneInFive(_ attempt: @Loop () async throws -> String?) async throws {
            var wrong: [String] = []
            while wrong.count < 5 {
                guard let complaint = try await attempt() else { return }
                wrong.append(complaint)
            }
            Issue.record("Wrong each time: \(wrong)")
        }

        @Test func `one line tells the truth for three seconds, and pause ends it`() async throws {
            let studio = try Studio()
            let file = try studio.sine("long.flac", seconds: 30)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: true)
                try await room.wait { _ in room.lines.last?.rate == 0 }
                try await oneInFive {
                    let told = room.lines.count
                    room.player.setPaused(false)
                    try await room.wait { _ in room.lines.count > told }
                    let began = room.lines[told]
                    try await room.wait { _ in room.nowUs > began.atUs + 3_000_000 }
                    let isOne = room.lines.count == told + 1
                    room.player.setPaused(true)
                    try await room.wait { _ in room.lines.last?.rate == 0 }

                    let paused = try #require(room.lines.last)
                    #expect(began.rate == 1000)
                    let isTrue = abs(position(began, at: paused.atUs) - Double(paused.positionMs)) < 20
                    return isOne && isTrue ? nil : "\(room.lines[told...])"
                }
            }
        }

        @Test func `after a pause the line goes on where it stood`() async throws {
            let studio = try Studio()
            let file = try studio.sine("long.flac", seconds: 30)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 5000, paused: true)
                try await room.wait { _ in !room.lines.isEmpty }
                let stood = room.lines[0]
                let resumedUs = room.nowUs
                room.player.setPaused(false)
                try await room.wait { _ in room.lines.last?.rate == 1000 }

                let moved = try #require(room.lines.last)
                #expect(stood.rate == 0)
                #expect((stood.positionMs - 5000).magnitude <= 1)
                // However late it is told: not behind the place, and not beyond what can have been played since.
                #expect(moved.positionMs > 4970 && position(moved, at: resumedUs) < 5030, "\(room.lines)")
            }
        }

        @Test func `a seek lands where it was sent`() async throws {
            let studio = try Studio()
            let file = try studio.sine("long.flac", seconds: 30)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: true)
                try await room.wait { _ in !room.lines.isEmpty }
                for target in [20_000, 3_456, -5, 12_345] as [Milliseconds] {
                    let told = room.lines.count
                    room.player.seek(toMs: target)
                    try await room.wait { _ in room.lines.count > told }
                    #expect((room.lines.last!.positionMs - max(0, target)).magnitude <= 20, "\(target): \(room.lines.last!)")
                }
            }
        }

        @Test func `a seek lands where it was sent also in what was playing before it was paused`() async throws {
            let studio = try Studio()
            let file = try studio.sine("long.flac", seconds: 30)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { _ in room.lines.last?.rate == 1000 }
                room.player.setPaused(true)
                try await room.wait { _ in room.lines.last?.rate == 0 }
                for target in [20_000, 3_456, 12_345] as [Milliseconds] {
                    let told = room.lines.count
                    room.player.seek(toMs: target)
                    try await room.wait { _ in room.lines.count > told }
                    #expect(room.lines.last?.positionMs == target && room.lines.last?.rate == 0, "\(room.lines)")
                }
                let resumedUs = room.nowUs
                room.player.setPaused(false)
                try await room.wait { _ in room.lines.last?.rate == 1000 }
                let moved = try #require(room.lines.last)
                #expect(moved.positionMs > 12_245 && position(moved, at: resumedUs) < 12_445, "\(room.lines)")
            }
        }

        @Test func `playing goes on only once a seek has been carried out`() async throws {
            let studio = try Studio()
            let file = try studio.sine("long.flac", seconds: 30)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: true)
                try await room.wait { _ in !room.lines.isEmpty }
                var wasPaused: Bool?
                room.player.seek(toMs: 20_000)
                room.player.setPaused(false)
                room.player.order { core in
                    core.get("pause") { _, answer in wasPaused = answer.flag }
                }
                try await room.wait { _ in room.lines.last?.rate == 1000 }

                #expect(wasPaused == true, "what the output holds of the place before would be heard")
                #expect(room.lines.allSatisfy { $0.rate == 0 || $0.positionMs > 19_900 }, "\(room.lines)")
            }
        }

        @Test func `many seeks in a row end at the last one`() async throws {
            let studio = try Studio()
            let file = try studio.sine("long.flac", seconds: 30)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { _ in !room.lines.isEmpty }
                let soughtUs = room.nowUs
                for target in 1...20 { room.player.seek(toMs: Milliseconds.seconds(target)) }
                try await room.wait { _ in (room.lines.last?.positionMs ?? 0) >= 20_000 }

                #expect(position(room.lines.last!, at: soughtUs) < 20_200)
                #expect(room.lines.dropFirst().allSatisfy { $0.positionMs >= 20_000 }, "\(room.lines)")
            }
        }

        @Test func `a seek that comes before the sound is kept`() async throws {
            let studio = try Studio()
            let file = try studio.sine("long.flac", seconds: 30)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: true)
                room.player.seek(toMs: 7000)
                try await room.wait { _ in room.lines.last.map { ($0.positionMs - 7000).magnitude <= 20 } ?? false }
            }
        }

        @Test func `speed changes the line`() async throws {
            let studio = try Studio()
            let file = try studio.sine("long.flac", seconds: 30)

            try await withPlayer { room in
                room.player.setSpeed(permille: 1500)
                room.player.load(.file(file), as: q1, fromMs: 0, paused: true)
                try await room.wait { _ in room.lines.last?.rate == 0 }
                try await oneInFive {
                    let told = room.lines.count
                    room.player.setPaused(false)
                    try await room.wait { _ in room.lines.last?.rate == 1500 }
                    let fast = room.lines.last!
                    try await room.wait { _ in room.nowUs > fast.atUs + 1_500_000 }
                    room.player.setPaused(true)
                    try await room.wait { _ in room.lines.last?.rate == 0 }

                    let stood = room.lines.last!
                    let isTrue = abs(position(fast, at: stood.atUs) - Double(stood.positionMs)) < 30
                    return isTrue ? nil : "\(room.lines[told...])"
                }
            }
        }

        @Test func `the line of a follower starts when its first sound is heard`() async throws {
            let studio = try Studio()
            let file = try studio.sine("one.flac", seconds: 1)
            let other = try studio.sine("other.flac", seconds: 2)

            try await withPlayer { room in
                try await oneInFive {
                    let told = room.lines.count
                    room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                    room.player.follow(with: .file(other), as: q2)
                    try await room.wait { _ in room.lines[told...].contains { $0.entry == q2 } }

                    let lines = room.lines[told...]
                    let (first, second) = (lines.first { $0.entry == q1 }!, lines.first { $0.entry == q2 }!)
                    let isTrue = abs(position(first, at: second.atUs) - 1000 - Double(second.positionMs)) < 20
                    return isTrue ? nil : "\(lines)"
                }
            }
        }

        @Test func `a paused player causes no wake-ups of the loop`() async throws {
            let studio = try Studio()
            let file = try studio.sine("long.flac", seconds: 30)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains { if case .devices = $0 { true } else { false } } && !room.lines.isEmpty }
                room.player.setPaused(true)
                try await room.wait { _ in room.lines.last?.rate == 0 }
                let thread = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
                // What the pause brings along may still be on its way, so that one quiet stretch is waited for.
                var woken: [Int] = []
                while woken.count < 5, woken.last.map({ $0 > 3 }) ?? true {
                    let before = try wakeUps(of: thread)
                    // Off the loop, since coming back to it is a wake-up too.
                    try await Task { @concurrent in try await Task.sleep(for: .seconds(2)) }.value
                    woken.append(try wakeUps(of: thread) - before)
                }

                #expect(woken.last! <= 3, "\(woken), each in two seconds")
            }
        }
    }
}

/// How often a thread has gone to sleep so far.
private func wakeUps(of thread: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(thread)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") })
    return try #require(Int(line.split(separator: "\t").last ?? ""))
}
