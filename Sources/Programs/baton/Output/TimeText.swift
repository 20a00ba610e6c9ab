import BatonCore

/// Times as people read and write them.
enum TimeText {
    /// A duration as `1:23` or `1:02:03`.
    static func show(ms: Milliseconds) -> String {
        let seconds = Int(max(0, ms).seconds)
        let (hours, rest) = seconds.quotientAndRemainder(dividingBy: 3600)
        let (minutes, left) = rest.quotientAndRemainder(dividingBy: 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(left))" : "\(minutes):\(two(left))"
    }

    private static let spans: [(ms: Milliseconds, name: String)] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s")]

    /// An age as `5 min ago`, in the largest unit that fits.
    static func ago(ms: Milliseconds) -> String {
        guard let span = spans.first(where: { ms >= $0.ms }) else { return "just now" }
        return "\(ms / span.ms) \(span.name) ago"
    }

    /// A duration as `45 s`, `12 min` or `1 h 5 min`.
    static func length(ms: Milliseconds) -> String {
        let (minutes, seconds) = Int(max(0, ms).seconds).quotientAndRemainder(dividingBy: 60)
        if minutes == 0 { return "\(seconds) s" }
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h\(minutes % 60 > 0 ? " \(minutes % 60) min" : "")"
    }

    static func milliseconds(us: Microseconds) -> String {
        let sign = us < 0 ? "-" : ""
        let part = String(us.count.magnitude % 1000)
        return "\(sign)\(us.count.magnitude / 1000).\(String(repeating: "0", count: 3 - part.count))\(part)"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Remaining time, rounded to the nearest unit, so that half an hour stays 30 min for a moment.
    static func left(ms: Milliseconds) -> String { length(ms: ms < 59_500 ? ms + 500 : ms + 30_000) }

    /// Parses `83`, `1:23` or `1:02:03`, also with a fraction of a second. Only the first number may exceed 59.
    static func read(_ text: Substring) -> Milliseconds? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last, let seconds = Double(last), seconds >= 0, seconds < 1e7 else {
            return nil
        }
        if parts.count > 1, seconds >= 60 { return nil }
        var minutes = 0
        for (place, part) in parts.dropLast().enumerated() {
            guard let number = UInt16(part), place == 0 || number < 60 else { return nil }
            minutes = minutes * 60 + Int(number)
        }
        return Milliseconds(minutes * 60_000 + Int(seconds * 1000))
    }
}

/// Sizes as people read them.
enum ByteText {
    private static let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]

    static func show(_ bytes: Int) -> String {
        guard let (size, name) = units.first(where: { bytes >= $0.0 }) else { return "\(bytes) B" }
        let tenths = bytes * 10 / size
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(name)" : "\(tenths / 10) \(name)"
    }
}
