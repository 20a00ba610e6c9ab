public import BatonCore

/// `sleep`: the sleep timer of a room. What is left is a line in the hub's monotonic time, so no message counts it down.
public struct SleepSection: SectionContent {
    package static let section = Section.sleep

    public var end: SleepEnd
    /// For `track` and `chapter`: how many ends are still to come, that of the current one included.
    public var count: Int
    /// `nil` while it is not known.
    public var leftMs: Int?
    public var atMs: Int64
    /// Permille: 1000 while the room plays, 0 while it does not.
    public var rate: Int
    public var fadeMs: Int

    package init(_ end: SleepEnd, count: Int = 1, leftMs: Int?, atMs: Int64, rate: Int, fadeMs: Int = 0) {
        self.end = end
        self.count = count
        self.leftMs = leftMs
        self.atMs = atMs
        self.rate = rate
        self.fadeMs = fadeMs
    }

    /// What is left at a moment of the hub's monotonic time.
    public func leftMs(atMs nowMs: Int64) -> Int? {
        leftMs.map { max(0, $0 - Int(max(0, nowMs - atMs)) * rate / 1000) }
    }
}

/// `z`: the same for a watch, as `[leftMs, atMs, rate]`. An unknown value is -1.
package struct WatchSleep: SectionContent {
    package static let section = Section.watchSleep

    package var leftMs: Int?
    package var atMs: Int64
    package var rate: Int

    package init(leftMs: Int?, atMs: Int64, rate: Int) {
        self.leftMs = leftMs
        self.atMs = atMs
        self.rate = rate
    }

    package init(_ sleep: SleepSection) { self.init(leftMs: sleep.leftMs, atMs: sleep.atMs, rate: sleep.rate) }
}
