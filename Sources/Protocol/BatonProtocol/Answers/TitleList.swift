/// The answer to `radio.titles`: what a station played in what the hub has kept of it. All times are in milliseconds since 1970.
public struct TitleList: Equatable, Sendable {
    /// A title, and when its sound was received.
    public struct Row: Equatable, Sendable {
        /// Names it for `radio.back` and `radio.save`, and never names another.
        public var number: Int
        public var beginsMs: Int64
        /// `nil` while it is on air.
        public var endsMs: Int64?
        public var title: String
        /// Its beginning or its end is not kept.
        public var isPart: Bool
        /// It is saved, or will be when it ends.
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
