/// What the values of a smart playlist's conditions mean. Pure.
extension SmartRule {
    /// Between the values of `in`.
    package static let separator: Character = "|"

    /// When a day such as `2024-01-31` begins in UTC, in milliseconds since 1970. `nil` if the text is not a day of the calendar from
    /// 1970 on.
    package static func dayMs(_ text: String) -> Int64? {
        let parts = text.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 3, 1970...9999 ~= parts[0], 1...12 ~= parts[1], 1...31 ~= parts[2] else { return nil }
        let ms = LocalTime.days(to: parts[0], parts[1], parts[2]) * LocalTime.dayMs
        // Written back it is the same text, unless the month has no such day.
        return LocalTime.utc.day(ofMs: ms) == text ? ms : nil
    }
}

extension SmartRule.Field {
    /// Counts days back from now, and so can be compared with a day.
    package var isDays: Bool { self == .addedDays || self == .playedDays }
}
