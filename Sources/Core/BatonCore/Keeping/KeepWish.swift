/// A wish to keep items on the hub's own disk, so that they play even while their server is unavailable.
public enum KeepWish: Hashable, Sendable {
    /// A track, or all tracks of an album, an artist, a playlist or another container.
    case item(ItemURI)
    /// The favourites of this hub.
    case favourites
    /// This many of the tracks that were played most here.
    case mostPlayed(Int)

    /// Allowed numbers of most played tracks.
    public static let counts = 1...1000
    /// The number where a person named none.
    public static let usualCount = 50

    /// The rule; `nil` for an item.
    public var rule: Rule? {
        switch self {
        case .item: nil
        case .favourites: .favourites
        case .mostPlayed: .played
        }
    }

    /// The item; `nil` for a rule.
    public var uri: ItemURI? { if case .item(let uri) = self { uri } else { nil } }

    /// Number of the most played tracks; `nil` for all other wishes.
    public var count: Int? { if case .mostPlayed(let count) = self { count } else { nil } }

    /// A wish by its parts, of which an item has the URI alone.
    public init(uri: ItemURI?, rule: Rule?, count: Int?) {
        self =
            switch rule {
            case .favourites: .favourites
            case .played: .mostPlayed(count ?? Self.usualCount)
            case nil: .item(uri ?? ItemURI(""))
            }
    }

    /// Rules that choose tracks by what people do: favourites, or the most played.
    public enum Rule: String, Sendable, CaseIterable { case favourites, played }

    /// The name of a wish. A new wish replaces an earlier one with the same name.
    package var name: String {
        switch self {
        case .item(let uri): uri.text
        case .favourites, .mostPlayed: "rule:\(rule?.rawValue ?? "")"
        }
    }

    /// True when the wish follows changes: a rule finds other tracks over time, an item stays the same.
    package var follows: Bool { rule != nil }
}

/// The share of an item on the hub's own disk.
public struct KeepMark: Equatable, Sendable {
    /// 100 is complete; 0 means that fetching has not begun.
    public var percent: Int
    /// True when its server does not have it any more.
    public var hasLeft: Bool

    /// A mark; 100 percent means that the item plays while its source is down.
    public init(percent: Int, hasLeft: Bool = false) {
        self.percent = percent
        self.hasLeft = hasLeft
    }

    /// True when every part of it is on the hub's disk.
    public var isWhole: Bool { percent >= 100 }
}
