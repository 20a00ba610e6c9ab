import BatonClient
import BatonCore
import BatonProtocol
import Testing

/// The filter of “Timeline and clock” in the specification.
@Suite struct `A clock is known from its exchanges` {
    /// An exchange that took `there` and `back` microseconds, with a hub `offset` ahead.
    private func add(_ filter: inout ClockFilter, sentUs t1: Microseconds, there: Microseconds, back: Microseconds, offset: Microseconds) {
        let at = t1 + there + offset
        filter.add(ClockSample(t1: t1.count, t2: at.count, t3: at.count + 100), receivedUs: t1 + there + 100 + back)
    }

    @Test func `an exchange with equal ways gives the offset exactly`() {
        var filter = ClockFilter()

        add(&filter, sentUs: 1000, there: 300, back: 300, offset: 7_000_000)

        #expect(filter.best(atUs: 2000)?.offsetUs == 7_000_000)
        #expect(filter.best(atUs: 2000)?.roundTripUs == 600)
        #expect(filter.hubUs(atUs: 2000) == 7_002_000)
    }

    @Test func `nothing is known without an exchange`() {
        #expect(ClockFilter().hubUs(atUs: 1) == nil)
    }

    @Test func `the exchange that can be least wrong is believed`() {
        var filter = ClockFilter()

        add(&filter, sentUs: 0, there: 100, back: 5000, offset: 1000)
        add(&filter, sentUs: 10_000, there: 100, back: 100, offset: 2000)
        add(&filter, sentUs: 20_000, there: 900, back: 100, offset: 3000)

        #expect(filter.best(atUs: 30_000)?.offsetUs == 2000)
    }

    @Test func `an old exchange yields to a worse one when the clocks may have drifted further`() {
        var filter = ClockFilter()

        add(&filter, sentUs: 0, there: 100, back: 100, offset: 1000)
        add(&filter, sentUs: 60_000_000, there: 1500, back: 1500, offset: 4000)

        #expect(filter.best(atUs: 60_003_200)?.offsetUs == 4000, "200 / 2 + 50 ppm of a minute is more than 3000 / 2")
        #expect(filter.errorUs(of: filter.samples[0], atUs: 60_000_300) == 3_100, "200 / 2 + 50 ppm of a minute")
    }

    @Test func `an exchange that ran backwards says nothing`() {
        var filter = ClockFilter()

        filter.add(ClockSample(t1: 5000, t2: 10, t3: 20), receivedUs: 4000)
        filter.add(ClockSample(t1: 1000, t2: 10, t3: 9010), receivedUs: 2000)
        filter.add(ClockSample(t1: nil, t2: 10, t3: 20), receivedUs: 2000)

        #expect(filter.samples.isEmpty)
    }

    @Test func `the last eight exchanges count`() {
        var filter = ClockFilter()

        for count in 0..<20 { add(&filter, sentUs: Microseconds(count * 1000), there: 10, back: 10, offset: Microseconds(count)) }

        #expect(filter.samples.map(\.offsetUs) == (12..<20).map { Microseconds($0) })
        filter.reset()
        #expect(filter.samples.isEmpty)
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func `the hub's clock is never further off than the bound says`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let driftPPM = Int.random(in: -50...50, using: &random)
        let ahead = Microseconds(Int64.random(in: 0...1_000_000_000, using: &random))
        func hubUs(_ us: Microseconds) -> Microseconds { us + ahead + us * driftPPM / 1_000_000 }
        var filter = ClockFilter()
        var us: Microseconds = 0
        func way() -> Microseconds { Microseconds(Int64.random(in: 50...(Bool.random(using: &random) ? 500 : 90_000), using: &random)) }

        for _ in 0..<40 {
            // Mostly quick, sometimes asleep, and never the same both ways.
            let there = way()
            let back = way()
            let t2 = hubUs(us + there)
            let t4 = us + there + 50 + back
            filter.add(ClockSample(t1: us.count, t2: t2.count, t3: hubUs(us + there + 50).count), receivedUs: t4)

            us = t4 + Microseconds(Int64.random(in: 0...30_000_000, using: &random))
            guard let best = filter.best(atUs: us), let newest = filter.samples.last, let shown = filter.hubUs(atUs: us) else {
                Issue.record("seed \(seed): nothing is known")
                return
            }
            let bound = filter.errorUs(of: best, atUs: us)
            // Both clocks round, and they drift inside of a round trip as well.
            #expect((shown - hubUs(us)).magnitude <= bound + 10, "seed \(seed): \(shown - hubUs(us)) of \(bound)")
            #expect(bound <= filter.errorUs(of: newest, atUs: us), "seed \(seed)")
        }
    }
}
