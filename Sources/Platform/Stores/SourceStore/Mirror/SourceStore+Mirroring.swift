package import BatonCore
/// Passes over a source's rows, which write the mirror.
///
/// Each transaction writes at most a few hundred rows, so that a note for the outbox waits for milliseconds only. The rows of a pass are
/// kept when the hub ends, and the next run continues from there.
package import BatonSeams
import SQLite

extension SourceStore: SourceMirror {
    /// Rows in one transaction.
    static let batch = 200
    /// Age above which an unfinished pass starts anew, because its first rows are too old.
    private static let patienceMs: Milliseconds = 86_400_000

    package func begin(_ source: String, atMs: Milliseconds) throws(SourceFault) -> SourceMirroring {
        let open = try look { sources throws(SourceFault) in
            try sources.first(
                """
                SELECT number, began_ms, cursor, is_noted FROM mirror
                WHERE source = ? AND is_old = 0 AND finished_ms IS NULL ORDER BY number DESC LIMIT 1
                """, [.text(source)]
            ) {
                (SourceMirroring(source: source, number: $0.int64(0), cursor: $0.maybeText(2), isNoted: $0.flag(3)), $0.time(1))
            }
        }
        if let (mirroring, beganMs) = open {
            if 0..<Self.patienceMs ~= atMs - beganMs { return mirroring }
            try abandon(mirroring)
        }
        try clear()
        return try change { sources throws(SourceFault) in
            let taken = Set(try sources.all("SELECT slot FROM mirror") { $0.int(0) })
            let slot = MirrorSlot(number: (0...).first { !taken.contains($0) } ?? 0)
            try sources.run(
                "INSERT INTO mirror (source, slot, began_ms) VALUES (?, ?, ?)", [.text(source), .int(slot.number), .time(atMs)])
            let number = sources.database.lastInserted
            try sources.execute(slot.removal + slot.creation)
            return SourceMirroring(source: source, number: number)
        }
    }

    package func put(_ page: MirrorPage, in mirroring: SourceMirroring) throws(SourceFault) {
        var rows = page.rows[...]
        repeat {
            let some = rows.prefix(Self.batch)
            rows = rows.dropFirst(Self.batch)
            try change { sources throws(SourceFault) in
                let slot = try sources.slot(of: mirroring)
                for row in some { try sources.note(row, in: slot) }
                // Written with the last rows of the step, so that a resumed pass neither misses rows nor requests them twice.
                guard rows.isEmpty else { return }
                try sources.run(
                    "UPDATE mirror SET cursor = ?, is_noted = ? WHERE number = ?",
                    [.maybe(page.cursor), .flag(page.cursor == nil), .int(mirroring.number)])
            }
        } while !rows.isEmpty
    }

    package func finish(_ mirroring: SourceMirroring, atMs: Milliseconds) throws(SourceFault) {
        let slot = try look { sources throws(SourceFault) in try sources.slot(of: mirroring) }
        let order = try look { sources throws(SourceFault) in try sources.orderOfFinding(in: slot) }
        try change { sources throws(SourceFault) in try sources.execute(slot.index) }
        for from in stride(from: 0, to: order.count, by: Self.batch) {
            try change { sources throws(SourceFault) in
                for found in order[from..<min(from + Self.batch, order.count)] { try sources.index(found, in: slot) }
            }
        }
        try change { sources throws(SourceFault) in
            let rows = try sources.first("SELECT count(*) FROM \(slot.item)") { $0.int(0) } ?? 0
            try sources.run(
                "UPDATE mirror SET is_old = 1 WHERE source = ? AND number <> ?", [.text(mirroring.source), .int(mirroring.number)])
            try sources.run(
                "UPDATE mirror SET finished_ms = ?, rows = ? WHERE number = ?", [.time(atMs), .int(rows), .int(mirroring.number)])
        }
        try clear()
    }

