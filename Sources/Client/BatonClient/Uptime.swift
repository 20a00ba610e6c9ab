public import BatonCore

/// A monotonic clock for apps that bring none, in microseconds since its first use.
public enum Uptime {
    // `ContinuousClock` counts while the machine sleeps, like the hub's clock.
    private static let start = ContinuousClock.now

    /// Microseconds since the first call.
    public static func us() -> Microseconds { Microseconds(start.duration(to: .now)) }
}
