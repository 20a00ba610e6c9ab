/// Playlists: stored, ordered lists of items of any source. As in a queue, each entry has an id of its own, and edits are anchored to ids.

/// The id of a playlist; on the wire a short word.
public struct PlaylistID: Hashable, Sendable, CustomStringConvertible {
    /// The short word as commands name it.
    public let text: String
    /// An id as it was received or stored; the list need not exist.
    public init(_ text: String) { self.text = text }
    public var description: String { text }

    /// The URI of the whole list, which can be queued like an item.
    public var uri: ItemURI { ItemURI(Self.prefix + text) }

    /// The scheme of the URIs of playlists.
    package static let source = "pl"
    private static let prefix = "\(source):list/"

    /// The playlist that an item stands for; `nil` for other items.
    package init?(_ uri: ItemURI) {
        guard uri.text.hasPrefix(Self.prefix), uri.text.utf8.count > Self.prefix.utf8.count else { return nil }
        self.init(String(uri.text.dropFirst(Self.prefix.count)))
    }
}

/// A playlist in a list of playlists.
public struct PlaylistRow: Equatable, Sendable {
    /// The id, which stays when the list is renamed.
    public var id: PlaylistID
    /// The name that people gave it.
    public var name: String
    /// The number of its edits; a smart playlist's number does not change.
    public var revision: Int
    /// Number of entries; for a smart playlist, of the tracks that it finds now.
    public var count: Int
    /// Total length of the entries whose length is known.
    public var durationMs: Milliseconds
    /// The rule of a smart playlist; `nil` for one that people edit.
    public var rule: SmartRule?
    /// The picture of its first entry; `nil` for an empty list.
    public var art: Artwork?
    /// The edit that `undo` would revert.
    public var undo: String?
    /// The name of the user who owns it, followed by how it is shared; `nil` for lists of the hub.
    public var owner: String?
    /// The people who may see it; `nil` for lists of the hub.
    public var sharing: PlaylistAccess.Sharing?
    /// A description that people have written.
    public var about = ""
    /// Wall clock times; `nil` where they are unknown.
    public var madeMs: Milliseconds?
    /// Wall clock time of the last edit.
    public var changedMs: Milliseconds?

    public init(
        id: PlaylistID, name: String, revision: Int, count: Int, durationMs: Milliseconds = 0, rule: SmartRule? = nil, art: Artwork? = nil,
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

/// An item in a playlist, with the permanent id of its entry.
public struct PlaylistEntry: Equatable, Sendable {
    /// The id, permanent within its playlist; on the wire like that of a queue entry.
    public var id: EntryID
    /// The item, as far as its source or the list itself can describe it.
    public var row: ItemRow
    /// The path of its file, which only users who may use paths get to see.
    public var path: String?

    public init(id: EntryID, row: ItemRow, path: String? = nil) {
        self.id = id
        self.row = row
        self.path = path
    }
}

/// One edit of a playlist, anchored like a queue edit.
public enum PlaylistEdit: Equatable, Sendable {
    case add([NewEntry], at: InsertionPoint)
    /// Removes entries; ids that are gone already are ignored.
    case remove([EntryID])
    /// Moves entries, in the given order.
    case move([EntryID], to: InsertionPoint)
    case clear
    case rename(String)
    case describe(String)
    /// Replaces the rule of a smart playlist.
    case rule(SmartRule)
    /// Undoes the last edit, as far as that is still possible.
    case undo
}

/// The rule of a smart playlist: tracks that meet all (or any) conditions, in an order, up to a limit.
public struct SmartRule: Equatable, Sendable {
    /// The field of a track that a condition compares.
    public enum Field: String, Sendable, CaseIterable {
        case title, artist, album, genre, year, stars, plays, favourite, durationMs, addedDays, playedDays
    }

    /// The relation between a field and the value of the condition.
    public enum Relation: String, Sendable, CaseIterable {
        case `is`, isNot, has, atLeast, atMost, below, above
        /// One of several values.
        case oneOf = "in"
        /// From this day or year on.
        case since
    }

    /// The order of the tracks that are found.
    public enum Order: String, Sendable, CaseIterable {
        case title, artist, album, added, plays, played, stars, random
    }

    /// A comparison of one field of a track with a value.
    public struct Condition: Equatable, Sendable {
        /// The field of the track; it decides how `value` is read.
        public var field: Field
        /// The relation that must hold; which ones make sense depends on the field.
        public var relation: Relation
        /// The value as text; numbers are written out.
        public var value: String

        /// A condition. Not every relation fits every field, which is checked when the rule is used.
        public init(_ field: Field, _ relation: Relation, value: String) {
            self.field = field
            self.relation = relation
            self.value = value
        }
    }

    /// The conditions, at most `mostConditions`; without any, all tracks are found.
    public var conditions: [Condition]
    /// True when one fulfilled condition is enough, false when all must hold.
    public var matchesAny: Bool
    /// The order, which also decides which tracks a limit leaves out.
    public var order: Order
    /// True for the reverse order.
    public var isDescending: Bool
    /// Number of tracks that the list has at most, from 1 to `most`.
    public var limit: Int

    /// Number of conditions that a rule may have.
    public static let mostConditions = 16
    /// The largest limit; a queue holds no more entries either.
    public static let most = 10_000

    /// A rule; without further words it finds at most 500 tracks, in the order of their artists.
    public init(_ conditions: [Condition], matchesAny: Bool = false, order: Order = .artist, isDescending: Bool = false, limit: Int = 500) {
        self.conditions = conditions
        self.matchesAny = matchesAny
        self.order = order
        self.isDescending = isDescending
        self.limit = limit
    }
}
