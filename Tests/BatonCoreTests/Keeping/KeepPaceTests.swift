/// How fast what is kept may come: shares of the time that several tracks book together.
import BatonCore
import Testing

@Suite struct KeepPaceTests {
    @Test func `pieces of two tracks together take the time that their bytes are worth`() {
        var pace = KeepPace(bytesPerSecond: 1_000)

        #expect(pace.book(500, sinceUs: 10_000_000) == 10_500_000)
        #expect(pace.book(500, sinceUs: 10_000_000) == 11_000_000)
        #expect(pace.book(2_250, sinceUs: 11_000_000) == 13_250_000)
    }

    @Test func `what came slowly is not made up for, and needs no rest`() {
        var pace = KeepPace(bytesPerSecond: 1_000)
        _ = pace.book(500, sinceUs: 0)

        #expect(pace.book(100, sinceUs: 60_000_000) == 60_100_000)
    }

    @Test func `without a bound nothing waits`() {
        var pace = KeepPace()
        #expect(pace.book(1 << 40, sinceUs: 7) == 7)
        pace = KeepPace(bytesPerSecond: 1_000)
        #expect(pace.book(0, sinceUs: 7) == 7)
    }

    @Test func `the largest bound and the largest piece have a time`() {
        var pace = KeepPace(bytesPerSecond: .max)
        #expect(pace.book(1 << 50, sinceUs: 5) >= 5)
        pace = KeepPace(bytesPerSecond: 1)
        #expect(pace.book(20_000_000, sinceUs: 0) == 20_000_000_000_000)
    }
}
