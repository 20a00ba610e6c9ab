/// Which stations are recorded, and when.
package import BatonCore
package import BatonSeams
import SQLite

extension SourceStore: RecordingKeeper {
    package func recordings() throws(SourceFault) -> [Recording] {
        try look { sources throws(SourceFault) in
            let sql = "SELECT id, uri, title, begins_ms, ends_ms, repeats FROM recording ORDER BY id LIMIT ?"
            return try sources.all(sql, [.int(Recording.most)]) { row in
                Recording(
                    id: row.int(0), ItemURI(row.text(1)), title: row.text(2), beginsMs: row.int64(3),
                    endsMs: row.isNull(4) ? nil : row.int64(4), repeats: row.maybeText(5).flatMap { Recording.Repeat(rawValue: $0) })
            }
        }
    }

    package func put(_ recording: Recording) throws(SourceFault) -> Int {
        let values: [Database.Value] = [
            .text(recording.uri.text), .text(recording.title), .int(recording.beginsMs), recording.endsMs.map { .int($0) } ?? .null,
            recording.repeats.map { .text($0.rawValue) } ?? .null,
        ]
        return try change { sources throws(SourceFault) in
            if recording.id > 0 {
                try sources.run(
                    "UPDATE recording SET uri = ?, title = ?, begins_ms = ?, ends_ms = ?, repeats = ? WHERE id = ?",
                    values + [.int(recording.id)])
                return recording.id
            }
            try sources.run("INSERT INTO recording (uri, title, begins_ms, ends_ms, repeats) VALUES (?, ?, ?, ?, ?)", values)
            return try sources.first("SELECT last_insert_rowid()", []) { $0.int(0) } ?? 0
        }
    }

    package func removeRecording(_ id: Int) throws(SourceFault) {
        try change { sources throws(SourceFault) in try sources.run("DELETE FROM recording WHERE id = ?", [.int(id)]) }
    }
}
