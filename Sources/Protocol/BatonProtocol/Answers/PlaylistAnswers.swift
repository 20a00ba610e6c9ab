public import BatonCore
import BatonJSON

/// The answer to `pl.list`: all playlists, and the number that counts their changes.
public struct PlaylistList: Equatable, Sendable {
    public var revision: Int
    public var rows: [PlaylistRow]

    package init(revision: Int, _ rows: [PlaylistRow]) {
        self.revision = revision
        self.rows = rows
    }
}

/// The answer to `pl.get`: one playlist, and some of its entries.
public struct PlaylistContents: Equatable, Sendable {
    public var list: PlaylistRow
    /// The place of the first row.
    public var from: Int
    /// May be fewer than were asked for, when their texts are long: the client asks on from there.
    public var rows: [PlaylistEntry]

    package init(_ list: PlaylistRow, from: Int, _ rows: [PlaylistEntry]) {
        self.list = list
        self.from = from
        self.rows = rows
    }
}

/// The answer to `pl.create` and `pl.edit`.
public struct PlaylistEdited: Equatable, Sendable {
    /// The id of the new playlist; `nil` after an edit.
    public var id: PlaylistID?
    public var revision: Int
    /// The ids of the new entries, in order.
    public var added: [EntryID]
    /// How many of those are left out, as when a whole library was added.
    public var more: Int

    package init(id: PlaylistID? = nil, revision: Int, added: [EntryID] = []) {
        self.id = id
        self.revision = revision
        self.added = Array(added.prefix(JSONLimits.standard.elements))
        more = added.count - self.added.count
    }
}
