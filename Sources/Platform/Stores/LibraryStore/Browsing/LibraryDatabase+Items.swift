/// Favourites, stars and plays of items. The texts of an item are stored with them, so that it can be shown while its source is away.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// Number of plays that are stored one by one.
    static let mostPlays = 100_000

    // MARK: - Items

    /// The row of an item, with its texts as they are now.
    func item(_ entry: NewEntry) throws(SourceFault) -> Int64 {
        let tags = entry.tags
        let texts: [Value] = [
            .text(tags.kind.rawValue), .text(tags.title), .text(NameList.join(tags.artists)), .text(tags.album), .text(tags.albumArtist),
            .int(tags.disc ?? 0), .int(tags.track ?? 0), .int(tags.year ?? 0), .time(tags.durationMs), .maybe(tags.art?.id),
            .maybe(tags.art?.width), .maybe(tags.art?.height),
        ]
        if let known = try existingItem(entry.uri) {
            // An entry without a title must not erase what is known.
            if !tags.title.isEmpty {
                try run(
                    """
                    UPDATE item SET kind = ?, title = ?, artists = ?, album = ?, album_artist = ?, disc = ?, track = ?, year = ?,
                        duration_ms = ?, art = ?, art_width = ?, art_height = ? WHERE id = ?
                    """, texts + [.int(known)])
            }
            return known
        }
        let id = try insert(
            """
            INSERT INTO item (kind, title, artists, album, album_artist, disc, track, year, duration_ms, art, art_width, art_height, uri)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, texts + [.text(entry.uri.text)])
        if let track = Self.trackName(entry.uri) { try run("UPDATE track SET item = ? WHERE name = ?", [.int(id), .text(track)]) }
        return id
    }

    func existingItem(_ uri: ItemURI) throws(SourceFault) -> Int64? {
        try first("SELECT id FROM item WHERE uri = ?", [.text(uri.text)]) { $0.int64(0) }
    }

    /// Deletes the items that have no mark, no play and no place, and are in no playlist and not up next.
    func release(_ items: Set<Int64>) throws(SourceFault) {
        for item in items {
            let isForgotten = try run(
                """
                DELETE FROM item WHERE id = ?1 AND favourite_ms = 0 AND stars = 0 AND plays = 0
                    AND NOT EXISTS (SELECT 1 FROM playlist_entry WHERE item = ?1) AND NOT EXISTS (SELECT 1 FROM play WHERE item = ?1)
                    AND NOT EXISTS (SELECT 1 FROM place WHERE item = ?1) AND NOT EXISTS (SELECT 1 FROM up_next WHERE item = ?1)
                    AND NOT EXISTS (SELECT 1 FROM own_mark WHERE item = ?1)
                """, [.int(item)])
            if isForgotten > 0 { try run("UPDATE track SET item = NULL WHERE item = ?", [.int(item)]) }
        }
    }

    static func trackName(_ uri: ItemURI) -> String? {
        let start = "lib:track/"
        return uri.text.hasPrefix(start) ? String(uri.text.dropFirst(start.count)) : nil
    }

    // MARK: - Marks

    func setFavourite(_ entry: NewEntry, _ isFavourite: Bool, atMs: Milliseconds) throws(SourceFault) -> Bool {
        let was = try first("SELECT favourite_ms > 0 FROM item WHERE uri = ?", [.text(entry.uri.text)]) { $0.flag(0) } ?? false
        guard was != isFavourite else { return false }
        try entry.checkMark(isSet: isFavourite)
        try mark(entry, by: "UPDATE item SET favourite_ms = ? WHERE id = ?", value: isFavourite ? max(1, atMs.count) : 0)
        return true
    }

    func setStars(_ entry: NewEntry, _ stars: Int, atMs: Milliseconds) throws(SourceFault) -> Bool {
        try Self.check(stars: stars)
        let was = try first("SELECT stars FROM item WHERE uri = ?", [.text(entry.uri.text)]) { $0.int(0) } ?? 0
        guard was != stars else { return false }
        try entry.checkMark(isSet: stars > 0)
        try mark(entry, by: "UPDATE item SET stars = ? WHERE id = ?", value: Int64(stars))
        return true
    }

    static func check(stars: Int) throws(SourceFault) {
        guard (0...5).contains(stars) else { throw SourceFault(.badRequest, "Stars are 0 to 5, not \(stars).") }
    }

    private func mark(_ entry: NewEntry, by sql: String, value: Int64) throws(SourceFault) {
        let item = try item(entry)
        try run(sql, [.int(value), .int(item)])
        try mirror(item)
        try release([item])
        libraryCounts.libraryRevision += 1
    }

    func notePlayed(_ entry: NewEntry, room: RoomID, atMs: Milliseconds) throws(SourceFault) {
        let item = try item(entry)
        try run("UPDATE item SET plays = plays + 1, played_ms = max(played_ms, ?) WHERE id = ?", [.time(atMs), .int(item)])
        try storePlay(of: item, entry, by: .home, room: room, atMs: atMs)
        try mirror(item)
        try rank(trackOf: item)
        libraryCounts.libraryRevision += 1
    }

    func storePlay(of item: Int64, _ entry: NewEntry, by person: Person, room: RoomID, atMs: Milliseconds) throws(SourceFault) {
        let play = try insert(
            "INSERT INTO play (item, room, at_ms, person, asked_by) VALUES (?, ?, ?, ?, ?)",
            [.int(item), .text(room.text), .time(atMs), .text(person.text), .maybe(entry.askedBy)])
        try run("DELETE FROM play WHERE id <= ?", [.int(play - Int64(Self.mostPlays))])
    }

    /// A track that was played again moves up among search hits, and so do its album and artists.
    private func rank(trackOf item: Int64) throws(SourceFault) {
        let track = try first("SELECT id, plays, holder, kind FROM track WHERE item = ? AND is_gone = 0", [.int(item)]) { row in
            (id: row.int64(0), plays: row.int(1), album: row.int64(2), kind: ItemKind(rawValue: row.text(3)) ?? .track)
        }
        guard let track else { return }
        let searchEntry = try first(
            "SELECT sort, hash, words FROM spot WHERE kind = ? AND item = ?", [.text(track.kind.rawValue), .int(track.id)]
        ) { SearchEntry(unplayed: -track.plays, sort: $0.text(0), hash: $0.int64(1), words: $0.text(2)) }
        if let searchEntry { pending.searchEntries[SearchEntryKey(track.kind, track.id)] = searchEntry }
        if track.album > 0 { pending.grow(track.album, by: 0, plays: 1) }
        for holder in try all("SELECT holder FROM member WHERE track = ?", [.int(track.id)], as: { $0.int64(0) }) {
            pending.grow(holder, by: 0, plays: 1)
        }
    }

    /// A sentence for each shelf among the favourites, which an earlier version allowed; `inside` skips these.
    func damagedMarks() throws(SourceFault) -> [String] {
        try all(
            """
            SELECT uri, title FROM item WHERE uri GLOB ? AND (favourite_ms > 0
                OR EXISTS (SELECT 1 FROM own_mark WHERE own_mark.item = item.id AND own_mark.favourite_ms > 0)) ORDER BY id
            """, [.text(LibraryShelf.uri(named: "*").text)]
        ) { row in
            """
            The shelf “\(row.text(1))” is among the favourites, where a shelf cannot be, so it is left out when they are played or kept. \
            Take the mark away: baton fav off \(row.text(0))
            """
        }
    }

    func marks(of uris: [ItemURI]) throws(SourceFault) -> [ItemURI: ItemMark] {
        var marks: [ItemURI: ItemMark] = [:]
        for uri in uris {
            let mark = try first("SELECT favourite_ms > 0, stars, plays, played_ms FROM item WHERE uri = ?", [.text(uri.text)]) { row in
                ItemMark(
                    isFavourite: row.flag(0), stars: row.int(1), plays: row.int(2), lastPlayedMs: row.time(3) > 0 ? row.time(3) : nil)
            }
            if let mark, mark != ItemMark() { marks[uri] = mark }
        }
        return marks
    }

    func history(of person: Person, _ window: PageWindow) throws(SourceFault) -> [PlayedRow] {
        let shape = RowShape.item
        return try all(
            """
            SELECT \(shape.columns), play.room, play.at_ms, play.asked_by FROM play JOIN item ON item.id = play.item \(shape.joins)
            WHERE play.person = ? ORDER BY play.id DESC LIMIT ? OFFSET ?
            """, [.text(person.text), .int(max(0, window.limit)), .int(window.boundedFrom)]
        ) { shape.played($0) }
    }
}
