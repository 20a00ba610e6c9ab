/// The answer to `radio.titles`: titles of a station in the sound that the hub has stored. All times are in milliseconds since 1970.
public struct TitleList: Equatable, Sendable {
    /// A title, and the time at which its sound was received.
    public struct Row: Equatable, Sendable {
        /// The id of the title for `radio.back` and `radio.save`, which is never used again.
        public var number: Int
        public var beginsMs: Int64
        /// `nil` while it is on air.
        public var endsMs: Int64?
        public var title: String
        /// True if its beginning or its end is not stored.
        public var isPart: Bool
        /// True if it is saved, or will be when it ends.
        public var isSaved: Bool

        package init(_ number: Int, _ title: String, beginsMs: Int64, endsMs: Int64?, isPart: Bool = false, isSaved: Bool = false) {
            self.number = number
            self.title = title
            self.beginsMs = beginsMs
            self.endsMs = endsMs
            self.isPart = isPart
            self.isSaved = isSaved
        }
    }

    /// Current time of the hub's clock.
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
