/// Playlists: each is loaded as a queue that nothing plays, edited as one, and what differs is written.
import BatonCore
import BatonSeams
import SQLite

/// A playlist as it lies in the file. Its entries carry the numbers of their items for their uris.
struct KeptPlaylist {
    var number: Int64
    var name: String
    var list: PlaybackQueue
    var numbers: EntryNumbers
    var durationMs: Int
    var rule: SmartRule?

    /// Every entry whose row is wanted: those in it, and those an undo may bring back.
    var rows: [EntryID: QueueEntry] {
        var rows: [EntryID: QueueEntry] = [:]
        for entry in list.entries { rows[entry.id] = entry }
        for edit in list.history.edits { for entry in edit.undo?.taken ?? [] { rows[entry.id] = entry } }
        return rows
    }
}

extension LibraryDatabase {
    func createPlaylist(_ name: String, _ entries: [NewEntry], rule: SmartRule?, atMs: Int64) throws(SourceFault) -> PlaylistOutcome {
        if let rule { _ = try SmartQuery(rule, nowMs: atMs) }
        var hash = Int64.random(in: 1 << 24..<1 << 40)
        while try first("SELECT 1 FROM playlist WHERE hash = ?", [.int(hash)], { _ in true }) != nil { hash += 1 }
        let number = try insert(
            """
            INSERT INTO playlist (hash, name, fold, revision, next_entry, entries, duration_ms, changed_ms, ord, rule)
            VALUES (?, ?, ?, 0, 1, 0, 0, ?, ?, ?)
            """,
            [.int(hash), .text(name), .text(Folding.short(name)), .int(atMs), .blob([0]), rule.map { .blob($0.packed) } ?? .null])
        libraryCounts.playlists += 1
        libraryCounts.playlistRevision += 1
        try show(playlist: number, called: name)
        let id = PlaylistID(Self.short(UInt64(hash)))
        guard !entries.isEmpty else { return PlaylistOutcome(id: id, revision: 0) }
        guard rule == nil else { throw SourceFault(.badRequest, "“\(name)” is filled by its rule; nothing can be added to it.") }
        var kept = try playlist(number)
        let before = kept
        let edited = try edit(&kept, .add(entries, at: .end), atMs: atMs)
        // What a list began with is no edit of it.
        kept.list = PlaybackQueue(entries: kept.list.entries, current: nil, revision: 1)
        try write(kept, since: before, atMs: atMs)
        return PlaylistOutcome(id: id, revision: 1, added: edited.added)
    }

    func editPlaylist(_ id: PlaylistID, base: Int?, _ edits: [PlaylistEdit], atMs: Int64) throws(SourceFault) -> PlaylistOutcome {
        let number = try number(of: id)
        var kept = try playlist(number)
        let before = kept
        if let base, base != kept.list.revision {
            throw SourceFault(
                .conflict, "“\(kept.name)” was changed meanwhile: it is at \(kept.list.revision), not at \(base). Look again.",
                revision: kept.list.revision)
        }
        guard base != nil || !edits.contains(.clear) else {
            throw SourceFault(.badRequest, "Emptying a list needs base, the rev that was looked at.")
        }
        var outcome = PlaylistOutcome(id: id, revision: 0, isNoop: true)
        for one in edits {
            let edited = try edit(&kept, one, atMs: atMs)
            outcome.added += edited.added
            if edited.isChanged { outcome.isNoop = false }
        }
        // A list counts commands, however many edits are in one.
        if !outcome.isNoop {
            kept.list = PlaybackQueue(
                entries: kept.list.entries, current: nil, revision: before.list.revision + 1, history: kept.list.history)
            try write(kept, since: before, atMs: atMs)
            libraryCounts.playlistRevision += 1
        }
        outcome.revision = kept.list.revision
        return outcome
    }

