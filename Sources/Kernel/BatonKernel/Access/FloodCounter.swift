import BatonProtocol

/// A count of the messages of a sender that did not wait when it was told to.
struct FloodCounter {
    private var floodsUs: Int64 = 0
    private var floodCount = 0
    private var waitUntilUs: Int64 = 0

    /// True when a refusal is one too many. Only messages within the wait that was last asked for count, so a sender that
    /// waits is never disconnected.
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
