import BatonProtocol

/// How often a sender went on after it was told to wait.
struct FloodCounter {
    private var floodsUs: Int64 = 0
    private var floodCount = 0
    private var waitUntilUs: Int64 = 0

    /// True when a refusal is one too many. Only those count that come before the wait that the last
    /// one asked for is over: who waits as told is never closed.
    mutating func isOneTooMany(atUs nowUs: Int64, afterMs: Int, allowed: WireLimits) -> Bool {
        let wasTold = nowUs < waitUntilUs
        waitUntilUs = nowUs + Int64(afterMs) * 1000
        guard wasTold else { return false }
        if nowUs - floodsUs > Int64(allowed.floodWindowMs) * 1000 {
            floodsUs = nowUs
            floodCount = 0
        }
        floodCount += 1
        return floodCount > allowed.floodRejections
    }
}
