/// Stations to record, and the times.
package import BatonCore
package import BatonSeams
import SQLite

extension SourceStore: RecordingStorage {
    package func recordings() throws(SourceFault) -> [Recording] {
        try look { sources throws(SourceFault) in
            let sql = "SELECT id, uri, title, begins_ms, ends_ms, repeats FROM recording ORDER BY id LIMIT ?"
            return try sources.all(sql, [.int(Recording.most)]) { row in
                Recording(
                    id: row.int(0), ItemURI(row.text(1)), title: row.text(2), beginsMs: row.time(3),
                    endsMs: row.maybeTime(4), repeats: row.maybeText(5).flatMap { Recording.Repeat(rawValue: $0) })
            }
        }
    }

    package func put(_ recording: Recording) throws(SourceFault) -> Int {
        let values: [Database.Value] = [
            .text(recording.uri.text), .text(recording.title), .time(recording.beginsMs), .time(recording.endsMs),
            recording.repeats.map { .text($0.rawValue) } ?? .null,
        ]
        return try change { sources throws(SourceFault) in
            try sources.run("INSERT INTO recording (uri, title, begins_ms, ends_ms, repeats) VALUES (?, ?, ?, ?, ?)", values)
            return try sources.first("SELECT last_insert_rowid()", []) { $0.int(0) } ?? 0
        }
    }

    package func removeRecording(_ id: Int) throws(SourceFault) {
        try change { sources throws(SourceFault) in try sources.run("DELETE FROM recording WHERE id = ?", [.int(id)]) }
    }

    // MARK: Titles of the buffer

    private static let mostSaved = 10_000

    package func savedTitles() throws(SourceFault) -> [SavedTitle] {
        try look { sources throws(SourceFault) in
            try sources.all("SELECT uri, number FROM saved_title ORDER BY number DESC LIMIT ?", [.int(Self.mostSaved)]) {
                SavedTitle(ItemURI($0.text(0)), $0.int(1))
            }
        }
    }

    package func unfinishedTitles() throws(SourceFault) -> [UnfinishedTitle] {
        try look { sources throws(SourceFault) in
            try sources.all("SELECT uri, number, file FROM unfinished_title ORDER BY number LIMIT ?", [.int(Self.mostSaved)]) {
                UnfinishedTitle(SavedTitle(ItemURI($0.text(0)), $0.int(1)), file: $0.maybeText(2))
            }
        }
    }

    package func put(_ saved: SavedTitle) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            try sources.run("INSERT OR IGNORE INTO saved_title (uri, number) VALUES (?, ?)", saved.values)
            try sources.run("INSERT OR IGNORE INTO unfinished_title (uri, number) VALUES (?, ?)", saved.values)
        }
    }

    package func note(_ file: String, of saved: SavedTitle) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            try sources.run("UPDATE unfinished_title SET file = ? WHERE uri = ? AND number = ?", [.text(file)] + saved.values)
        }
    }

    package func finish(_ saved: SavedTitle) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            try sources.run("DELETE FROM unfinished_title WHERE uri = ? AND number = ?", saved.values)
        }
    }

    package func remove(_ saved: SavedTitle) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            for table in ["saved_title", "unfinished_title"] {
                try sources.run("DELETE FROM \(table) WHERE uri = ? AND number = ?", saved.values)
            }
        }
    }

    package func forgetSavedTitles(before number: Int) throws(SourceFault) {
        try change { sources throws(SourceFault) in try sources.run("DELETE FROM saved_title WHERE number < ?", [.int(number)]) }
    }
}

extension SavedTitle {
    fileprivate var values: [Database.Value] { [.text(uri.text), .int(number)] }
}
