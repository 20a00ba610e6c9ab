import BatonCore
import BatonProtocol

/// A count of the messages of a sender that did not wait when it was told to.
struct FloodCounter {
    private var floodsUs: Microseconds = 0
    private var floodCount = 0
    private var waitUntilUs: Microseconds = 0

    /// True when a refusal is one too many. Only messages within the wait that was last asked for count, so a sender that
    /// waits is never disconnected.
    mutating func isOneTooMany(atUs nowUs: Microseconds, afterMs: Milliseconds, allowed: WireLimits) -> Bool {
        let wasTold = nowUs < waitUntilUs
        waitUntilUs = nowUs + Microseconds(afterMs)
        guard wasTold else { return false }
        if nowUs - floodsUs > Microseconds(allowed.floodWindowMs) {
            floodsUs = nowUs
            floodCount = 0
        }
        floodCount += 1
        return floodCount > allowed.floodRejections
    }
}
