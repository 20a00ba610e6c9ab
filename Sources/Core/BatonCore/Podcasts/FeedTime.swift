/// Times and durations in the forms that feeds use.
package enum FeedTime {
    /// Reads `Tue, 10 Jun 2003 04:00:00 GMT` (RSS) or `2003-06-10T04:00:00Z` (Atom) as milliseconds since 1970; `nil` for text that is no time
    /// between 1970 and 2200.
    package static func moment(_ text: String) -> Milliseconds? {
        let seconds = text.contains("T") && text.contains("-") ? iso(text) ?? mail(text) : mail(text) ?? iso(text)
        return seconds.flatMap { (0..<7_258_118_400).contains($0) ? Milliseconds.seconds($0) : nil }
    }

    /// Reads `1:02:03`, `62:03` or `3723` as milliseconds; `nil` for anything else, and for more than a week.
    package static func length(_ text: String) -> Milliseconds? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard 1...3 ~= parts.count else { return nil }
        var seconds = 0
        for part in parts {
            // Some feeds write fractions of a second.
            let digits = part.prefix { $0 != "." }.trimmed
            guard let number = number(digits), number <= 604_800 else { return nil }
            seconds = seconds * 60 + number
        }
        return 1...604_800 ~= seconds ? Milliseconds.seconds(seconds) : nil
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    /// Offsets in hours.
    private static let zones = ["est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7]

    private static func mail(_ text: String) -> Int64? {
        var words = text.split { " ,\t\r\n".contains($0) }[...]
        // The name of the weekday is redundant.
        if let first = words.first, number(first) == nil { words.removeFirst() }
        guard words.count >= 3, let day = number(words.removeFirst()),
            let month = months.firstIndex(of: words.removeFirst().prefix(3).lowercased()), var year = number(words.removeFirst())
        else { return nil }
        if year < 100 { year += year < 70 ? 2_000 : 1_900 }
        guard let days = days(year: year, month: month + 1, day: day), let time = clock(words.popFirst() ?? "0:0") else { return nil }
        return days * 86_400 + time - zone(words.first ?? "")
    }

    private static func iso(_ text: String) -> Int64? {
        let halves = text.trimmed.split(maxSplits: 1) { $0 == "T" || $0 == " " }
        let date = halves.first?.split(separator: "-") ?? []
        guard date.count == 3, let year = number(date[0]), let month = number(date[1]), let day = number(date[2]),
            let days = days(year: year, month: month, day: day)
        else { return nil }
        guard halves.count == 2 else { return days * 86_400 }
        let end = halves[1].firstIndex { "Zz+-".contains($0) } ?? halves[1].endIndex
        guard let time = clock(halves[1][..<end]) else { return nil }
        return days * 86_400 + time - zone(halves[1][end...])
    }

    private static func clock(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":").map { part in number(part.prefix { $0 != "." }) }
        guard 2...3 ~= parts.count, let hour = parts[0], let minute = parts[1], let second = parts.count == 3 ? parts[2] : 0,
            hour < 25, minute < 60, second < 61
        else { return nil }
        return Int64(hour * 3_600 + minute * 60 + second)
    }

    /// Seconds east of Greenwich; 0 for an unknown zone.
    private static func zone(_ text: Substring) -> Int64 {
        if let hours = zones[text.lowercased()] { return Int64(hours) * 3_600 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return 0 }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.count == 4, let number = number(Substring(digits)) else { return 0 }
        let seconds = Int64(number / 100 * 3_600 + number % 100 * 60)
        return sign == "-" ? -seconds : seconds
    }

    /// Days since 1970 in the Gregorian calendar; `nil` outside the possible range.
    private static func days(year: Int, month: Int, day: Int) -> Int64? {
        guard 1900...2200 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        return LocalTime.days(to: Int64(year), Int64(month), Int64(day))
    }

    private static func number(_ text: Substring) -> Int? {
        guard 1...9 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }
}

extension StringProtocol {
    fileprivate var trimmed: Substring {
        let text = Substring(self).drop { $0.isWhitespace }
        return text.lastIndex { !$0.isWhitespace }.map { text[...$0] } ?? ""
    }
}
