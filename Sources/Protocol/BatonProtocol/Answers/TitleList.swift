/// The answer to `radio.titles`: titles of a station in the sound that the hub has stored. All times are in milliseconds since 1970.
public struct TitleList: Equatable, Sendable {
    /// The time of the hub's clock.
    public var nowMs: Int64
    /// Reception times of the stored sound; `nil` if there is none.
    public var keptMs: ClosedRange<Int64>?
    /// The newest titles, oldest first.
    public var rows: [Row]
    /// Periods without sound, oldest first.
    public var gapsMs: [Range<Int64>]
    /// Number of older titles that are left out.
    public var more: Int

    package init(_ rows: [Row], nowMs: Int64, keptMs: ClosedRange<Int64>? = nil, gapsMs: [Range<Int64>] = [], more: Int = 0) {
        self.rows = rows
        self.nowMs = nowMs
        self.keptMs = keptMs
        self.gapsMs = gapsMs
        self.more = more
    }
}
