import BatonCore

/// A time in a filter: ISO 8601 in UTC or with an offset, or seconds since 1970.
enum TimeStamp {
    /// Seconds since 1970.
    static func seconds(_ text: String) throws(Ack) -> Int {
        var rest = Substring(text).utf8
        let iso = iso(&rest)
        if let iso, rest.isEmpty { return iso }
        if let number = LeadingNumber(text), number.rest.isEmpty { return number.value }
        throw Ack(.argument, iso == nil ? "Failed to parse date" : "Garbage at end of time stamp")
    }

    /// Reads a date, perhaps with a time and a zone: `2020-01-31`, `2020-01-31T12:00:59Z`, `2020-01-31T12:00+01:00`, `20200131T120059Z`.
    private static func iso(_ rest: inout Substring.UTF8View) -> Int? {
        guard let year = number(4, &rest) else { return nil }
        let isLong = take("-", &rest)
        guard let month = number(2, &rest), take("-", &rest) == isLong, let day = number(2, &rest), 1...12 ~= month, 1...31 ~= day else {
            return nil
        }
        let date = Int(LocalTime.days(to: Int64(year), Int64(month), Int64(day))) * 86_400
        guard take("T", &rest) else {
            // Eight digits alone are seconds.
            return isLong ? date : nil
        }
        guard let hour = number(2, &rest), hour < 24 else { return nil }
        guard let minute = part(&rest), let second = part(&rest) else { return nil }
        return zone(&rest).map { date + hour * 3600 + minute * 60 + second - $0 }
    }

    /// Minutes or seconds, with a colon before them or without; 0 where there are none, `nil` where they are wrong.
    private static func part(_ rest: inout Substring.UTF8View) -> Int? {
        guard take(":", &rest) || rest.first.map(isDigit) == true else { return 0 }
        return number(2, &rest).flatMap { $0 < 60 ? $0 : nil }
    }

    /// Seconds east of UTC. Without a zone the time is in UTC.
    private static func zone(_ rest: inout Substring.UTF8View) -> Int? {
        if take("Z", &rest) { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard take("+", &rest) || take("-", &rest) else { return 0 }
        guard let hours = number(2, &rest), let minutes = part(&rest) else { return nil }
        return (hours * 60 + minutes) * (isWest ? -60 : 60)
    }

    /// A number of at most so many digits, and at least one.
    private static func number(_ most: Int, _ rest: inout Substring.UTF8View) -> Int? {
        let digits = rest.prefix(most).prefix { isDigit($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func take(_ letter: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
