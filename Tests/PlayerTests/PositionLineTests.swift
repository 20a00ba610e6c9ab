import BatonCore
import Testing

@testable import Player

@Suite struct PositionLineTests {
    /// Ten samples a second of a device that started at `offsetUs` and runs `ppm` too fast.
    private func heard(
        seconds: Double, seed: UInt64, noiseUs: Double = 0, ppm: Double = 0, offsetUs: Double = 0, rate: Int = 1000,
        into line: inout PositionLine, from startUs: Microseconds = 1_000_000_000
    ) -> Microseconds {
        var random = Noise(seed: seed)
        var at = startUs
        for step in 0...Int(seconds * 10) {
            at = startUs + Microseconds(step) * 100_000
            let true_ = Double(at - startUs) * Double(rate) / 1000 * (1 + ppm / 1e6) + offsetUs
            line.add(atUs: at, positionUs: true_ + random.normal() * noiseUs)
        }
        return at
    }

    @Test(arguments: 0..<100 as Range<UInt64>) func `noise of a millisecond is evened out to half of it`(seed: UInt64) {
        var line = PositionLine(rate: 1000)

        let end = heard(seconds: 6, seed: seed, noiseUs: 1000, into: &line)

        let error = line.positionUs(at: end)! - 6_000_000
        #expect(abs(error) < 1500, "seed \(seed): off by \(error) us")
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `a device with a clock of its own is followed`(seed: UInt64) {
        var line = PositionLine(rate: 1500)

        let end = heard(seconds: 10, seed: seed, noiseUs: 100, ppm: 300, rate: 1500, into: &line)

        let error = line.positionUs(at: end)! - 15_000_000 * 1.0003
        #expect(abs(error) < 400, "seed \(seed): off by \(error) us")
    }

    @Test func `a line is settled after a few seconds, stays so with a sample a second, and a wild sample unsettles it`() {
        var line = PositionLine(rate: 1000)
        #expect(!line.isSettled)
        let middle = heard(seconds: 2, seed: 1, into: &line)
        #expect(!line.isSettled)
        let begin = middle - 2_000_000
        line.add(atUs: begin + 4_000_000, positionUs: 4_000_000)
        #expect(line.isSettled)
        for second in [5, 6, 7, 9, 10] {
            line.add(atUs: begin + Microseconds(second) * 1_000_000, positionUs: Double(second * 1_000_000))
            #expect(line.isSettled, "at \(second) s")
        }
        line.add(atUs: begin + 11_000_000, positionUs: 5_000_000)
        #expect(!line.isSettled)
    }

    @Test func `one wild sample changes nothing`() {
        var line = PositionLine(rate: 1000)
        let end = heard(seconds: 3, seed: 1, into: &line)

        line.add(atUs: end + 100_000, positionUs: 9_000_000)

        #expect(abs(line.positionUs(at: end)! - 3_000_000) < 1)
    }

    @Test func `a jump is believed when it stays`() {
        var line = PositionLine(rate: 1000)
        let end = heard(seconds: 3, seed: 1, into: &line)

        for step in 1...3 { line.add(atUs: end + Microseconds(step) * 100_000, positionUs: Double(3_200_000 + step * 100_000)) }

        #expect(abs(line.positionUs(at: end + 300_000)! - 3_500_000) < 1)
    }

    @Test func `a line is told anew only when it was left far enough and long enough`() {
        var told = ReportedPosition(positionMs: 1000, atUs: 0, rate: 1000)
        let measured: [(atMs: Milliseconds, errorMs: Double, isLeft: Bool)] = [
            (0, 39, false), (100, 45, false), (200, 0, false), (300, -45, false), (700, 45, false), (800, 45, true),
        ]

        for (atMs, errorMs, isLeft) in measured {
            let left = told.isLeft(by: (1000 + Double(atMs) + errorMs) * 1000, at: Microseconds(atMs))
            #expect(left == isLeft, "at \(atMs) ms")
        }
    }

    @Test func `what is not heard yet starts at zero in the future`() {
        let told = ReportedPosition(positionUs: -150_000, atUs: 1_000_000, rate: 1000)

        #expect(told.positionMs == 0)
        #expect(told.atUs == 1_150_000)
    }

    @Test func `parts of a millisecond are kept in the stamp`() {
        let told = ReportedPosition(positionUs: 12_345_678, atUs: 1_000_000, rate: 2000)

        #expect(told.positionMs == 12_346)
        #expect(told.atUs == 1_000_161)
    }
}

/// Normal noise that is the same at every run.
private struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    private mutating func uniform() -> Double {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Double(state >> 11) / Double(1 << 53 as UInt64)
    }

    /// The sum of twelve uniform numbers is close enough to normal.
    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}
