/// What clocks show where the hub is. A value; the rules of the time zone are passed in, since they come from the system.
public struct LocalTime: Sendable {
    /// How far clocks are ahead of UTC at a time since 1970; both in milliseconds.
    private let offsetMs: @Sendable (Int64) -> Int64

    public init(offsetMs: @escaping @Sendable (Int64) -> Int64) { self.offsetMs = offsetMs }

    public static let utc = LocalTime { _ in 0 }
    public static let dayMs: Int64 = 86_400_000

    /// When clocks show the same time so many days later. Of a time that they show twice it is the first; one that they leave out is as
    /// much later as they were put forward.
    public func sameTime(asMs time: Int64, daysLater days: Int64) -> Int64 {
        let shown = time + offsetMs(time) + days * Self.dayMs
        // No zone changes its clocks twice within two days.
        let before = shown - offsetMs(shown - Self.dayMs)
        let after = shown - offsetMs(shown + Self.dayMs)
        return before + offsetMs(before) == shown || after + offsetMs(after) != shown ? before : after
    }
}
