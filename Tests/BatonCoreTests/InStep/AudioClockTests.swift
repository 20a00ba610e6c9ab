import BatonCore
import Foundation
import Testing

/// How well a device that plays sound knows the clock of its hub: “In step” in the specification.
@Suite struct `The hub's clock on a device that plays sound` {
    struct Link: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What each way takes at least, and how much more on average.
        let leastUs: Double
        let spreadUs: Double
        /// The bound for 99 of 100 moments.
        let boundUs: Double
    }

    static let links = [
        Link(testDescription: "wired", leastUs: 150, spreadUs: 40, boundUs: 60),
        Link(testDescription: "Wi-Fi", leastUs: 1200, spreadUs: 900, boundUs: 900),
    ]

    /// Ten minutes, clocks up to 100 millionths apart, of eight exchanges the best every ten seconds.
    @Test(arguments: links) func `is known far better than an ear can tell`(link: Link) {
        var errors: [Double] = []
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededGenerator(seed)
            let drift = Double.random(in: -100e-6...100e-6, using: &random)
            func hub(_ us: Double) -> Double { 5e9 + us * (1 + drift) }
            var clock = AudioClock()
            for turn in 0..<60 {
                let at = Double(turn) * 10e6
                var best: (offset: Double, error: Double)?
                for _ in 0..<8 {
                    let there = link.leastUs + link.spreadUs * -log(Double.random(in: 0.001..<1, using: &random))
                    let back = link.leastUs + link.spreadUs * -log(Double.random(in: 0.001..<1, using: &random))
                    let offset = ((hub(at + there) - at) + (hub(at + there) - (at + there + back))) / 2
                    if (there + back) / 2 < best?.error ?? .infinity { best = (offset, (there + back) / 2) }
                }
                if let best { clock.take(offsetUs: best.offset, errorUs: best.error, atUs: Microseconds(at)) }
                guard turn >= 6 else { continue }
                for step in 0..<5 {
                    let asked = at + Double(step) * 2e6
                    errors.append(abs(Double(clock.hubUs(atUs: Microseconds(asked)) ?? 0) - hub(asked)))
                }
            }
        }
        errors.sort()
        #expect(errors[errors.count * 99 / 100] < link.boundUs)
    }

    @Test func `a jump of the device's clock is believed at the next exchange`() throws {
        var clock = AudioClock()
        for turn in 0..<30 { clock.take(offsetUs: 1000, errorUs: 100, atUs: Microseconds(turn * 10_000_000)) }

        clock.take(offsetUs: 5_001_000, errorUs: 100, atUs: 301_000_000)

        let found = try #require(clock.hubUs(atUs: 301_000_000))
        #expect((found - 306_001_000).magnitude < 100)
    }

    @Test func `figures that are none are left out`() {
        var clock = AudioClock()
        clock.take(offsetUs: .nan, errorUs: 5, atUs: 1)
        clock.take(offsetUs: 5, errorUs: -1, atUs: 2)

        #expect(!clock.isKnown)
    }
}
