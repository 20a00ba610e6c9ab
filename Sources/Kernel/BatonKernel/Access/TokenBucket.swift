package import BatonCore

/// A rate limit that allows a burst, and then a number of actions in a second or a minute.
package struct TokenBucket {
    /// Number of tokens that are added in `seconds`.
    private let rate: Int
    private let seconds: Int64
    private let burst: Int
    /// Tokens in millionths of `1 / seconds`, so that no rounding starves a slow bucket.
    private var parts: Int64
    private var lastUs: Microseconds

    init(perSecond: Int, burst: Int, atUs nowUs: Microseconds) { self.init(perSecond, each: 1, burst: burst, nowUs: nowUs) }

    init(perMinute: Int, burst: Int, atUs nowUs: Microseconds) { self.init(perMinute, each: 60, burst: burst, nowUs: nowUs) }

    private init(_ rate: Int, each seconds: Int64, burst: Int, nowUs: Microseconds) {
        self.rate = rate
        self.seconds = seconds
        self.burst = burst
        parts = Int64(burst) * seconds * 1_000_000
        lastUs = nowUs
    }

    private var token: Int64 { seconds * 1_000_000 }

    /// Takes a token, or returns the wait for the next one.
    mutating func take(atUs nowUs: Microseconds) -> Refill? {
        if let refill = wait(atUs: nowUs) { return refill }
        parts -= token
        return nil
    }

    /// The wait for a token; `nil` when there is one.
    mutating func wait(atUs nowUs: Microseconds) -> Refill? {
        let passed = min(max(0, nowUs - lastUs), 3_600_000_000)
        lastUs = nowUs
        parts = min(Int64(burst) * token, parts + passed.count * Int64(rate))
        guard parts < token else { return nil }
        let leftUs = Microseconds((token - parts) / Int64(max(1, rate)))
        return Refill(afterMs: Milliseconds(leftUs) + 1)
    }

    func isFull(atUs nowUs: Microseconds) -> Bool {
        parts + (nowUs - lastUs).count * Int64(rate) >= Int64(burst) * token
    }

    /// The wait until a token is available, in milliseconds and always at least 1.
    package struct Refill: Equatable { package let afterMs: Milliseconds }
}
