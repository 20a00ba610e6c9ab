/// A recording of a station: now until it is stopped, or at a set time, once, daily or weekly.
public struct Recording: Equatable, Sendable {
    /// The period of a repeated recording.
    public enum Repeat: String, CaseIterable, Equatable, Sendable {
        case day, week

        /// Number of days from one repetition to the next.
        public var days: Int64 { self == .day ? 1 : 7 }
    }

    /// The number of the recording, never used twice; 0 before it is stored.
    public var id: Int
    /// The item that is recorded, a station.
    public var uri: ItemURI
    /// The title of the station when the recording was made.
    public var title: String
    /// Wall clock time at which it begins; `occurrence` gives that of a repetition.
    public var beginsMs: Milliseconds
    /// The end; `nil` for one that continues until it is stopped.
    public var endsMs: Milliseconds?
    /// The period; `nil` for a recording that happens once.
    public var repeats: Repeat?

    /// A recording that is not stored yet unless it has an `id`; limits are checked by the service.
    public init(id: Int = 0, _ uri: ItemURI, title: String, beginsMs: Milliseconds, endsMs: Milliseconds? = nil, repeats: Repeat? = nil) {
        self.id = id
        self.uri = uri
        self.title = title
        self.beginsMs = beginsMs
        self.endsMs = endsMs
        self.repeats = repeats
    }

    /// Maximum number of recordings; all of them are shown in one section.
    public static let most = 12
    /// Allowed lengths of a recording with an end.
    public static let lengthsMs: ClosedRange<Milliseconds> = 1_000...86_400_000
    /// Maximum time until a recording begins.
    public static let mostAheadMs: Milliseconds = 366 * 86_400_000

    /// True when it should be recorded at this time.
    public func isDue(atMs now: Milliseconds) -> Bool { beginsMs <= now && (endsMs.map { now < $0 } ?? true) }

    /// True when its end has passed.
    public func isOver(atMs now: Milliseconds) -> Bool { endsMs.map { $0 <= now } ?? false }

    /// The first repetition that ends after a time; `nil` when there is none. All repetitions begin at the same time of day, so they are computed
    /// from the first one: a time that is skipped when clocks are put forward would otherwise move all later ones.
    public func occurrence(afterMs now: Milliseconds, in zone: LocalTime) -> Recording? {
        guard let endsMs, endsMs <= now else { return self }
        guard let repeats else { return nil }
        var next = self
        // One step less, since a day may have 23 hours.
        var steps = max(0, (now - endsMs) / (LocalTime.dayMs * Int(repeats.days)) - 1)
        repeat {
            steps += 1
            next.beginsMs = zone.sameTime(asMs: beginsMs, daysLater: steps * repeats.days)
            next.endsMs = next.beginsMs + endsMs - beginsMs
        } while next.isOver(atMs: now)
        return next
    }
}
