/// Operations on all data of one person: listing it, giving it to another person, or deleting it.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    // MARK: - Telling

    func rows(of person: Person) throws(SourceFault) -> [PersonRow] {
        let owner: [Value] = [.text(person.text)]
        var rows: [PersonRow] = []
        rows += try all(
            """
            SELECT uri, title, own_mark.favourite_ms, own_mark.stars, own_mark.plays, own_mark.played_ms
            FROM own_mark JOIN item ON item.id = own_mark.item WHERE person = ? ORDER BY own_mark.item
            """, owner
        ) { row in
            PersonRow("mark").adding("uri", row.text(0)).adding("title", row.text(1)).adding("favouriteMs", row.int64(2))
                .adding("stars", row.int64(3)).adding("plays", row.int64(4)).adding("playedMs", row.int64(5))
        }
        rows += try all(
            """
            SELECT uri, title, room, at_ms FROM play JOIN item ON item.id = play.item WHERE person = ? ORDER BY play.id
            """, owner
        ) { PersonRow("play").adding("uri", $0.text(0)).adding("title", $0.text(1)).adding("room", $0.text(2)).adding("atMs", $0.int64(3)) }
        rows += try all(
            """
            SELECT uri, title, position_ms, is_finished FROM place JOIN item ON item.id = place.item WHERE person = ? ORDER BY turn
            """, owner
        ) { row in
            PersonRow("place").adding("uri", row.text(0)).adding("title", row.text(1)).adding("posMs", row.int64(2))
                .adding("finished", row.int64(3))
        }
        rows += try all(
            "SELECT uri, title FROM up_next JOIN item ON item.id = up_next.item WHERE person = ? ORDER BY up_next.turn", owner
        ) { PersonRow("upNext").adding("uri", $0.text(0)).adding("title", $0.text(1)) }
        rows += try all(
            "SELECT uri, title, position_ms, note, at_ms FROM bookmark WHERE person = ? AND deleted = 0 ORDER BY id", owner
        ) { row in
            PersonRow("bookmark").adding("uri", row.text(0)).adding("title", row.text(1)).adding("posMs", row.int64(2))
                .adding("note", row.text(3)).adding("atMs", row.int64(4))
        }
        rows += try all("SELECT speech_speed, work_speeds FROM listener WHERE person = ?", owner) {
            PersonRow("speeds").adding("speech", $0.int64(0)).adding("works", $0.text(1))
        }
        return rows + (try playlistRows(of: person))
    }

    private func playlistRows(of person: Person) throws(SourceFault) -> [PersonRow] {
        var rows: [PersonRow] = []
        let lists = try all("SELECT hash, name, sharing FROM playlist WHERE owner = ? ORDER BY id", [.text(person.text)]) {
            (id: PlaylistID(Self.short(UInt64($0.int64(0)))), name: $0.text(1), sharing: $0.text(2))
        }
        for list in lists {
            rows.append(PersonRow("playlist").adding("id", list.id.text).adding("name", list.name).adding("share", list.sharing))
            for entry in try expandPlaylist(list.id, for: person) {
                rows.append(PersonRow("entry").adding("list", list.id.text).adding("uri", entry.uri.text).adding("title", entry.tags.title))
            }
        }
        return rows
    }

    // MARK: - Giving

    /// Tables that have one row for each person and item.
    private static let keyed = ["own_mark", "place", "up_next", "listener"]

    func give(_ person: Person, to other: Person) throws(SourceFault) {
        guard person != other else { return }
        let both: [Value] = [.text(person.text), .text(other.text)]
        for table in Self.keyed {
            try run("UPDATE OR IGNORE \(table) SET person = ?2 WHERE person = ?1", both)
            try run("DELETE FROM \(table) WHERE person = ?", [.text(person.text)])
        }
        for table in ["play", "bookmark"] { try run("UPDATE \(table) SET person = ?2 WHERE person = ?1", both) }
        for table in ["playlist", "deleted_playlist"] { try run("UPDATE \(table) SET owner = ?2 WHERE owner = ?1", both) }
        if person == .home { try giveMarksOfHub(to: other) }
        libraryCounts.libraryRevision += 1
        libraryCounts.playlistRevision += 1
    }

    /// The hub has no marks afterwards, and sorting by plays starts from zero.
    private func giveMarksOfHub(to other: Person) throws(SourceFault) {
        try run(
            """
            INSERT OR IGNORE INTO own_mark (person, item, favourite_ms, stars, plays, played_ms)
            SELECT ?, id, favourite_ms, stars, plays, played_ms FROM item WHERE favourite_ms > 0 OR stars > 0 OR plays > 0
            """, [.text(other.text)])
        try run("UPDATE item SET favourite_ms = 0, stars = 0, plays = 0, played_ms = 0 WHERE favourite_ms > 0 OR stars > 0 OR plays > 0")
        try run("UPDATE track SET favourite = 0, stars = 0, plays = 0, played_ms = 0 WHERE favourite > 0 OR stars > 0 OR plays > 0")
        try run("UPDATE holder SET plays = 0 WHERE plays > 0")
    }

    // MARK: - Deleting

    func forget(_ person: Person) throws(SourceFault) {
        let owner: [Value] = [.text(person.text)]
        var items: Set<Int64> = []
        for table in ["own_mark", "place", "up_next", "play"] {
            items.formUnion(try all("SELECT item FROM \(table) WHERE person = ?", owner) { $0.int64(0) })
            try run("DELETE FROM \(table) WHERE person = ?", owner)
        }
        for table in ["listener", "bookmark"] { try run("DELETE FROM \(table) WHERE person = ?", owner) }
        for number in try all("SELECT id FROM playlist WHERE owner = ?", owner, as: { $0.int64(0) }) {
            items.formUnion(try takeEntries(ofList: number))
            pending.searchEntries[SearchEntryKey(.playlist, number)] = .some(nil)
            libraryCounts.playlists -= 1
        }
        for deleted in try all("SELECT n FROM deleted_playlist WHERE owner = ?", owner, as: { $0.int64(0) }) {
            items.formUnion(try takeEntries(ofList: -deleted))
        }
        for table in ["playlist", "deleted_playlist"] { try run("DELETE FROM \(table) WHERE owner = ?", owner) }
        try release(items)
        libraryCounts.libraryRevision += 1
        libraryCounts.playlistRevision += 1
    }

    /// Deletes the entries of a list and returns their items.
    private func takeEntries(ofList number: Int64) throws(SourceFault) -> [Int64] {
        let items = try all("SELECT item FROM playlist_entry WHERE playlist = ?", [.int(number)]) { $0.int64(0) }
        for table in ["playlist_entry", "playlist_edit"] { try run("DELETE FROM \(table) WHERE playlist = ?", [.int(number)]) }
        return items
    }

    // MARK: - Playlists

    /// Owner and sharing of all lists that have an owner, including deleted ones that can be restored.
    func playlistAccess() throws(SourceFault) -> [PlaylistID: PlaylistAccess] {
        var found: [PlaylistID: PlaylistAccess] = [:]
        for table in ["playlist", "deleted_playlist"] {
            try each("SELECT hash, owner, sharing, link FROM \(table) WHERE owner IS NOT NULL") { row in
                found[PlaylistID(Self.short(UInt64(row.int64(0))))] = PlaylistAccess(
                    owner: Person(row.text(1)), sharing: PlaylistAccess.Sharing(rawValue: row.text(2)) ?? .private, link: row.maybeText(3))
            }
        }
        return found
    }

    /// False for a list that was marked while it was shared and has since become private.
    func isReadable(_ id: PlaylistID, by person: Person) throws(SourceFault) -> Bool {
        let access = try first("SELECT owner, sharing FROM playlist WHERE id = ?", [.int(try number(of: id))]) { row in
            row.maybeText(0).map { PlaylistAccess(owner: Person($0), sharing: PlaylistAccess.Sharing(rawValue: row.text(1)) ?? .private) }
        }
        return (access ?? nil)?.isReadable(by: person) ?? true
    }

    func setAccess(_ access: PlaylistAccess?, of id: PlaylistID) throws(SourceFault) {
        let number = try number(of: id)
        try run(
            "UPDATE playlist SET owner = ?, sharing = ?, link = ? WHERE id = ?",
            [
                .maybe(access?.owner.text), .text((access?.sharing ?? .shared).rawValue), .maybe(access?.link), .int(number),
            ])
        libraryCounts.playlistRevision += 1
    }
}
