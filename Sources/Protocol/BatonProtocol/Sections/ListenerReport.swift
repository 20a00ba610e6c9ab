/// What a device that plays a room's sound says of itself. It is the device's own word and nothing that the hub has measured, so others show it as
/// such; each number is bounded.
public struct ListenerReport: Equatable, Sendable {
    /// How far ahead of the room it is.
    public var driftUs: Int?
    /// How much earlier it begins because its sound is heard late.
    public var delayMs: Int?
    /// How much sound it holds ahead.
    public var bufferMs: Int?
    /// How often it had to begin anew because it was too far off.
    public var starts: Int?

    public init(driftUs: Int? = nil, delayMs: Int? = nil, bufferMs: Int? = nil, starts: Int? = nil) {
        self.driftUs = driftUs
        self.delayMs = delayMs
        self.bufferMs = bufferMs
        self.starts = starts
    }

    public static let drifts = -10_000_000...10_000_000
    public static let delays = -10_000...10_000
    public static let buffers = 0...86_400_000
    public static let startCounts = 0...1_000_000

    /// Beyond it two devices side by side are heard as an echo.
    public static let inStepWithinUs = 30_000

    /// Whether it is in step with the room by its own measure.
    public var isInStep: Bool { driftUs.map { abs($0) <= Self.inStepWithinUs } ?? false }
}
