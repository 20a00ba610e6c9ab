package import BatonCore

/// The wait before the next connection attempt. It is short at first and grows, with a random part, so that clients
/// that lost the same hub do not reconnect at once.
package struct Backoff: Equatable, Sendable {
    private var tries = 0
    /// Whether a person sees a screen that waits for the connection.
    private let isVisible: Bool

    private static let stepsMs: [Milliseconds] = [250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000]
    private static let visibleCapMs: Milliseconds = 8000
    /// Lifetime from which a connection counts as successful.
    package static let stableMs: Milliseconds = 10_000

    /// A visible screen retries at least every eight seconds, any other at least every 30.
    package init(isVisible: Bool) { self.isVisible = isVisible }

    /// The next wait: a random part of the step, at least as long as the hub asked for.
    package mutating func next(atLeastMs: Milliseconds = 0, random: inout some RandomNumberGenerator) -> Duration {
        let step = Self.stepsMs[min(tries, Self.stepsMs.count - 1)]
        tries += 1
        let cap = isVisible ? min(step, Self.visibleCapMs) : step
        return .milliseconds(atLeastMs + Milliseconds(Int.random(in: 0...Int(cap), using: &random)))
    }

    /// The next wait is the shortest again; called after a connection that lasted for `stableMs`.
    package mutating func reset() { tries = 0 }
}
