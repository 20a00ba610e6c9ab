/// The line that is drawn through a server's messages, with clocks that differ and messages that are late.
import Testing

@testable import BatonCore

@Suite struct ServerRoomClockTests {
    /// A server whose clock runs `ppm` faster than ours, and messages that are late by up to `lateUs`.
    private struct Server {
        let ppm: Double
        let lateUs: ClosedRange<Double>
        var random: SeededGenerator

        func positionMs(atUs: Double) -> Double { atUs / 1000 * (1 + ppm / 1_000_000) }

        /// What a message of this moment says, and when it is here.
        mutating func message(sentUs: Double) -> (positionMs: Double, atUs: Microseconds) {
            (positionMs(atUs: sentUs), Microseconds(sentUs + Double.random(in: lateUs, using: &random)))
        }
    }

    @Test(arguments: 0..<300) func `the line stays near the truth for an hour, whatever the clocks and the delays`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let ppm = Double.random(in: -100...100, using: &random)
        let late = Double.random(in: 1_000...80_000, using: &random)
        var server = Server(ppm: ppm, lateUs: 500...late, random: SeededGenerator(seed &+ 7))
        let first = server.message(sentUs: 0)
        var clock = ServerRoomClock(positionMs: first.positionMs, isPaused: false, atUs: first.atUs)
        var sentUs = 0.0
        while sentUs < 3_600_000_000 {
            sentUs += Double.random(in: 5_000_000...30_000_000, using: &random)
            let next = server.message(sentUs: sentUs)
            let isMoved = clock.take(positionMs: next.positionMs, isPaused: false, atUs: next.atUs)
            #expect(!isMoved, "seed \(seed)")
            let off = clock.positionMs(atUs: next.atUs) - server.positionMs(atUs: Double(next.atUs))
            // Late by no more than one message was, and ahead by no more than the clocks part in half a minute.
            #expect(off <= 7 && off >= -late / 1000 - 7, "seed \(seed): off by \(off) ms")
        }
    }

    @Test func `of two messages the less late one counts`() {
        var clock = ServerRoomClock(positionMs: 1000, isPaused: false, atUs: 1_080_000)
        #expect(clock.take(positionMs: 2000, isPaused: false, atUs: 2_010_000) == false)
        #expect(abs(clock.positionMs(atUs: 3_010_000) - 3000) < 1)
        #expect(clock.take(positionMs: 4000, isPaused: false, atUs: 4_200_000) == false)
        #expect(abs(clock.positionMs(atUs: 5_010_000) - 5000) < 1)
    }

    @Test(arguments: [(30_000.0, true), (9_000.0, true), (10_100.0, false), (9_900.0, false), (-1, true), (.nan, true)])
    func `a person's seek moves the line at once, forward and back`(position: Double, isMoved: Bool) {
        var clock = ServerRoomClock(positionMs: 0, isPaused: false, atUs: 0)
        #expect(clock.take(positionMs: position, isPaused: false, atUs: 10_000_000) == isMoved)
        if isMoved { #expect(clock.positionMs(atUs: 10_000_000) == (position > 0 ? position : 0)) }
    }

    @Test func `a paused room stands still, and goes on from there`() {
        var clock = ServerRoomClock(positionMs: 5000, isPaused: true, atUs: 0)
        #expect(clock.positionMs(atUs: 9_000_000) == 5000)
        #expect(clock.take(positionMs: 5000, isPaused: false, atUs: 10_000_000) == false)
        #expect(clock.positionMs(atUs: 11_000_000) == 6000)
        #expect(clock.momentUs(ofMs: 7000) == 12_000_000)
    }

    @Test func `the pauses between attempts are 3, 6, 9 and at most 30 seconds`() {
        #expect((0..<12).map { ServerRoomPause.seconds(attempt: $0) } == [3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 30, 30])
        #expect(ServerRoomPause.seconds(attempt: .max) == 30)
    }
}
