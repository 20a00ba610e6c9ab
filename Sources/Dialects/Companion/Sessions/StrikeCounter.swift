import BatonProtocol

/// Number of a client's recent messages that could not be parsed.
struct StrikeCounter {
    private var strikesUs: [Int64] = []

    /// True if this message exceeds the limit.
    mutating func isOneTooMany(atUs nowUs: Int64, allowed: WireLimits) -> Bool {
        strikesUs.removeAll { nowUs - $0 > Int64(allowed.strikeWindowMs) * 1000 }
        strikesUs.append(nowUs)
        return strikesUs.count >= allowed.strikes
    }
}
