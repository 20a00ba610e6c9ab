public import BatonCore

/// Bounds of a report, and what it says together with them.
extension ListenerReport {
    /// Accepted range of `bufferMs`, up to a day, because a client can hold a whole item.
    public static let buffers: ClosedRange<Milliseconds> = 0...86_400_000
    /// Limit above which two devices side by side are heard as an echo.
    public static let inStepWithinUs: Microseconds = 30_000

    /// Whether it is in step with the room by its own measurement.
    public var isInStep: Bool { driftUs.map { $0.magnitude <= Self.inStepWithinUs } ?? false }
}
