/// Playlists: ordered lists that are kept, of items of any source. Like a queue, each place in one
/// has an id of its own, and edits are anchored to ids.

/// One playlist; on the wire a short word.
public struct PlaylistID: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    public init(_ text: String) { self.text = text }
    public var description: String { text }

    /// What the whole list is called as an item: it can be queued.
    public var uri: ItemURI { ItemURI(Self.prefix + text) }

    package static let source = "pl"
    private static let prefix = "\(source):list/"

    /// `nil` for an item that is no playlist.
    package init?(_ uri: ItemURI) {
        guard uri.text.hasPrefix(Self.prefix), uri.text.utf8.count > Self.prefix.utf8.count else { return nil }
        self.init(String(uri.text.dropFirst(Self.prefix.count)))
    }
}

/// A playlist as it stands in a list of them.
public struct PlaylistRow: Equatable, Sendable {
    public var id: PlaylistID
    public var name: String
    /// Counts its edits; a smart one's stands still.
    public var revision: Int
    public var count: Int
    public var durationMs: Int
    /// What fills a smart playlist; `nil` for one that people fill.
    public var rule: SmartRule?
    public var art: Artwork?
    /// What `undo` would take back.
    public var undo: String?
    /// The name of the user to whom it belongs, and who may see it; `nil` for lists of the hub.
    public var owner: String?
    public var sharing: PlaylistAccess.Sharing?
    /// A description that people have written.
    public var about = ""
    /// By the wall clock; `nil` where that is not known.
    public var madeMs: Int64?
    public var changedMs: Int64?

    public init(
        id: PlaylistID, name: String, revision: Int, count: Int, durationMs: Int = 0, rule: SmartRule? = nil, art: Artwork? = nil,
        undo: String? = nil
    ) {
        self.id = id
        self.name = name
        self.revision = revision
        self.count = count
        self.durationMs = durationMs
        self.rule = rule
        self.art = art
        self.undo = undo
    }
}

/// One place in a playlist, and what is there.
public struct PlaylistEntry: Equatable, Sendable {
    /// Permanent within its playlist; on the wire as a queue's entry is.
    public var id: EntryID
    public var row: ItemRow
    public var path: String?

    public init(id: EntryID, row: ItemRow, path: String? = nil) {
        self.id = id
        self.row = row
        self.path = path
    }
}

/// One edit of a playlist, anchored as a queue's are.
public enum PlaylistEdit: Equatable, Sendable {
    case add([NewEntry], at: Place)
    case remove([EntryID])
    case move([EntryID], to: Place)
    case clear
    case rename(String)
    case describe(String)
    case rule(SmartRule)
    /// Takes the last edit back, as far as it is still there to be taken back.
    case undo
}

/// What fills a smart playlist: tracks for which all (or any) of the conditions hold, in an order, at
/// most so many.
public struct SmartRule: Equatable, Sendable {
    /// What of a track a condition looks at.
    public enum Field: String, Sendable, CaseIterable {
        case title, artist, album, genre, year, stars, plays, favourite, durationMs, addedDays, playedDays
    }

    /// How what is there and what is asked for must stand to each other.
    public enum Relation: String, Sendable, CaseIterable {
        case `is`, isNot, has, atLeast, atMost, below, above
        /// One of several values.
        case oneOf = "in"
        /// From this day or year on.
        case since
    }

    /// By what the tracks that are found are put in order.
    public enum Order: String, Sendable, CaseIterable {
        case title, artist, album, added, plays, played, stars, random
    }

    /// One thing that must be so.
    public struct Condition: Equatable, Sendable {
        public var field: Field
        public var relation: Relation
        /// As text; numbers are written out.
        public var value: String

        public init(_ field: Field, _ relation: Relation, _ value: String) {
            self.field = field
            self.relation = relation
            self.value = value
        }
    }

    public var conditions: [Condition]
    public var matchesAny: Bool
    public var order: Order
    public var isDescending: Bool
    public var limit: Int

    public static let mostConditions = 16
    public static let most = 10_000

    public init(_ conditions: [Condition], matchesAny: Bool = false, order: Order = .artist, isDescending: Bool = false, limit: Int = 500) {
        self.conditions = conditions
        self.matchesAny = matchesAny
        self.order = order
        self.isDescending = isDescending
        self.limit = limit
    }
}
