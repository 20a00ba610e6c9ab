/// Times as people write and read them.
enum TimeText {
    /// `1:23`, `1:02:03`.
    static func show(ms: Int) -> String {
        let seconds = max(0, ms) / 1000
        let (hours, rest) = seconds.quotientAndRemainder(dividingBy: 3600)
        let (minutes, left) = rest.quotientAndRemainder(dividingBy: 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(left))" : "\(minutes):\(two(left))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// `83`, `1:23`, `1:02:03`, with a fraction of a second if need be.
    static func read(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last, let seconds = Double(last), seconds >= 0, seconds < 1e7 else {
            return nil
        }
        var minutes = 0
        for part in parts.dropLast() {
            guard let number = UInt16(part) else { return nil }
            minutes = minutes * 60 + Int(number)
        }
        return minutes * 60_000 + Int(seconds * 1000)
    }
}
