/// The directory of stations that the owner supplied as a file. It is stored in a table, so that a search reads no file, and a directory of
/// many thousands of stations is never in memory as a whole.
package import BatonCore
package import BatonSeams
import SQLite

extension SourceStore {
    private static let columns = "id, title, url, picture, country, language, tags"
    /// The source's name in the table `memory`, which no account can have.
    private static let memory = "radio directory"

    package func directory(_ query: StationQuery) throws(SourceFault) -> StationPage {
        try look { sources throws(SourceFault) in
            try sources.stations(in: Self.shown, columns: Self.columns, matching: query) { StoredStation(id: 0, Self.station($0)) }
        }
    }

    package func directoryStation(at url: String) throws(SourceFault) -> Station? {
        try look { sources throws(SourceFault) in
            try sources.first("SELECT \(Self.columns) FROM \(Self.shown) WHERE url = ?", [.text(url)]) { Self.station($0) }
        }
    }

    /// Stations of the finished directory.
    private static let shown =
        "(SELECT * FROM directory WHERE number = (SELECT value FROM memory WHERE source = '\(memory)' AND name = 'number') + 0)"

    package func directoryStamp() throws(SourceFault) -> String? {
        try look { sources throws(SourceFault) in
            try sources.first("SELECT value FROM memory WHERE source = ? AND name = 'stamp'", [.text(Self.memory)]) { $0.text(0) }
        }
    }

    package func beginDirectory() throws(SourceFault) -> Int {
        try change { sources throws(SourceFault) in
            let number = "(SELECT value + 0 FROM memory WHERE source = ? AND name = 'number')"
            // Removes the rows of an unfinished import.
            try sources.run("DELETE FROM directory WHERE number IS NOT coalesce(\(number), -1)", [.text(Self.memory)])
            return try sources.first("SELECT coalesce(\(number), 0) + 1", [.text(Self.memory)]) { $0.int(0) } ?? 1
        }
    }

    package func put(_ stations: [Station], inDirectory number: Int) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            for station in stations {
                try sources.run(
                    """
                    INSERT INTO directory (title, url, picture, country, language, tags, sort, words, number)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number, url) DO NOTHING
                    """, station.values + [.int(number)])
            }
        }
    }

    package func finishDirectory(_ number: Int, stamp: String) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            for (name, value) in [("number", String(number)), ("stamp", stamp)] {
                try sources.run("INSERT OR REPLACE INTO memory VALUES (?, ?, ?)", [.text(Self.memory), .text(name), .text(value)])
            }
        }
        // In pieces, so that a note for the outbox does not wait for all of it.
        var isDone = false
        while !isDone {
            isDone = try change { sources throws(SourceFault) in
                let old = "SELECT id FROM directory WHERE number IS NOT ? LIMIT 2000"
                return try sources.run("DELETE FROM directory WHERE id IN (\(old))", [.int(number)]) == 0
            }
        }
    }

    private static func station(_ row: Row) -> Station {
        Station(
            title: row.text(1), url: row.text(2), picture: row.text(3).isEmpty ? nil : row.text(3), country: row.text(4),
            language: row.text(5), tags: row.text(6).split(separator: "\n").map(String.init))
    }
}
