/// The answer to `radio.titles`: what a station played in what the hub has kept of it. All times are in milliseconds since 1970.
public struct TitleList: Equatable, Sendable {
    /// What the hub's clock shows.
    public var nowMs: Int64
    /// When the sound that is kept was received; `nil` while nothing is.
    public var keptMs: ClosedRange<Int64>?
    /// The newest ones, oldest first.
    public var rows: [Row]
    /// Where sound is missing, oldest first.
    public var gapsMs: [Range<Int64>]
    /// Older titles that are left out.
    public var more: Int

    package init(_ rows: [Row], nowMs: Int64, keptMs: ClosedRange<Int64>? = nil, gapsMs: [Range<Int64>] = [], more: Int = 0) {
        self.rows = rows
        self.nowMs = nowMs
        self.keptMs = keptMs
        self.gapsMs = gapsMs
        self.more = more
    }
}
