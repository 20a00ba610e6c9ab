public import BatonCore
import BatonJSON

/// The answer to `pl.create` and `pl.edit`.
public struct PlaylistEdited: Equatable, Sendable {
    /// The id of the new playlist; `nil` after an edit.
    public var id: PlaylistID?
    /// Revision of a list that the hub stores; 0 for a list on a server.
    public var revision: Int
    /// The ids of the new entries, in order.
    public var added: [EntryID]
    /// Number of new entries whose ids are left out, for example after a whole library was added.
    public var more: Int
    /// The result of an edit at a server.
    public var atServer: AtServer?

    /// A list that was edited at its server.
    public struct AtServer: Equatable, Sendable {
        /// The list at its server; the URI is a new one if the command created the list.
        public var list: ItemURI
        /// How many tracks were added.
        public var count: Int
        /// The first of the items that the server lacks.
        public var missing: [Missing]
        /// Number of items that the server lacks.
        public var missed: Int

        package init(_ list: ItemURI, count: Int, missing: [Missing] = [], missed: Int = 0) {
            self.list = list
            self.count = count
            self.missing = missing
            self.missed = missed
        }
    }

    /// An item that a server does not have.
    public struct Missing: Equatable, Sendable {
        /// The item as the hub knows it; the server may have the same track under another name.
        public var uri: ItemURI
        /// The title from its own source, since the server has no row for it.
        public var title: String
        /// Artists in their order on the track; empty if the source knows none.
        public var artists: [String]

        package init(uri: ItemURI, title: String, artists: [String]) {
            self.uri = uri
            self.title = title
            self.artists = artists
        }
    }

    /// Takes at most as many ids as an array on the wire may have, and counts the rest in `more`.
    package init(id: PlaylistID? = nil, revision: Int, added: [EntryID] = []) {
        self.id = id
        self.revision = revision
        self.added = Array(added.prefix(JSONLimits.standard.elements))
        more = added.count - self.added.count
    }

    /// An answer for a list on a server, which has neither a revision nor ids of entries.
    package init(_ atServer: AtServer) {
        self.init(revision: 0)
        self.atServer = atServer
    }
}
