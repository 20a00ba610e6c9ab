/// Playlists as people see them, whether edited by hand or filled by a rule.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// Smart playlists contain what `person` has marked; the same applies to all functions below.
    func playlists(_ window: PageWindow, for person: Person = .home) throws(SourceFault) -> [PlaylistRow] {
        let numbers = try all(
            "SELECT id FROM playlist ORDER BY fold, id LIMIT ? OFFSET ?", [.int(max(0, window.limit)), .int(window.boundedFrom)]
        ) { $0.int64(0) }
        var rows: [PlaylistRow] = []
        for number in numbers { rows.append(try playlistRow(number, for: person)) }
        return rows
    }

    func page(of id: PlaylistID, from: Int, count: Int, for person: Person = .home) throws(SourceFault) -> PlaylistPage {
        let number = try number(of: id)
        let row = try playlistRow(number, for: person)
        let from = max(0, from)
        let most = max(0, count)
        if let rule = row.rule {
            let found = try tracks(of: rule, for: person, from: from, most: most)
            let entries = found.enumerated().map { place, found in
                PlaylistEntry(id: EntryID(UInt64(from + place + 1)), row: found.row, path: found.path)
            }
            return PlaylistPage(list: row, from: from, entries: entries)
        }
        var entries: [PlaylistEntry] = []
        for entry in try order(of: number).dropFirst(from).prefix(most) {
            if let found = try entryRow(entry, of: number) { entries.append(found.entry) }
        }
        return PlaylistPage(list: row, from: from, entries: entries)
    }

    func expandPlaylist(_ id: PlaylistID, for person: Person = .home) throws(SourceFault) -> [NewEntry] {
        let number = try number(of: id)
        if let rule = try playlistRow(number, for: person).rule {
            return try tracks(of: rule, for: person, from: 0, most: SmartRule.most).map { NewEntry(uri: $0.row.uri, tags: $0.row.tags) }
        }
        var entries: [NewEntry] = []
        for entry in try order(of: number) {
            guard let (entry, trust) = try entryRow(entry, of: number) else { continue }
            entries.append(NewEntry(uri: entry.row.uri, tags: entry.row.tags, trust: trust))
        }
        return entries
    }

    // MARK: - Rows

    private func playlistRow(_ number: Int64, for person: Person) throws(SourceFault) -> PlaylistRow {
        let found = try first(
            "SELECT hash, name, revision, entries, duration_ms, rule, about, made_ms, changed_ms FROM playlist WHERE id = ?",
            [.int(number)]
        ) { row in
            var list = PlaylistRow(
                id: PlaylistID(Self.short(UInt64(row.int64(0)))), name: row.text(1), revision: row.int(2), count: row.int(3),
                durationMs: row.time(4), rule: row.isNull(5) ? nil : SmartRule(packed: row.blob(5)))
            list.about = row.text(6)
            list.madeMs = row.maybeTime(7)
            list.changedMs = row.time(8)
            return list
        }
        guard var row = found else { throw SourceFault(.notFound, "There is no such playlist.") }
        if let rule = row.rule {
            let query = try SmartQuery(rule, of: person, nowMs: clock.wallMs)
            let (sql, values) = query.measured
            if let (count, durationMs) = try first(sql, values, as: { ($0.int(0), $0.time(1)) }) {
                row.count = count
                row.durationMs = durationMs
            }
            row.art = try tracks(of: rule, for: person, from: 0, most: 1).first?.row.tags.art
        } else {
            if let entry = try order(of: number).first { row.art = try entryRow(entry, of: number)?.entry.row.tags.art }
            row.undo = try first(
                "SELECT kind FROM playlist_edit WHERE playlist = ? AND undo IS NOT NULL ORDER BY n DESC LIMIT 1", [.int(number)]
            ) { $0.text(0) }
        }
        return row
    }

    private func order(of number: Int64) throws(SourceFault) -> [EntryID] {
        try first("SELECT ord FROM playlist WHERE id = ?", [.int(number)]) { row in
            var unpacker = Unpacker(row.blob(0))
            return unpacker.entries() ?? []
        } ?? []
    }

    private func entryRow(_ entry: EntryID, of number: Int64) throws(SourceFault) -> (entry: PlaylistEntry, trust: Trust)? {
        let shape = RowShape.item
        return try first(
            """
            SELECT \(shape.columns), folder.path || '/' || file.name, playlist_entry.trust FROM playlist_entry JOIN item ON item.id = playlist_entry.item
            \(shape.joins) LEFT JOIN file ON file.id = track.file LEFT JOIN folder ON folder.id = file.folder
            WHERE playlist = ? AND entry = ?
            """, [.int(number), .int(Int64(bitPattern: entry.number))]
        ) {
            (PlaylistEntry(id: entry, row: shape.read($0), path: $0.maybeText(shape.width)), Trust(stored: $0.int(shape.width + 1)))
        }
    }

    private func tracks(
        of rule: SmartRule, for person: Person, from: Int, most: Int
    ) throws(SourceFault) -> [(row: ItemRow, path: String?)] {
        let shape = RowShape.track
        let (sql, values) = try SmartQuery(rule, of: person, nowMs: clock.wallMs).rows(shape, from: from, most: most)
        return try all(sql, values) { (shape.read($0), $0.maybeText(shape.width)) }
    }
}
