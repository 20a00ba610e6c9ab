/// What a person wants to have on the hub's own disk, so that it plays also when its server is away.
public enum KeepWish: Hashable, Sendable {
    /// A track, or all tracks of an album, an artist, a playlist or another container.
    case item(ItemURI)
    /// The favourites of this hub.
    case favourites
    /// So many of the tracks that were played most here.
    case mostPlayed(Int)

    public static let counts = 1...1000
    public static let usualCount = 50

    /// The word of a rule; `nil` for an item.
    public var rule: Rule? {
        switch self {
        case .item: nil
        case .favourites: .favourites
        case .mostPlayed: .played
        }
    }

    /// Tracks that are chosen by what people do: their favourites, or what is played most.
    public enum Rule: String, Sendable, CaseIterable { case favourites, played }

    /// Two wishes of one name are one: the later one takes the place of the other.
    package var name: String {
        switch self {
        case .item(let uri): uri.text
        case .favourites, .mostPlayed: "rule:\(rule?.rawValue ?? "")"
        }
    }

    /// What a rule finds changes with what people mark and hear; a track stays the same.
    package var follows: Bool { rule != nil }
}

/// How much of an item is on the hub's own disk.
public struct KeepMark: Equatable, Sendable {
    /// 100 is all of it; 0 is wanted and has not begun.
    public var percent: Int
    /// Its server does not have it any more.
    public var hasLeft: Bool

    public init(percent: Int, hasLeft: Bool = false) {
        self.percent = percent
        self.hasLeft = hasLeft
    }

    public var isWhole: Bool { percent >= 100 }
}
