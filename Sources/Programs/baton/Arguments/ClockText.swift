/// Times of day and durations as people type them: `20:00`, `2h`, `1h30m`. Depends on nothing but this machine's time
/// zone.
import BatonCore
import Glibc

enum ClockText {
    /// Parses `2h`, `90m`, `45s` or `1h30m` into milliseconds; `nil` for other text.
    static func lengthMs(_ text: String) -> Milliseconds? {
        var (ms, digits) = (0, "")
        for character in text {
            if character.isASCII, character.isNumber, digits.count < 6 {
                digits.append(character)
                continue
            }
            guard let unit = ["h": 3_600_000, "m": 60_000, "s": 1_000][character], let number = Int(digits) else { return nil }
            ms += number * unit
            digits = ""
        }
        return digits.isEmpty && ms > 0 ? Milliseconds(ms) : nil
    }

    /// The next time at which clocks here show this text, in milliseconds since 1970; `nil` if it is no time.
    static func nextMs(_ text: String, afterMs now: Milliseconds) -> Milliseconds? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int32(parts[0]), let minute = Int32(parts[1]), 0..<24 ~= hour, 0..<60 ~= minute,
            parts[1].count == 2
        else { return nil }
        var seconds = time_t(now.seconds)
        var day = unsafe tm()
        unsafe localtime_r(&seconds, &day)
        unsafe (day.tm_hour, day.tm_min, day.tm_sec, day.tm_isdst) = (hour, minute, 0, -1)
        let today = Milliseconds.seconds(unsafe mktime(&day))
        if today > now { return today }
        // The next day by the calendar, because a day does not always have 24 hours.
        unsafe (day.tm_mday, day.tm_hour, day.tm_min, day.tm_isdst) = (day.tm_mday + 1, hour, minute, -1)
        return Milliseconds.seconds(unsafe mktime(&day))
    }

    /// The time as in log lines: `2026-11-23 20:00:05`.
    static func second(_ ms: Milliseconds) -> String {
        var seconds = time_t(ms.seconds)
        var time = unsafe tm()
        unsafe localtime_r(&seconds, &time)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = unsafe "\(time.tm_year + 1900)-\(two(time.tm_mon + 1))-\(two(time.tm_mday))"
        return unsafe "\(day) \(two(time.tm_hour)):\(two(time.tm_min)):\(two(time.tm_sec))"
    }

    /// The time as `Mon 20:00` within a week, else as `2026-11-23 20:00`.
    static func text(_ ms: Milliseconds, nowMs: Milliseconds) -> String {
        var seconds = time_t(ms.seconds)
        var time = unsafe tm()
        unsafe localtime_r(&seconds, &time)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = unsafe "\(two(time.tm_hour)):\(two(time.tm_min))"
        if (ms - nowMs).magnitude < 6 * 86_400_000 {
            return unsafe "\(["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(time.tm_wday)]) \(clock)"
        }
        return unsafe "\(time.tm_year + 1900)-\(two(time.tm_mon + 1))-\(two(time.tm_mday)) \(clock)"
    }
}