    package func abandon(_ mirroring: SourceMirroring) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            try sources.run("UPDATE mirror SET is_old = 1 WHERE number = ? AND finished_ms IS NULL", [.int(mirroring.number)])
        }
        try clear()
    }

    package func replace(_ container: ItemURI, with rows: [ItemRow]?, in source: String) throws(SourceFault) {
        let name = SourceDatabase.name(of: container)
        try change { sources throws(SourceFault) in
            let slot = try sources.shown(of: source)
            try sources.run("DELETE FROM \(slot.positions) WHERE container = ?", [.int(name)])
            if rows == nil { try sources.run("DELETE FROM \(slot.item) WHERE hash = ?", [.int(name)]) }
        }
        let placed = (rows ?? []).enumerated().map { MirrorRow($1, in: container, at: $0) }
        for from in stride(from: 0, to: placed.count, by: Self.batch) {
            try change { sources throws(SourceFault) in
                let slot = try sources.shown(of: source)
                for row in placed[from..<min(from + Self.batch, placed.count)] { try sources.note(row, in: slot) }
            }
        }
    }

    package func forgetRows(of source: String) throws(SourceFault) {
        try change { sources throws(SourceFault) in try sources.run("UPDATE mirror SET is_old = 1 WHERE source = ?", [.text(source)]) }
        try clear()
    }

    /// Empties the tables of old passes in small steps before dropping them, since dropping a large table would block others.
    private func clear() throws(SourceFault) {
        let old = try look { sources throws(SourceFault) in
            try sources.all("SELECT slot FROM mirror WHERE is_old = 1") { MirrorSlot(number: $0.int(0)) }
        }
        for slot in old {
            for table in [slot.item, slot.label] {
                let key = table == slot.item ? "id" : "label"
                while try deleteSome(table, key) > 0 {}
            }
            try change { sources throws(SourceFault) in
                try sources.execute(slot.removal)
                try sources.run("DELETE FROM mirror WHERE slot = ?", [.int(slot.number)])
            }
        }
    }

    private func deleteSome(_ table: String, _ key: String) throws(SourceFault) -> Int {
        try change { sources throws(SourceFault) in
            let isThere = try sources.first("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(table)]) { _ in true } ?? false
            guard isThere else { return 0 }
            return try sources.run("DELETE FROM \(table) WHERE \(key) IN (SELECT \(key) FROM \(table) LIMIT 1000)")
        }
    }
}

/// A row that is being indexed.
struct FoundRow {
    var item: Int64
    var isTrack: Bool
    var plays: Int
    var name: String
    var label: Int64 = 0
}

extension SourceDatabase {
    func slot(of mirroring: SourceMirroring) throws(SourceFault) -> MirrorSlot {
        let slot = try first(
            "SELECT slot FROM mirror WHERE number = ? AND is_old = 0", [.int(mirroring.number)]
        ) { MirrorSlot(number: $0.int(0)) }
        guard let slot else { throw SourceFault(.gone, "This pass over the source “\(mirroring.source)” was given up.") }
        return slot
    }

    fileprivate func note(_ row: MirrorRow, in slot: MirrorSlot) throws(SourceFault) {
        let hash = Int64(bitPattern: StableHash.of(row.row.uri.text))
        let item = try first(
            "INSERT INTO \(slot.item) (hash, row) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET row = excluded.row RETURNING id",
            [.int(hash), .blob(row.row.packed)]
        ) { $0.int64(0) }
        // A row without a container is a shelf, or can only be searched.
        guard let item, row.container != nil || row.row.tags.kind == .shelf else { return }
        try run(
            "INSERT OR REPLACE INTO \(slot.positions) (container, place, item) VALUES (?, ?, ?)",
            [.int(Self.name(of: row.container)), .int(row.position), .int(item)])
    }

    static func name(of container: ItemURI?) -> Int64 { container.map { Int64(bitPattern: StableHash.of($0.text)) } ?? 0 }

    /// All searchable rows with their labels. They are sorted in memory, which takes some 40 bytes for each.
    fileprivate func orderOfFinding(in slot: MirrorSlot) throws(SourceFault) -> [FoundRow] {
        let found = try all("SELECT id, row FROM \(slot.item)") { row -> FoundRow? in
            guard let stored = ItemRow(packed: row.blob(1)), MirrorWords.mark(of: stored.tags.kind) != nil else { return nil }
            return FoundRow(
                item: row.int64(0), isTrack: !stored.tags.kind.isContainer, plays: stored.mark.plays, name: Folding.short(stored.tags.title)
            )
        }
        var order = found.compactMap { $0 }
        order.sort { a, b in
            if a.isTrack != b.isTrack { return !a.isTrack }
            if a.plays != b.plays { return a.plays > b.plays }
            return a.name == b.name ? a.item < b.item : a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
        }
        for at in order.indices { order[at].label = Int64(at) + 1 + (order[at].isTrack ? MirrorSlot.firstTrack : 0) }
        return order
    }

    fileprivate func index(_ found: FoundRow, in slot: MirrorSlot) throws(SourceFault) {
        let row = try first("SELECT row FROM \(slot.item) WHERE id = ?", [.int(found.item)]) { ItemRow(packed: $0.blob(0)) } ?? nil
        guard let row, let words = MirrorWords.words(of: row) else { return }
        try run(
            "INSERT INTO \(slot.label) (label, item, name) VALUES (?, ?, ?)", [.int(found.label), .int(found.item), .text(found.name)])
        try run("INSERT INTO \(slot.word) (rowid, words) VALUES (?, ?)", [.int(found.label), .text(words)])
        for word in Folding.words(words).map({ $0.dropFirst() }) where Vocabulary.keeps(word) {
            try run("INSERT OR IGNORE INTO \(slot.term) (word) VALUES (?)", [.text(String(word))])
        }
    }
}
