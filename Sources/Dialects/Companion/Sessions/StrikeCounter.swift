import BatonProtocol

/// How many messages of a client could not be read lately.
struct StrikeCounter {
    private var strikesUs: [Int64] = []

    /// True when this strike is one too many.
    mutating func isOneTooMany(atUs nowUs: Int64, allowed: WireLimits) -> Bool {
        strikesUs.removeAll { nowUs - $0 > Int64(allowed.strikeWindowMs) * 1000 }
        strikesUs.append(nowUs)
        return strikesUs.count >= allowed.strikes
    }
}
