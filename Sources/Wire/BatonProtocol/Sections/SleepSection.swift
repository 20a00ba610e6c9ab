public import BatonCore

/// The sleep timer of a room. The remaining time is a line in the hub's monotonic time, so no message has to count it down.
extension SleepSection {
    /// A timer that is over. A client that does not know such timers shows one with no time left.
    package static let over = SleepSection(end: .time, leftMs: 0, atMs: 0, rate: 0, isOver: true)

    /// The remaining time at a time on the hub's monotonic clock.
    public func leftMs(atMs nowMs: Milliseconds) -> Milliseconds? {
        leftMs.map { max(0, $0.minus(max(0, nowMs.minus(atMs)).times(rate) / 1000)) }
    }
}
