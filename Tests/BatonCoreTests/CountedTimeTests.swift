import BatonCore
import Testing

@Suite struct CountedTimeTests {
    @Test func secondsAreWhole() {
        #expect([0, 999, 1000, 1999, -999, -1000].map { (ms: Milliseconds) in ms.seconds } == [0, 0, 1, 1, 0, -1])
        #expect(Milliseconds.seconds(3) == 3000)
        #expect(Milliseconds.seconds(UInt8(255)) == 255_000)
    }

    @Test func partsOfThousandthsAreCutOff() {
        #expect([1.0009, -1.0009, 0.25, 0.0009].map { Milliseconds.seconds($0) } == [1000, -1000, 250, 0])
    }

    @Test func durationsAreWholeUnits() {
        #expect(Milliseconds(Duration.seconds(2) + .microseconds(1999)) == 2001)
        #expect(Microseconds(Duration.seconds(2) + .nanoseconds(1999)) == 2_000_001)
        #expect(Microseconds(.nanoseconds(-1_500_001_999)) == -1_500_001)
        #expect(Microseconds(Duration(secondsComponent: .max, attosecondsComponent: 0)) == .max)
        #expect(Milliseconds(Duration(secondsComponent: .min, attosecondsComponent: 0)) == .min)
    }

    @Test func absurdSecondsStopAtTheBounds() {
        #expect(Milliseconds.seconds(Int64.max) == .max)
        #expect(Milliseconds.seconds(Int64.min) == .min)
        #expect(Milliseconds.seconds(UInt64.max) == .max)
        #expect([1e300, -1e300, .infinity, -.infinity].map { Milliseconds.seconds($0) } == [.max, .min, .max, .min])
        #expect(Milliseconds.seconds(Double.nan) == 0)
    }
}
