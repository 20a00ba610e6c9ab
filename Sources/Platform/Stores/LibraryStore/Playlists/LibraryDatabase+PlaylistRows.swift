/// Rows of playlists. They are read as a whole, and an edit writes only the differences.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    func existing(_ id: PlaylistID) throws(SourceFault) -> Int64? {
        guard let hash = Int64(id.text, radix: 36), hash > 0 else { return nil }
        return try first("SELECT id FROM playlist WHERE hash = ?", [.int(hash)]) { $0.int64(0) }
    }

    func number(of id: PlaylistID) throws(SourceFault) -> Int64 {
        guard let number = try existing(id) else { throw SourceFault(.notFound, "There is no playlist \(id).") }
        return number
    }

    func playlist(_ number: Int64) throws(SourceFault) -> StoredPlaylist {
        var rows: [EntryID: QueueEntry] = [:]
        try each("SELECT entry, item, trust FROM playlist_entry WHERE playlist = ?", [.int(number)]) { row in
            let id = EntryID(UInt64(bitPattern: row.int64(0)))
            rows[id] = QueueEntry(id: id, uri: ItemURI("\(row.int64(1))"), tags: Tags(), trust: Trust(stored: row.int(2)))
        }
        var edits: [QueueEdit] = []
        try each("SELECT n, kind, at_ms, clock_ms, entries, undo FROM playlist_edit WHERE playlist = ? ORDER BY n", [.int(number)]) { row in
            guard let kind = QueueEdit.Kind(rawValue: row.text(1)) else { return }
            edits.append(
                QueueEdit(
                    number: row.int(0), kind: kind, author: nil, atMs: row.time(2), steadyMs: max(0, row.time(3)), count: row.int(4),
                    undo: row.isNull(5) ? nil : Undo(packed: row.blob(5), of: kind, rows: rows)))
        }
        let history = QueueHistory(edits)
        let found = try first(
            "SELECT name, revision, next_entry, duration_ms, ord, rule, about FROM playlist WHERE id = ?", [.int(number)]
        ) { row in
            var unpacker = Unpacker(row.blob(4))
            let order = unpacker.entries() ?? []
            return StoredPlaylist(
                number: number, name: row.text(0),
                list: PlaybackQueue(
                    entries: order.compactMap { rows[$0] }, current: nil, revision: row.int(1), history: history),
                numbers: EntryNumbers(next: UInt64(row.int64(2))), durationMs: row.time(3),
                rule: row.isNull(5) ? nil : SmartRule(packed: row.blob(5)), about: row.text(6))
        }
        guard let found else { throw SourceFault(.notFound, "There is no such playlist.") }
        return found
    }

    /// Writes only the differences: entries that were added or removed, the last edit, the order.
    func write(_ kept: StoredPlaylist, since before: StoredPlaylist, atMs: Milliseconds) throws(SourceFault) {
        let (old, new) = (before.rows, kept.rows)
        for (entry, row) in new where old[entry] == nil {
            try run(
                "INSERT INTO playlist_entry (playlist, entry, item, trust) VALUES (?, ?, ?, ?)",
                [.int(kept.number), .id(entry), .int(row.item), .int(row.trust.rawValue)])
        }
        var forgotten = Set<Int64>()
        for (entry, row) in old where new[entry] == nil {
            try run(
                "DELETE FROM playlist_entry WHERE playlist = ? AND entry = ?",
                [.int(kept.number), .int(Int64(bitPattern: entry.number))])
            forgotten.insert(row.item)
        }
        try write(kept.list.history, since: before.list.history, of: kept.number)
        // Computed while the removed rows still exist.
        let durationMs = try duration(of: kept, since: before)
        try release(forgotten)
        var packer = Packer()
        packer.put(kept.list.entries.map(\.id))
        try run(
            """
            UPDATE playlist SET name = ?, fold = ?, revision = ?, next_entry = ?, entries = ?, duration_ms = ?, changed_ms = ?, ord = ?,
                rule = ?, about = ? WHERE id = ?
            """,
            [
                .text(kept.name), .text(Folding.short(kept.name)), .int(kept.list.revision), .int(Int64(kept.numbers.next)),
                .int(kept.list.count), .time(durationMs), .time(atMs), .blob(packer.bytes),
                kept.rule.map { .blob($0.packed) } ?? .null, .text(kept.about), .int(kept.number),
            ])
    }

    private func write(_ history: QueueHistory, since before: QueueHistory, of number: Int64) throws(SourceFault) {
        let old = Dictionary(before.edits.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        let new = Set(history.edits.map(\.number))
        for edit in history.edits where old[edit.number].map({ ($0.undo == nil) != (edit.undo == nil) }) ?? true {
            try run(
                "INSERT OR REPLACE INTO playlist_edit (playlist, n, kind, at_ms, clock_ms, entries, undo) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    .int(number), .int(edit.number), .text(edit.kind.rawValue), .time(edit.atMs), .time(edit.steadyMs), .int(edit.count),
                    edit.undo.map { .blob($0.packed) } ?? .null,
                ])
        }
        for gone in old.keys where !new.contains(gone) {
            try run("DELETE FROM playlist_edit WHERE playlist = ? AND n = ?", [.int(number), .int(gone)])
        }
    }

    private func duration(of kept: StoredPlaylist, since before: StoredPlaylist) throws(SourceFault) -> Milliseconds {
        let old = Set(before.list.entries.map(\.id))
        let new = Set(kept.list.entries.map(\.id))
        var duration = before.durationMs
        for (entries, others, sign) in [(kept.list.entries, old, 1), (before.list.entries, new, -1)] {
            for entry in entries where !others.contains(entry.id) {
                let itemDuration = try first("SELECT duration_ms FROM item WHERE id = ?", [.int(entry.item)]) { $0.time(0) } ?? 0
                duration += itemDuration * sign
            }
        }
        return max(0, duration)
    }
}
