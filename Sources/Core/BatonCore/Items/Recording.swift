/// A station that the hub records: now, until it is stopped, or at a time, once or every day.
public struct Recording: Equatable, Sendable {
    /// How often it is recorded again.
    public enum Repeat: String, CaseIterable, Equatable, Sendable {
        case day, week

        public var ms: Int64 { self == .day ? 86_400_000 : 604_800_000 }
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

    /// The next one of those that repeat, as seen from a time; `nil` when this was the last.
    public func next(afterMs now: Int64) -> Recording? {
        guard let repeats, let endsMs, endsMs <= now else { return nil }
        let steps = (now - endsMs) / repeats.ms + 1
        var next = self
        next.beginsMs += steps * repeats.ms
        next.endsMs = endsMs + steps * repeats.ms
        return next
    }
}
