/// How often libmpv is asked about a live stream that plays on, which each room that hears a station costs.
import Testing

@testable import Player

@Suite struct LiveQuestionTests {
    @Test func `the position is asked rarely once it is known, and that of a stream still more rarely`() {
        #expect(PositionWatch.rest(isLive: true, isSettled: true, untilTitle: nil) == .seconds(1))
        #expect(PositionWatch.rest(isLive: true, isSettled: false, untilTitle: nil) == .milliseconds(100))
        #expect(PositionWatch.rest(isLive: false, isSettled: true, untilTitle: nil) == .milliseconds(400))
        #expect(PositionWatch.rest(isLive: false, isSettled: false, untilTitle: nil) == .milliseconds(100))
    }

    @Test(arguments: [(0.4, 400), (0, 100), (-3, 100), (7, 1000), (1e300, 1000)])
    func `a title is heard when its time comes`(seconds: Double, ms: Int) {
        #expect(PositionWatch.rest(isLive: true, isSettled: true, untilTitle: seconds) == .milliseconds(ms))
    }

    @Test func `the next title is the first that was not heard`() {
        var read = StreamTitles()
        read.read(upTo: 1_000, "Low Tide", nil)
        read.read(upTo: 2_000, "High Tide", nil)
        var titles = DueTitles()
        titles.add(read, end: 20, of: 7)

        #expect(titles.next(of: 7) == 10 && titles.next(of: 8) == nil)
        #expect(titles.hear(atSeconds: 10.5, of: 7) && titles.next(of: 7) == 20)
        #expect(titles.hear(atSeconds: 20, of: 7) && titles.next(of: 7) == nil)
    }

    @Test func `how old the sound is is asked each second until it is known and holds, and every ten after that`() {
        var told = MPVPlayer.ReportedPast(order: 1, askedUs: 0)
        #expect(told.isDue(atUs: 1_000_000, isSettled: true) && !told.isDue(atUs: 999_999, isSettled: true))
        told.ageMs = 600_000
        #expect(!told.isDue(atUs: 9_999_999, isSettled: true) && told.isDue(atUs: 10_000_000, isSettled: true))
        #expect(told.isDue(atUs: 1_000_000, isSettled: false))
        told.others = 1
        #expect(told.isDue(atUs: 1_000_000, isSettled: true))
    }
}
