package import BatonCore

/// The store of favourites, stars, plays and playlists for items of all sources. It has its own file, blocks on the disk, and is never called on the
/// loop.
///
/// Each item is stored with its texts, so that it can be shown while its source is unavailable. A command with a repeated key gets the earlier
/// answer; key and change are one transaction. The store has its own clock for the lifetime of keys, as the journal does.
package protocol UserMarks: Sendable {
    // MARK: Marks

    /// Returns false when nothing changes.
    func setFavourite(_ item: NewEntry, _ isFavourite: Bool, atMs: Milliseconds) throws(SourceFault) -> Bool
    /// Rates an item from 1 to 5, or removes the rating with 0. Returns false when nothing changes.
    func setStars(_ item: NewEntry, _ stars: Int, atMs: Milliseconds) throws(SourceFault) -> Bool
    /// Counts a play of an item that was heard long enough.
    func notePlayed(_ item: NewEntry, room: RoomID, atMs: Milliseconds) throws(SourceFault)
    /// The marks of those items that have any.
    func marks(of uris: [ItemURI]) throws(SourceFault) -> [ItemURI: ItemMark]
    /// Played items, newest first.
    func history(_ window: PageWindow) throws(SourceFault) -> [PlayedRow]

    // MARK: Playlists

    func playlists(_ window: PageWindow) throws(SourceFault) -> [PlaylistRow]
    func playlist(_ id: PlaylistID, from: Int, count: Int) throws(SourceFault) -> PlaylistPage
    /// Makes a list of these items, or one with a rule, and gives it an id.
    func createPlaylist(_ name: String, _ entries: [NewEntry], rule: SmartRule?, once: CommandKey?, atMs: Milliseconds)
        throws(SourceFault) -> PlaylistOutcome
    /// Applies all edits as one change, or none. `conflict` when the list is not at the revision `base`, which emptying a list requires.
    func editPlaylist(_ id: PlaylistID, base: Int?, _ edits: [PlaylistEdit], once: CommandKey?, atMs: Milliseconds)
        throws(SourceFault) -> PlaylistOutcome
    /// Deletes a list, which can be restored for a while; nothing happens when it is gone already.
    func deletePlaylist(_ id: PlaylistID, once: CommandKey?) throws(SourceFault) -> PlaylistOutcome
    /// Restores one of the last deleted lists, with its id, entries and edits.
    func restorePlaylist(_ id: PlaylistID, once: CommandKey?) throws(SourceFault) -> PlaylistOutcome
    /// The earlier answer to this key; looked up first, so that a repeat needs no source.
    func answered(_ once: CommandKey) throws(SourceFault) -> PlaylistOutcome?
    /// The items of a list in order, or those that its rule finds.
    func expandPlaylist(_ id: PlaylistID) throws(SourceFault) -> [NewEntry]

    /// Numbers that grow with each change, for the sections `lib` and `pl`.
    func libraryCounts() throws(SourceFault) -> LibraryCounts
}

extension NewEntry {
    /// Favourites are a shelf, so a marked shelf could contain itself. A mark from an earlier version can be removed.
    package func checkMark(isSet: Bool) throws(SourceFault) {
        guard isSet, tags.kind == .shelf || uri.isLibraryShelf else { return }
        let name = tags.title.isEmpty ? uri.text : tags.title
        throw SourceFault(.unsupported, "“\(name)” is a shelf, which cannot be marked: mark what is on it.")
    }
}

/// The key of a command, and the hash that tells it from another command with the same key.
package struct CommandKey: Equatable, Sendable {
    /// The principal that sent the command.
    package var device: String
    /// The key that the client chose.
    package var key: String
    /// The hash of the command's meaning.
    package var hash: [UInt8]

    package init(device: String, key: String, hash: [UInt8]) {
        self.device = device
        self.key = key
        self.hash = hash
    }
}

package struct PlayedRow: Equatable, Sendable {
    /// The item as it was stored then.
    package var row: ItemRow
    /// The room where it was played.
    package var room: RoomID
    /// Wall clock time at which it counted as played.
    package var atMs: Milliseconds
    /// The person who had added it to the queue.
    package var askedBy: String?

    package init(row: ItemRow, room: RoomID, atMs: Milliseconds, askedBy: String? = nil) {
        self.askedBy = askedBy
        self.row = row
        self.room = room
        self.atMs = atMs
    }
}

package struct PlaylistPage: Equatable, Sendable {
    /// The list itself, with its length and revision.
    package var list: PlaylistRow
    /// The index of the first entry.
    package var from: Int
    /// The entries from there on.
    package var entries: [PlaylistEntry]

    package init(list: PlaylistRow, from: Int, entries: [PlaylistEntry]) {
        self.list = list
        self.from = from
        self.entries = entries
    }
}

/// The result of a command about a playlist.
package struct PlaylistOutcome: Equatable, Sendable {
    /// The list that was made or changed.
    package var id: PlaylistID
    /// The revision after the command.
    package var revision: Int
    /// The ids of added entries, in the given order.
    package var added: [EntryID]
    /// True when nothing had to be changed.
    package var isNoop: Bool
    /// True when this is the stored answer of an earlier command with the same key.
    package var isDup: Bool

    package init(id: PlaylistID, revision: Int, added: [EntryID] = [], isNoop: Bool = false, isDup: Bool = false) {
        self.id = id
        self.revision = revision
        self.added = added
        self.isNoop = isNoop
        self.isDup = isDup
    }
}

/// Numbers of the library, for the sections `lib` and `pl`.
package struct LibraryCounts: Equatable, Sendable {
    /// Number of tracks that are there now.
    package var tracks = 0
    package var albums = 0
    package var artists = 0
    package var playlists = 0
    /// Grow whenever the counted things change.
    package var libraryRevision = 0
    /// Grows with each change of a playlist.
    package var playlistRevision = 0

    package init() {}
}
