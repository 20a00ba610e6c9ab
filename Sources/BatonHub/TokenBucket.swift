/// So many at once, and so many a second after that.
struct TokenBucket {
    private let perSecond: Int
    private let burst: Int
    /// Tokens in millionths, so that no rounding starves a slow bucket.
    private var microTokens: Int64
    private var lastUs: Int64

    init(perSecond: Int, burst: Int, atUs nowUs: Int64) {
        self.perSecond = perSecond
        self.burst = burst
        microTokens = Int64(burst) * 1_000_000
        lastUs = nowUs
    }

    /// Takes one, or says how long to wait for the next.
    mutating func take(atUs nowUs: Int64) -> Refill? {
        let passed = min(max(0, nowUs - lastUs), 3_600_000_000)
        lastUs = nowUs
        microTokens = min(Int64(burst) * 1_000_000, microTokens + passed * Int64(perSecond))
        if microTokens >= 1_000_000 {
            microTokens -= 1_000_000
            return nil
        }
        let missing = 1_000_000 - microTokens
        return Refill(afterMs: Int(missing / Int64(max(1, perSecond)) / 1000) + 1)
    }

    func isFull(atUs nowUs: Int64) -> Bool {
        microTokens + (nowUs - lastUs) * Int64(perSecond) >= Int64(burst) * 1_000_000
    }

    struct Refill: Equatable { let afterMs: Int }
}
