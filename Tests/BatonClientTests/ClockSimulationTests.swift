/// How well the clock of a hub is known over a day's links: “Timeline and clock” in the specification.
///
/// Thirty seeds of an hour each, clocks up to 40 ppm apart. Judged halfway between two exchanges, once
/// a minute has passed. The bounds are one and a half times what the design's own simulation found.
import BatonClient
import BatonCore
import BatonProtocol
import Foundation
import Testing

@Suite struct ClockSimulationTests {
    enum Link: String, CaseIterable {
        case wired, wifi, powerSave

        /// One way, in microseconds.
        func delayUs(isDown: Bool, _ random: inout SeededGenerator) -> Microseconds {
            let exponential = -log(Double.random(in: .leastNonzeroMagnitude...1, using: &random))
            guard self != .wired else { return Microseconds(150 + 40 * exponential) }
            var us = 1200 + 900 * exponential
            if Double.random(in: 0..<1, using: &random) < 0.06 { us += Double.random(in: 5000...40_000, using: &random) }
            if self == .powerSave, isDown, Bool.random(using: &random) { us += Double.random(in: 0...100_000, using: &random) }
            return Microseconds(us)
        }
    }

    struct Cell: Sendable {
        let link: Link
        let everySeconds: Int64
        let p50Ms: Double
        let p99Ms: Double
    }

    static let cells = [
        Cell(link: .wired, everySeconds: 60, p50Ms: 0.45, p99Ms: 2.0), Cell(link: .wifi, everySeconds: 60, p50Ms: 0.7, p99Ms: 4.0),
        Cell(link: .powerSave, everySeconds: 60, p50Ms: 1.4, p99Ms: 11), Cell(link: .wired, everySeconds: 10, p50Ms: 0.09, p99Ms: 0.36),
        Cell(link: .wifi, everySeconds: 10, p50Ms: 0.3, p99Ms: 1.4), Cell(link: .powerSave, everySeconds: 10, p50Ms: 0.5, p99Ms: 2.7),
    ]

    @Test(arguments: cells) func `the error stays within the design's figures`(cell: Cell) {
        let errors = (0..<30 as Range<UInt64>).flatMap { Self.errorsMs(cell, seed: $0) }.sorted()

        let p50 = errors[errors.count / 2]
        let p99 = errors[errors.count * 99 / 100]

        print("clock \(cell.link) every \(cell.everySeconds) s: p50 \(p50) ms, p99 \(p99) ms")
        #expect(p50 <= cell.p50Ms * 1.5, "p50 is \(p50) ms")
        #expect(p99 <= cell.p99Ms * 1.5, "p99 is \(p99) ms")
    }

    private static func errorsMs(_ cell: Cell, seed: UInt64) -> [Double] {
        var random = SeededGenerator(seed)
        let driftPPM = Double.random(in: -40...40, using: &random)
        func hubUs(_ us: Microseconds) -> Microseconds { us + 5_000_000_000 + Microseconds(Double(us) * driftPPM / 1_000_000) }
        var filter = ClockFilter()
        var errors: [Double] = []
        var us: Microseconds = 0
        for exchange in 0... {
            let there = us + cell.link.delayUs(isDown: false, &random)
            let back = there + cell.link.delayUs(isDown: true, &random)
            filter.add(ClockSample(t1: us.count, t2: hubUs(there).count, t3: hubUs(there).count), receivedUs: back)
            let wait: Microseconds = exchange < 3 ? 50_000 : Microseconds(cell.everySeconds * 1_000_000)
            let middle = back + wait / 2
            if middle > 3_600_000_000 { break }
            if middle > 60_000_000, let known = filter.hubUs(atUs: middle) {
                errors.append(Double((known - hubUs(middle)).magnitude) / 1000)
            }
            us = back + wait
        }
        return errors
    }
}
