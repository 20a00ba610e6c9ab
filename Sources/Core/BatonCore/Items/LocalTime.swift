/// Local time at the hub. A value; the rules of the time zone are passed in, since they come from the system.
public struct LocalTime: Sendable {
    /// The offset from UTC at a time since 1970.
    private let offsetMs: @Sendable (Milliseconds) -> Milliseconds

    /// Local time by the rules of a zone, which give the offset in force at a time.
    public init(offsetMs: @escaping @Sendable (Milliseconds) -> Milliseconds) { self.offsetMs = offsetMs }

    /// Coordinated universal time, for tests and for values that belong to no zone.
    public static let utc = LocalTime { _ in 0 }
    /// Length of a day without a change of clocks.
    public static let dayMs: Milliseconds = 86_400_000

    /// The time of day, as `14:05`.
    package func clock(ofMs time: Milliseconds) -> String {
        let shown = time + offsetMs(time)
        let minutes = (shown.count - Self.day(of: shown) * Self.dayMs.count) / 60_000
        return "\(Self.two(minutes / 60)):\(Self.two(minutes % 60))"
    }

    /// The day of a time, as `2026-11-24`.
    public func day(ofMs time: Milliseconds) -> String {
        let days = Self.day(of: time + offsetMs(time))
        // Years begin in March here, so that a leap day is the last day of its year. 719,468 days before 1970 such a year began, and with it a period
        // of 400 years.
        let shifted = days + 719_468
        let era = shifted.quotientRoundedDown(by: 146_097)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let number = month < 10 ? month + 3 : month - 9
        return "\(yearOfEra + era * 400 + (number <= 2 ? 1 : 0))-\(Self.two(number))-\(Self.two(day))"
    }

    /// Days from 1970 to a day of the Gregorian calendar. A day beyond the end of its month counts on into the next month.
    package static func days(to year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let (era, ofEra) = (shifted / 400, shifted % 400)
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func day(of shown: Milliseconds) -> Int64 { shown.count.quotientRoundedDown(by: dayMs.count) }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The time a number of days later at which clocks show the same time of day. If they show it twice, the first counts; a time that is skipped
    /// moves forward by as much as the clocks do.
    public func sameTime(asMs time: Milliseconds, daysLater days: Int64) -> Milliseconds {
        let shown = time + offsetMs(time) + Self.dayMs * Int(days)
        // No zone changes its clocks twice within two days.
        let before = shown - offsetMs(shown - Self.dayMs)
        let after = shown - offsetMs(shown + Self.dayMs)
        return before + offsetMs(before) == shown || after + offsetMs(after) != shown ? before : after
    }
}

extension Int64 {
    fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 { self / divisor - (self % divisor < 0 ? 1 : 0) }
}