    func deletePlaylist(_ id: PlaylistID) throws(SourceFault) -> PlaylistOutcome {
        guard let number = try existing(id) else { return PlaylistOutcome(id: id, revision: 0, isNoop: true) }
        let kept = try playlist(number)
        for table in ["playlist_entry", "playlist_edit"] { try run("DELETE FROM \(table) WHERE playlist = ?", [.int(number)]) }
        try run("DELETE FROM playlist WHERE id = ?", [.int(number)])
        try release(Set(kept.rows.values.map(\.item)))
        pending.searchEntries[SearchEntryKey(.playlist, number)] = .some(nil)
        libraryCounts.playlists -= 1
        libraryCounts.playlistRevision += 1
        return PlaylistOutcome(id: id, revision: kept.list.revision)
    }

    // MARK: - One edit

    private func edit(_ kept: inout KeptPlaylist, _ edit: PlaylistEdit, atMs: Int64) throws(SourceFault) -> PlaybackQueue.Edited {
        switch edit {
        case .rename(let name):
            guard name != kept.name else { return PlaybackQueue.Edited() }
            kept.name = name
            try show(playlist: kept.number, called: name)
            return PlaybackQueue.Edited(isChanged: true)
        case .rule(let rule):
            guard kept.rule != nil else {
                throw SourceFault(.badRequest, "“\(kept.name)” is filled by people; only a list made with a rule can have another.")
            }
            guard rule != kept.rule else { return PlaybackQueue.Edited() }
            _ = try SmartQuery(rule, nowMs: atMs)
            kept.rule = rule
            return PlaybackQueue.Edited(isChanged: true)
        case .add, .remove, .move, .clear, .undo:
            guard kept.rule == nil else {
                throw SourceFault(.badRequest, "“\(kept.name)” is filled by its rule; its entries cannot be edited.")
            }
        }
        var own = edit
        if case .add(let entries, let place) = edit {
            guard kept.list.count + entries.count <= PlaybackQueue.limit else { throw tooLong }
            var items: [NewEntry] = []
            for entry in entries { items.append(NewEntry(uri: ItemURI("\(try item(entry))"), tags: Tags(), trust: entry.trust)) }
            own = .add(items, at: place)
        }
        do {
            return try kept.list.apply(own, numbers: &kept.numbers, at: Moment(us: 0, wallMs: atMs))
        } catch {
            throw SourceFault(error)
        }
    }

    private var tooLong: SourceFault { SourceFault(.quota, "A playlist holds at most \(PlaybackQueue.limit) entries.") }

    private func show(playlist number: Int64, called name: String) throws(SourceFault) {
        pending.searchEntries[SearchEntryKey(.playlist, number)] = SearchEntry(
            plays: 0, sort: name, name: "pl\(number)", texts: [(.playlistName, name)])
    }

    // MARK: - Reading and writing

    func existing(_ id: PlaylistID) throws(SourceFault) -> Int64? {
        guard let hash = Int64(id.text, radix: 36), hash > 0 else { return nil }
        return try first("SELECT id FROM playlist WHERE hash = ?", [.int(hash)]) { $0.int64(0) }
    }

    func number(of id: PlaylistID) throws(SourceFault) -> Int64 {
        guard let number = try existing(id) else { throw SourceFault(.notFound, "There is no playlist \(id).") }
        return number
    }

    func playlist(_ number: Int64) throws(SourceFault) -> KeptPlaylist {
        var rows: [EntryID: QueueEntry] = [:]
        try each("SELECT entry, item, trust FROM playlist_entry WHERE playlist = ?", [.int(number)]) { row in
            let id = EntryID(UInt64(bitPattern: row.int64(0)))
            rows[id] = QueueEntry(id: id, uri: ItemURI("\(row.int64(1))"), tags: Tags(), trust: Trust(kept: row.int(2)))
        }
        var edits: [QueueEdit] = []
        try each("SELECT n, kind, at_ms, entries, undo FROM playlist_edit WHERE playlist = ? ORDER BY n", [.int(number)]) { row in
            guard let kind = QueueEdit.Kind(rawValue: row.text(1)) else { return }
            edits.append(
                QueueEdit(
                    number: row.int(0), kind: kind, author: nil, atMs: row.int64(2), count: row.int(3),
                    undo: row.isNull(4) ? nil : Undo(packed: row.blob(4), of: kind, rows: rows)))
        }
        let history = QueueHistory(edits)
        let found = try first(
            "SELECT name, revision, next_entry, duration_ms, ord, rule FROM playlist WHERE id = ?", [.int(number)]
        ) { row in
            var unpacker = Unpacker(row.blob(4))
            let order = unpacker.entries() ?? []
            return KeptPlaylist(
                number: number, name: row.text(0),
                list: PlaybackQueue(
                    entries: order.compactMap { rows[$0] }, current: nil, revision: row.int(1), history: history),
                numbers: EntryNumbers(next: UInt64(row.int64(2))), durationMs: row.int(3),
                rule: row.isNull(5) ? nil : SmartRule(packed: row.blob(5)))
        }
        guard let found else { throw SourceFault(.notFound, "There is no such playlist.") }
        return found
    }

