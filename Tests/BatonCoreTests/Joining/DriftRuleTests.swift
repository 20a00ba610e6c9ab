/// What is done about a room that is not where the other one is.
import Testing

@testable import BatonCore

@Suite struct DriftRuleTests {
    /// A room that is looked at twice a second, and does what the rule says. A seek lands where it was sent, but for some milliseconds.
    private struct Playing {
        var rule = DriftRule()
        var offMs: Double
        let ppm: Double
        var random: SeededGenerator
        var seeks = 0
        private var sinceUs: Microseconds = 0

        init(offMs: Double, ppm: Double, seed: UInt64) {
            self.offMs = offMs
            self.ppm = ppm
            random = SeededGenerator(seed)
        }

        mutating func step(atUs: Microseconds) {
            offMs += 500 * (ppm / 1_000_000 + Double(rule.speed - 1000) / 1000)
            let noise = Double.random(in: -3...3, using: &random)
            switch rule.step(driftMs: offMs + noise, isSettled: atUs - sinceUs >= 1_500_000, atUs: atUs) {
            case .none: break
            case .speed: sinceUs = atUs
            case .seek:
                seeks += 1
                sinceUs = atUs
                offMs = Double.random(in: -30...30, using: &random)
            }
        }
    }

    @Test(arguments: 0..<300) func `after 30 s a room is within 40 ms and stays there, without another seek`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var playing = Playing(
            offMs: Double.random(in: -5000...5000, using: &random), ppm: Double.random(in: -100...100, using: &random), seed: seed)
        var atUs: Microseconds = 0
        var seeks = 0
        while atUs < 600_000_000 {
            atUs += 500_000
            playing.step(atUs: atUs)
            if atUs <= 30_000_000 { seeks = playing.seeks }
            if atUs > 30_000_000 { #expect(abs(playing.offMs) < 40, "seed \(seed): off by \(playing.offMs) at \(atUs)") }
        }
        #expect(playing.seeks == seeks && seeks <= 1, "seed \(seed)")
    }

    @Test func `two seconds are sought at once, less waits until it was measured well`() {
        var rule = DriftRule()
        #expect(rule.step(driftMs: 1999, isSettled: false, atUs: 0) == .none)
        #expect(rule.step(driftMs: -2000, isSettled: false, atUs: 0) == .seek)
        #expect(rule.step(driftMs: 300, isSettled: true, atUs: 1_000_000) == .speed(995))
        #expect(rule.step(driftMs: .infinity, isSettled: true, atUs: 1_000_000) == .none)
    }

    @Test func `the speed is normal again once the rooms are together, and never further off than half a percent`() {
        var rule = DriftRule()
        #expect(rule.step(driftMs: -50, isSettled: true, atUs: 0) == .speed(1005))
        #expect(rule.step(driftMs: -10, isSettled: true, atUs: 0) == .none)
        #expect(rule.step(driftMs: -3, isSettled: true, atUs: 0) == .speed(1000))
        #expect(rule.step(driftMs: 10, isSettled: true, atUs: 0) == .none)
    }

    @Test(arguments: 0..<100) func `the lead holds what was learned within its bounds`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var lead = StartLead()
        for _ in 0..<50 {
            lead.loaded(afterUs: Microseconds(Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)))
            lead.heard(behindMs: Double.random(in: -2000...2000, using: &random))
            #expect(120_000...4_500_000 ~= lead.leadUs && 0...500_000 ~= lead.soundUs)
        }
        for _ in 0..<40 { lead.loaded(afterUs: 150_000) }
        #expect(lead.loadUs < 160_000)
    }
}
