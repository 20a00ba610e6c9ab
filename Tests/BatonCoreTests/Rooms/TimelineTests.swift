import BatonCore
import Testing

struct TimelineTests {
    private func line(_ positionMs: Milliseconds, atUs: Microseconds = 0, rate: Int = 1000) -> Timeline {
        Timeline(entry: EntryID(1), positionMs: positionMs, atUs: atUs, rate: rate, state: rate > 0 ? .playing : .paused)
    }

    @Test func `a line runs with its rate`() {
        #expect(line(1000, atUs: 500_000).positionMs(atUs: 2_500_000) == 3000)
        #expect(line(1000, rate: 1500).positionMs(atUs: 2_000_000) == 4000)
        #expect(line(1000, rate: 500).positionMs(atUs: 2_000_000) == 2000)
    }

    @Test func `a line with no rate stands still`() {
        #expect(line(1000, rate: 0).positionMs(atUs: .max) == 1000)
    }

    @Test(.tags(.specification)) func `a line that starts in the future waits at its position`() {
        // Appendix C 6.
        #expect(line(1000, atUs: 5_000_000).positionMs(atUs: 0) == 1000)
        #expect(line(1000, atUs: 5_000_000).positionMs(atUs: 6_000_000) == 2000)
    }

    @Test func `a position stays between the start and the end of its entry`() {
        #expect(line(1000).positionMs(atUs: 60_000_000, durationMs: 30_000) == 30_000)
        #expect(line(-500, rate: 0).positionMs(atUs: 0) == 0)
        #expect(line(50_000, rate: 0).positionMs(atUs: 0, durationMs: 30_000) == 30_000)
        #expect(line(1000).positionMs(atUs: 0, durationMs: -1) == 0)
    }

    @Test func `figures beyond all sense give a position and no end of the process`() {
        let figures: [Int] = [.min, -1 << 53, -1, 0, 1, 1 << 31, 1 << 53, .max]
        for position in figures {
            for at in figures {
                for now in figures {
                    for rate in figures {
                        let drawn = line(Milliseconds(position), atUs: Microseconds(at), rate: rate)
                        #expect(drawn.positionMs(atUs: Microseconds(now)) >= 0)
                        #expect((0...1000).contains(drawn.positionMs(atUs: Microseconds(now), durationMs: 1000)))
                        _ = drawn.isClose(to: line(0), atUs: Microseconds(now), withinMs: 40)
                    }
                }
            }
        }
    }

    @Test(arguments: seeds)
    func `a position never goes back while its line runs`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let from = Milliseconds(random.number(-1000..<100_000))
        let drawn = line(from, atUs: Microseconds(random.number(0..<10_000_000)), rate: random.number(0..<3001))
        var now: Microseconds = 0
        var last = drawn.positionMs(atUs: now, durationMs: 200_000)

        for _ in 0..<50 {
            now += Microseconds(random.number(0..<1_000_000))
            let position = drawn.positionMs(atUs: now, durationMs: 200_000)
            #expect(position >= last)
            last = position
        }
    }

    @Test func `two lines are close when the difference cannot be noticed`() {
        #expect(line(1000).isClose(to: line(1040), atUs: 9_000_000, withinMs: 40))
        #expect(line(1000).isClose(to: line(2000, atUs: 1_000_000), atUs: 9_000_000, withinMs: 0))
        #expect(!line(1000).isClose(to: line(1041), atUs: 9_000_000, withinMs: 40))
        #expect(!line(1000).isClose(to: line(1000, rate: 0), atUs: 0, withinMs: 40))
    }
}

extension Tag {
    /// Cites a clause of the protocol.
    @Tag static var specification: Self
}
