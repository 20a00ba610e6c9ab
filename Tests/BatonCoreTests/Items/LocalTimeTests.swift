/// Times of the day over changes of the clock, and recordings that repeat.
import BatonCore
import Testing

@Suite struct `Times of the day` {
    private static let hour: Milliseconds = 3_600_000
    private static let day = LocalTime.dayMs

    /// As in a year of Berlin: put forward from 02:00 to 03:00 on day 87, and back from 03:00 to 02:00 on day 297.
    private static func offset(_ ms: Milliseconds) -> Milliseconds { day * 87 + hour..<day * 297 + hour ~= ms ? hour * 2 : hour }
    private static let berlin = LocalTime { offset($0) }
    private static func dayShown(_ ms: Milliseconds) -> Int64 { (ms + offset(ms)) / day }
    private static func timeShown(_ ms: Milliseconds) -> Milliseconds { (ms + offset(ms)) % day }

    @Test(arguments: seeds) func `clocks show the same so many days later, but for the hour that is left out`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let time = Milliseconds(Int64.random(in: Self.day.count...300 * Self.day.count, using: &random))
        let days = Int64.random(in: 1...60, using: &random)

        let later = Self.berlin.sameTime(asMs: time, daysLater: days)

        let isLeftOut = Self.dayShown(later) == 87 && Self.timeShown(time) / Self.hour == 2
        #expect(Self.timeShown(later) - Self.timeShown(time) == (isLeftOut ? Self.hour : 0))
        #expect(Self.dayShown(later) == Self.dayShown(time) + days)
    }

    @Test func `a time that is left out is an hour later, one that is shown twice the first of both`() {
        let half = Self.hour / 2
        // 02:30 on the day before, each time.
        #expect(Self.berlin.sameTime(asMs: Self.day * 86 + Self.hour + half, daysLater: 1) == Self.day * 87 + Self.hour + half)
        #expect(Self.berlin.sameTime(asMs: Self.day * 296 + half, daysLater: 1) == Self.day * 297 + half)
    }

    @Test func `a recording that repeats is the next one that ends after now, however long the hub was away`() throws {
        let one = Recording(id: 1, ItemURI("radio:station/1"), title: "A", beginsMs: 1_000, endsMs: 2_000, repeats: .day)
        #expect(one.occurrence(afterMs: 1_999, in: .utc) == one)
        for (now, days) in [(2_000, 1), (2_000 + Self.day - 1, 1), (2_000 + Self.day, 2), (Self.day * 10, 10)] as [(Milliseconds, Int)] {
            let next = try #require(one.occurrence(afterMs: now, in: .utc))
            #expect(next.beginsMs == Self.day * days + 1_000 && next.endsMs == next.beginsMs + 1_000 && next.id == 1)
        }
        #expect(Recording(ItemURI("a"), title: "", beginsMs: 0, endsMs: 1).occurrence(afterMs: 5, in: .utc) == nil)
        #expect(Recording(ItemURI("a"), title: "", beginsMs: 0).occurrence(afterMs: 5, in: .utc) != nil)
    }

    @Test(arguments: Recording.Repeat.allCases)
    func `no day is passed over, and a time that was left out once moves no later one`(repeats: Recording.Repeat) throws {
        let half = Self.hour / 2
        let begins = Self.day * 3 + Self.hour + half
        for length in [1_000, Self.hour * 5, Self.day] {
            let first = Recording(ItemURI("a"), title: "", beginsMs: begins, endsMs: begins + length, repeats: repeats)
            var last = begins
            for count in 1...(350 / repeats.days) {
                let next = try #require(first.occurrence(afterMs: last + length, in: Self.berlin))
                let isLeftOut = Self.dayShown(next.beginsMs) == 87
                #expect(Self.timeShown(next.beginsMs) == Self.hour * 2 + half + (isLeftOut ? Self.hour : 0))
                #expect(Self.dayShown(next.beginsMs) == 3 + count * repeats.days)
                last = next.beginsMs
            }
        }
    }
}
