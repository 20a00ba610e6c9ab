/// How often libmpv is asked about a live stream that plays on, which each room that hears a station costs.
import BatonCore
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
    func `a title is heard when its time comes`(seconds: Double, ms: Milliseconds) {
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
        var past = PastReports()
        let due = { (past: PastReports, atUs: Microseconds, isSettled: Bool) in
            var past = past
            return past.beginIfDue(of: 1, atUs: atUs, isSettled: isSettled)
        }
        let first = past.beginIfDue(of: 1, atUs: 0, isSettled: true)
        #expect(first && due(past, 1_000_000, true) && !due(past, 999_999, true))
        let known = past.take(ageMs: 600_000, reachMs: 0, of: 1, atUs: 0)
        #expect(known && past.ageMs == 600_000)
        #expect(!due(past, 9_999_999, true) && due(past, 10_000_000, true))
        #expect(due(past, 1_000_000, false))
        let differs = past.take(ageMs: 700_000, reachMs: 0, of: 1, atUs: 0)
        #expect(!differs && due(past, 1_000_000, true))
    }

    @Test func `another age is reported when three measurements in a row show it, and none of another item`() {
        var past = PastReports()
        _ = past.beginIfDue(of: 1, atUs: 0, isSettled: true)
        let reports = [600_000, 601_000, 700_000, 600_000, 700_000, 700_000, 700_000].map {
            past.take(ageMs: $0, reachMs: 0, of: 1, atUs: 0)
        }

        #expect(reports == [true, false, false, false, false, false, true] && past.ageMs == 700_000)
        let other = past.take(ageMs: 1, reachMs: 0, of: 2, atUs: 0)
        #expect(!other)
    }

    @Test func `a longer past is reported with the age as it was`() {
        var past = PastReports()
        _ = past.beginIfDue(of: 1, atUs: 0, isSettled: true)
        let reports = [past.take(ageMs: 600_000, reachMs: 0, of: 1, atUs: 0), past.take(ageMs: 601_000, reachMs: 61_000, of: 1, atUs: 0)]

        #expect(reports == [true, true] && past.ageMs == 600_000)
    }
}
