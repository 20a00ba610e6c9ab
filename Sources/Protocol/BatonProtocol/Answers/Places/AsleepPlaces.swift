public import BatonCore

/// The answer to `progress.asleep`: where a person who fell asleep can go on.
public struct AsleepPlaces: Equatable, Sendable {
    /// Which moment a place is.
    public enum Moment: String, Sendable, CaseIterable {
        /// Where the timer ended the playing, where it was set, and where a command was given last before that.
        case end, begin, press
    }

    /// One place, in an entry that the queue still has.
    public struct Row: Equatable, Sendable {
        public var moment: Moment
        public var entry: EntryID
        public var title: String
        public var positionMs: Int

        package init(_ moment: Moment, _ entry: EntryID, _ title: String, positionMs: Int) {
            self.moment = moment
            self.entry = entry
            self.title = title
            self.positionMs = positionMs
        }
    }

    public var rows: [Row]
    /// When the timer ended, wall clock; `nil` where none has.
    public var atMs: Int64?

    package init(_ rows: [Row] = [], atMs: Int64? = nil) {
        self.rows = rows
        self.atMs = atMs
    }
}
