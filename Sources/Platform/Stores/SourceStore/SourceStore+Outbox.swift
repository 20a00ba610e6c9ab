/// The outbox: changes that servers have not received yet.
package import BatonCore
package import BatonSeams
import SQLite

extension SourceStore: Outbox {
    package func add(_ note: WriteBack, for source: String, atMs: Milliseconds) throws(SourceFault) {
        let stored = StoredNote(note)
        try change { sources throws(SourceFault) in
            if stored.kind.replacesEarlier {
                // A note that may have reached the server stays before it.
                try sources.run(
                    "DELETE FROM outbox WHERE source = ? AND item = ? AND kind = ? AND is_uncertain = 0",
                    [.text(source), .text(stored.item), .text(stored.kind.rawValue)])
            }
            try sources.run(
                "INSERT INTO outbox (source, item, kind, number, items, at_ms) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .text(source), .text(stored.item), .text(stored.kind.rawValue), .int(stored.number),
                    stored.items.map { .blob($0) } ?? .null,
                    .time(atMs),
                ])
        }
    }

    /// The note with the fewest attempts, so that one that its server rejects does not hold up other items.
    package func next(for source: String) throws(SourceFault) -> OutboxNote? {
        try look { sources throws(SourceFault) in
            try sources.first(
                """
                SELECT \(Self.columns) FROM outbox AS note WHERE source = ? AND is_refused = 0 AND NOT EXISTS (
                    SELECT 1 FROM outbox AS older WHERE older.source = note.source AND older.item = note.item AND older.is_refused = 0
                        AND older.id < note.id)
                ORDER BY tries, id LIMIT 1
                """, [.text(source)], as: Self.read) ?? nil
        }
    }

    package func begin(_ id: Int64) throws(SourceFault) -> Bool {
        try change { sources throws(SourceFault) in
            try sources.run(
                """
                INSERT INTO delivery SELECT source, 0, 1 FROM outbox WHERE id = ? AND is_uncertain = 1 AND kind = 'played'
                ON CONFLICT (source) DO UPDATE SET repeated = repeated + 1
                """, [.int(id)])
            return try sources.run("UPDATE outbox SET tries = tries + 1, is_uncertain = 1 WHERE id = ?", [.int(id)]) > 0
        }
    }

    package func finish(_ id: Int64) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            try sources.run(
                """
                INSERT INTO delivery SELECT source, 1, 0 FROM outbox WHERE id = ?
                ON CONFLICT (source) DO UPDATE SET delivered = delivered + 1
                """, [.int(id)])
            try sources.run("DELETE FROM outbox WHERE id = ?", [.int(id)])
        }
    }

    package func store(_ id: Int64, _ sentence: String, isUncertain: Bool) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            try sources.run(
                "UPDATE outbox SET is_uncertain = ?, sentence = ? WHERE id = ?", [.flag(isUncertain), .text(sentence), .int(id)])
        }
    }

    package func refuse(_ id: Int64, _ sentence: String) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            try sources.run("UPDATE outbox SET is_refused = 1, is_uncertain = 0, sentence = ? WHERE id = ?", [.text(sentence), .int(id)])
        }
    }

    package func pending(of source: String, limit: Int) throws(SourceFault) -> [OutboxNote] {
        try look { sources throws(SourceFault) in
            try sources.all(
                "SELECT \(Self.columns) FROM outbox WHERE source = ? ORDER BY id LIMIT ?", [.text(source), .int(limit)], as: Self.read
            ).compactMap { $0 }
        }
    }

    package func pendingItems() throws(SourceFault) -> [ItemURI: Int] {
        let rows = try look { sources throws(SourceFault) in
            try sources.all(
                "SELECT item, count(*) FROM outbox WHERE is_refused = 0 AND kind IN ('favourite', 'stars') GROUP BY item"
            ) { (ItemURI($0.text(0)), $0.int(1)) }
        }
        return Dictionary(rows, uniquingKeysWith: +)
    }

    package func counts() throws(SourceFault) -> [String: OutboxCount] {
        try look { sources throws(SourceFault) in
            var counts: [String: OutboxCount] = [:]
            let waiting = try sources.all(
                "SELECT source, sum(is_refused = 0), sum(is_refused) FROM outbox GROUP BY source"
            ) { ($0.text(0), $0.int(1), $0.int(2)) }
            for (source, pending, refused) in waiting { counts[source] = OutboxCount(pending: pending, refused: refused) }
            let told = try sources.all("SELECT source, delivered, repeated FROM delivery") { ($0.text(0), $0.int(1), $0.int(2)) }
            for (source, delivered, repeated) in told {
                counts[source, default: OutboxCount()].delivered = delivered
                counts[source, default: OutboxCount()].repeated = repeated
            }
            return counts
        }
    }

    package func drop(of source: String) throws(SourceFault) -> Int {
        try change { sources throws(SourceFault) in try sources.run("DELETE FROM outbox WHERE source = ?", [.text(source)]) }
    }

    // MARK: - Rows

    private static let columns = "id, item, kind, number, items, at_ms, tries, is_uncertain, is_refused, sentence"

    /// `nil` for a kind that no version of ours wrote.
    private static func read(_ row: Row) -> OutboxNote? {
        guard let kind = StoredNote.Kind(rawValue: row.text(2)) else { return nil }
        let stored = StoredNote(item: row.text(1), kind: kind, number: row.int64(3), items: row.isNull(4) ? nil : row.blob(4))
        return OutboxNote(
            id: row.int64(0), note: stored.note, atMs: row.time(5), tries: row.int(6), isUncertain: row.flag(7), isRefused: row.flag(8),
            sentence: row.maybeText(9))
    }
}
