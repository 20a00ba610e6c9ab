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
    /// No timer runs, but one has ended the playing, and the places among which a person may have fallen asleep wait to be asked for.
    public var isOver: Bool

    package init(_ end: SleepEnd, count: Int = 1, leftMs: Int?, atMs: Int64, rate: Int, fadeMs: Int = 0, isOver: Bool = false) {
        self.end = end
        self.count = count
        self.leftMs = leftMs
        self.atMs = atMs
        self.rate = rate
        self.fadeMs = fadeMs
        self.isOver = isOver
    }

    /// A client that knows nothing of such places shows a timer of which nothing is left.
    package static let over = SleepSection(.time, leftMs: 0, atMs: 0, rate: 0, isOver: true)

    /// What is left at a moment of the hub's monotonic time.
    public func leftMs(atMs nowMs: Int64) -> Int? {
        leftMs.map { max(0, $0 - Int(max(0, nowMs - atMs)) * rate / 1000) }
    }
}

/// `z`: the same for a watch, as `[leftMs, atMs, rate]`. An unknown value is -1. A fourth number 1 is `isOver`.
package struct WatchSleep: SectionContent {
    package static let section = Section.watchSleep

    package var leftMs: Int?
    package var atMs: Int64
    package var rate: Int
    package var isOver: Bool

    package init(leftMs: Int?, atMs: Int64, rate: Int, isOver: Bool = false) {
        self.leftMs = leftMs
        self.atMs = atMs
        self.rate = rate
        self.isOver = isOver
    }

    package init(_ sleep: SleepSection) {
        self.init(leftMs: sleep.leftMs, atMs: sleep.atMs, rate: sleep.rate, isOver: sleep.isOver)
    }
}
