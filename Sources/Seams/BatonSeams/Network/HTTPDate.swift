/// Dates in the form of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]  // The first day of 1970 was a Thursday.
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The date of a second since 1970, in GMT.
    package static func text(ofSecond second: Int64) -> String {
        let day = floored(second, by: 86_400)
        let rest = second - day * 86_400
        let (year, month, date) = civil(day)
        let weekday = days[Int(((day % 7) + 7) % 7)]
        return "\(weekday), \(two(date)) \(months[Int(month) - 1]) \(year) "
            + "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }

    /// The calendar date of a day. The calendar repeats every 400 years; in years that begin in March, the leap day is the last day.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, date: Int64) {
        let shifted = day + 719_468
        let era = floored(shifted, by: 146_097)
        let inEra = shifted - era * 146_097
        let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let month = (5 * inYear + 2) / 153
        let date = inYear - (153 * month + 2) / 5 + 1
        return (year + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, date)
    }

    private static func floored(_ value: Int64, by unit: Int64) -> Int64 {
        let whole = value / unit
        return value % unit < 0 ? whole - 1 : whole
    }

    private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
