import BatonCore
import BatonProtocol

/// Number of a client's recent messages that could not be parsed.
struct StrikeCounter {
    private var strikesUs: [Microseconds] = []

    /// True if this message exceeds the limit.
    mutating func isOneTooMany(atUs nowUs: Microseconds, allowed: WireLimits) -> Bool {
        strikesUs.removeAll { nowUs - $0 > Microseconds(allowed.strikeWindowMs) }
        strikesUs.append(nowUs)
        return strikesUs.count >= allowed.strikes
    }
}
