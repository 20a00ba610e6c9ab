/// A clock that only goes forward, for apps that bring none: microseconds since this program first asked.
public enum Uptime {
    // It goes on while this machine sleeps, as the hub's does elsewhere.
    private static let start = ContinuousClock.now

    /// Microseconds since it was first asked.
    public static func us() -> Int64 {
        let (seconds, attoseconds) = start.duration(to: .now).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