    /// Only what differs: an entry that came or went, the last edit, the order.
    private func write(_ kept: KeptPlaylist, since before: KeptPlaylist, atMs: Int64) throws(SourceFault) {
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
        // Asked while what went is still known.
        let durationMs = try duration(of: kept, since: before)
        try release(forgotten)
        var packer = Packer()
        packer.put(kept.list.entries.map(\.id))
        try run(
            """
            UPDATE playlist SET name = ?, fold = ?, revision = ?, next_entry = ?, entries = ?, duration_ms = ?, changed_ms = ?, ord = ?,
                rule = ? WHERE id = ?
            """,
            [
                .text(kept.name), .text(Folding.short(kept.name)), .int(kept.list.revision), .int(Int64(kept.numbers.next)),
                .int(kept.list.count), .int(durationMs), .int(atMs), .blob(packer.bytes),
                kept.rule.map { .blob($0.packed) } ?? .null, .int(kept.number),
            ])
    }

    private func write(_ history: QueueHistory, since before: QueueHistory, of number: Int64) throws(SourceFault) {
        let old = Dictionary(before.edits.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        let new = Set(history.edits.map(\.number))
        for edit in history.edits where old[edit.number].map({ ($0.undo == nil) != (edit.undo == nil) }) ?? true {
            try run(
                "INSERT OR REPLACE INTO playlist_edit (playlist, n, kind, at_ms, entries, undo) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .int(number), .int(edit.number), .text(edit.kind.rawValue), .int(edit.atMs), .int(edit.count),
                    edit.undo.map { .blob($0.packed) } ?? .null,
                ])
        }
        for gone in old.keys where !new.contains(gone) {
            try run("DELETE FROM playlist_edit WHERE playlist = ? AND n = ?", [.int(number), .int(gone)])
        }
    }

    private func duration(of kept: KeptPlaylist, since before: KeptPlaylist) throws(SourceFault) -> Int {
        let old = Set(before.list.entries.map(\.id))
        let new = Set(kept.list.entries.map(\.id))
        var duration = before.durationMs
        for (entries, others, sign) in [(kept.list.entries, old, 1), (before.list.entries, new, -1)] {
            for entry in entries where !others.contains(entry.id) {
                duration += sign * (try first("SELECT duration_ms FROM item WHERE id = ?", [.int(entry.item)]) { $0.int(0) } ?? 0)
            }
        }
        return max(0, duration)
    }
}

extension QueueEntry {
    fileprivate var item: Int64 { Int64(uri.text) ?? 0 }
}

extension SourceFault {
    init(_ refusal: Refusal) {
        let code: Code =
            switch refusal.code {
            case .anchorGone: .anchorGone
            case .gone: .gone
            case .queueConflict: .conflict
            case .notFound: .notFound
            case .quota: .quota
            case .invalidState: .invalidState
            }
        self.init(code, refusal.sentence.ofPlaylist, revision: refusal.revision)
    }
}

extension String {
    /// The rules are the queue's, and so are its sentences.
    fileprivate var ofPlaylist: String { split(separator: "queue", omittingEmptySubsequences: false).joined(separator: "playlist") }
}
