import BatonCore

/// The arguments of `baton sleep`: `30`, `+10`, `track`, `chapter`, `3 chapters`, `queue`, `off`.
enum SleepWords: Equatable {
    case until(SleepEnd, amount: Int)
    /// Extends the running timer.
    case longer(ms: Milliseconds)
    case off

    private static let minutes = 1...1440
    private static let words = "minutes (30), +10, track, chapter, 3 chapters, queue or off"

    init(_ operands: [String]) throws(Stop) {
        let text = operands.joined(separator: " ")
        if text == "off" {
            self = .off
            return
        }
        let first = operands.first ?? ""
        let number = Int(first)
        let ending = (number == nil ? operands : Array(operands.dropFirst())).joined(separator: " ")
        if let number, ending.isEmpty || Self.minuteWords.contains(ending) {
            self = try Self.minutes(number, isStep: first.hasPrefix("+"))
            return
        }
        guard let end = Self.ends[ending], !first.hasPrefix("+"), number == nil || end != .queue else {
            throw Stop(.usage, "“\(text)” is no end for a sleep timer. Write \(Self.words).")
        }
        let amount = number ?? 1
        guard SleepWish.countRange.contains(amount) else {
            throw Stop(.usage, "A sleep timer waits for 1 to \(SleepWish.countRange.upperBound) ends, and not for \(amount).")
        }
        self = .until(end, amount: amount)
    }

    private static let minuteWords: Set<String> = ["min", "minute", "minutes"]
    private static let ends: [String: SleepEnd] = [
        "track": .track, "tracks": .track, "chapter": .chapter, "chapters": .chapter, "queue": .queue,
    ]

    private static func minutes(_ number: Int, isStep: Bool) throws(Stop) -> SleepWords {
        guard minutes.contains(number) else {
            throw Stop(.usage, "A sleep timer has 1 to 1440 minutes, and not \(number).")
        }
        return isStep ? .longer(ms: Milliseconds(number * 60_000)) : .until(.time, amount: number * 60_000)
    }

    /// The timer to request, given the one that is running.
    func wish(over running: (end: SleepEnd, leftMs: Milliseconds?)?, fadeMs: Milliseconds) throws(Stop) -> SleepWish? {
        switch self {
        case .off: return nil
        case .until(let end, let amount): return SleepWish(end, amount: amount, fadeMs: fadeMs)
        case .longer(let ms):
            guard let running else { return SleepWish(.time, amount: Int(ms), fadeMs: fadeMs) }
            guard running.end == .time, let leftMs = running.leftMs else {
                throw Stop(.refused, "The sleep timer waits for the end of the \(running.end.rawValue), so it has no minutes to add to.")
            }
            return SleepWish(.time, amount: min(Int(leftMs + ms), SleepWish.timeRange.upperBound), fadeMs: fadeMs)
        }
    }
}
