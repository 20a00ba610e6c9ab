/// A station that the hub records: now, until it is stopped, or at a time, once or every day.
public struct Recording: Equatable, Sendable {
    /// How often it is recorded again.
    public enum Repeat: String, CaseIterable, Equatable, Sendable {
        case day, week

        public var days: Int64 { self == .day ? 1 : 7 }
    }

    /// Never used twice; 0 before it is kept.
    public var id: Int
    public var uri: ItemURI
    /// Of the station, when it was named.
    public var title: String
    public var beginsMs: Int64
    /// `nil` for one that goes on until it is stopped.
    public var endsMs: Int64?
    public var repeats: Repeat?

    public init(id: Int = 0, _ uri: ItemURI, title: String, beginsMs: Int64, endsMs: Int64? = nil, repeats: Repeat? = nil) {
        self.id = id
        self.uri = uri
        self.title = title
        self.beginsMs = beginsMs
        self.endsMs = endsMs
        self.repeats = repeats
    }

    /// How many a hub keeps: all of them are shown in one section.
    public static let most = 12
    /// How long one that ends by itself may be.
    public static let lengthsMs: ClosedRange<Int> = 1_000...86_400_000
    /// How far ahead it may begin.
    public static let mostAheadMs: Int64 = 366 * 86_400_000

    /// Whether it is to be recorded at this time.
    public func isDue(atMs now: Int64) -> Bool { beginsMs <= now && (endsMs.map { now < $0 } ?? true) }

    /// Whether its end has passed.
    public func isOver(atMs now: Int64) -> Bool { endsMs.map { $0 <= now } ?? false }

    /// The first one of those that repeat that ends after a time; `nil` when it was the last. All of them begin at the same time of the
    /// day, so it is asked of the first one: where clocks are put forward, a time that is left out would move all later ones.
    public func occurrence(afterMs now: Int64, in zone: LocalTime) -> Recording? {
        guard let endsMs, endsMs <= now else { return self }
        guard let repeats else { return nil }
        var next = self
        // One too early, since a day may have 23 hours.
        var steps = max(0, (now - endsMs) / (repeats.days * LocalTime.dayMs) - 1)
        repeat {
            steps += 1
            next.beginsMs = zone.sameTime(asMs: beginsMs, daysLater: steps * repeats.days)
            next.endsMs = next.beginsMs + endsMs - beginsMs
        } while next.isOver(atMs: now)
        return next
    }
}
