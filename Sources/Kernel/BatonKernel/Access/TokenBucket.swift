/// So many at once, and so many a second or a minute after that.
package struct TokenBucket {
    /// Tokens come at `rate` in so many seconds.
    private let rate: Int
    private let seconds: Int64
    private let burst: Int
    /// Tokens in millionths of `1 / seconds`, so that no rounding starves a slow bucket.
    private var parts: Int64
    private var lastUs: Int64

    init(perSecond: Int, burst: Int, atUs nowUs: Int64) { self.init(perSecond, each: 1, burst, nowUs) }

    init(perMinute: Int, burst: Int, atUs nowUs: Int64) { self.init(perMinute, each: 60, burst, nowUs) }

    private init(_ rate: Int, each seconds: Int64, _ burst: Int, _ nowUs: Int64) {
        self.rate = rate
        self.seconds = seconds
        self.burst = burst
        parts = Int64(burst) * seconds * 1_000_000
        lastUs = nowUs
    }

    private var token: Int64 { seconds * 1_000_000 }

    /// Takes one, or says how long to wait for the next.
    package mutating func take(atUs nowUs: Int64) -> Refill? {
        if let refill = wait(atUs: nowUs) { return refill }
        parts -= token
        return nil
    }

    /// How long to wait for one, if there is none now.
    package mutating func wait(atUs nowUs: Int64) -> Refill? {
        let passed = min(max(0, nowUs - lastUs), 3_600_000_000)
        lastUs = nowUs
        parts = min(Int64(burst) * token, parts + passed * Int64(rate))
        guard parts < token else { return nil }
        return Refill(afterMs: Int((token - parts) / Int64(max(1, rate)) / 1000) + 1)
    }

    package func isFull(atUs nowUs: Int64) -> Bool {
        parts + (nowUs - lastUs) * Int64(rate) >= Int64(burst) * token
    }

    package struct Refill: Equatable { package let afterMs: Int }
}
