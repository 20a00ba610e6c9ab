/// Measurements that a device reports while it plays a room's sound. The hub cannot verify them, so clients show them as the device's own;
/// each number is bounded.
public struct ListenerReport: Equatable, Sendable {
    /// Lead over the room.
    public var driftUs: Int?
    /// Time by which it starts early, because its sound is heard late.
    public var delayMs: Int?
    /// Length of buffered sound.
    public var bufferMs: Int?
    /// Number of restarts because it was too far off.
    public var starts: Int?

    public init(driftUs: Int? = nil, delayMs: Int? = nil, bufferMs: Int? = nil, starts: Int? = nil) {
        self.driftUs = driftUs
        self.delayMs = delayMs
        self.bufferMs = bufferMs
        self.starts = starts
    }

    /// Accepted range of `driftUs`: ten seconds each way.
    public static let drifts = -10_000_000...10_000_000
    /// Accepted range of `delayMs`: ten seconds each way.
    public static let delays = -10_000...10_000
    /// Accepted range of `bufferMs`, up to a day, because a client can hold a whole item.
    public static let buffers = 0...86_400_000
    /// Accepted range of `starts`.
    public static let startCounts = 0...1_000_000

    /// Limit above which two devices side by side are heard as an echo.
    public static let inStepWithinUs = 30_000

    /// Whether it is in step with the room by its own measurement.
    public var isInStep: Bool { driftUs.map { abs($0) <= Self.inStepWithinUs } ?? false }
}
