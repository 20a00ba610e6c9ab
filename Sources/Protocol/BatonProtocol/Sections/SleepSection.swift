/// The sleep timer of a room. What is left is a line in the hub's monotonic time, so no message counts it down.
extension SleepSection {
    /// A client that knows nothing of such places shows a timer of which nothing is left.
    package static let over = SleepSection(end: .time, leftMs: 0, atMs: 0, rate: 0, isOver: true)

    /// What is left at a moment of the hub's monotonic time.
    public func leftMs(atMs nowMs: Int64) -> Int? {
        leftMs.map { max(0, $0 - Int(max(0, nowMs - atMs)) * rate / 1000) }
    }
}
