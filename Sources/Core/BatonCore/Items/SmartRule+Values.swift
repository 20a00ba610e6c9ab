/// The meaning of the values of a smart playlist's conditions. Pure functions.
extension SmartRule {
    /// Separates the values of `in`.
    package static let separator: Character = "|"

    /// The beginning of a day such as `2024-01-31` in UTC, in milliseconds since 1970; `nil` if the text is no calendar day from 1970 on.
    package static func dayMs(_ text: String) -> Milliseconds? {
        let parts = text.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 3, 1970...9999 ~= parts[0], 1...12 ~= parts[1], 1...31 ~= parts[2] else { return nil }
        let ms = LocalTime.dayMs * Int(LocalTime.days(to: parts[0], parts[1], parts[2]))
        // Formatting the result gives the same text, unless the month has no such day.
        return LocalTime.utc.day(ofMs: ms) == text ? ms : nil
    }
}

extension SmartRule.Field {
    /// True for fields that count days back from now, and so can be compared with a day.
    package var isDays: Bool { self == .addedDays || self == .playedDays }
}
