import BatonProtocol

/// What a peer did wrong lately.
struct Offences {
    private var strikesUs: [Int64] = []
    private var floodsUs: Int64 = 0
    private var floodCount = 0

    /// True when this strike is one too many.
    mutating func strikes(atUs nowUs: Int64, allowed: WireLimits) -> Bool {
        strikesUs.removeAll { nowUs - $0 > Int64(allowed.strikeWindowMs) * 1000 }
        strikesUs.append(nowUs)
        return strikesUs.count >= allowed.strikes
    }

    mutating func floods(atUs nowUs: Int64, allowed: WireLimits) -> Bool {
        if nowUs - floodsUs > Int64(allowed.floodWindowMs) * 1000 {
            floodsUs = nowUs
            floodCount = 0
        }
        floodCount += 1
        return floodCount > allowed.floodRejections
    }
}
