/// Stored stations and presets.
package import BatonCore
package import BatonSeams
import SQLite

extension SourceStore: StationStorage {
    private static let stationColumns = "id, title, url, picture, country, language, tags, is_own"
    /// New numbers for presets, so that a removed one leaves no gap.
    private static let places = "(SELECT count(*) FROM station AS b WHERE b.preset <= station.preset)"

    package func stations(_ query: StationQuery) throws(SourceFault) -> StationPage {
        try look { sources throws(SourceFault) in
            try sources.stations(in: "station", columns: "\(Self.stationColumns), \(Self.places)", matching: query) { Self.stored($0) }
        }
    }

    package func presets() throws(SourceFault) -> [StoredStation] {
        try look { sources throws(SourceFault) in
            let sql = "SELECT \(Self.stationColumns), \(Self.places) FROM station WHERE preset IS NOT NULL ORDER BY preset LIMIT ?"
            return try sources.all(sql, [.int(StationText.mostPresets)]) { Self.stored($0) }
        }
    }

    package func station(_ id: Int) throws(SourceFault) -> StoredStation? { try one("id = ?", .int(id)) }

    package func station(at url: String) throws(SourceFault) -> StoredStation? { try one("url = ?", .text(url)) }

    private func one(_ condition: String, _ value: Database.Value) throws(SourceFault) -> StoredStation? {
        try look { sources throws(SourceFault) in
            let sql = "SELECT \(Self.stationColumns), \(Self.places) FROM station WHERE \(condition)"
            return try sources.first(sql, [value]) { Self.stored($0) }
        }
    }

    package func add(_ stations: [Station], isOwn: Bool) throws(SourceFault) -> Int {
        try change { sources throws(SourceFault) in
            let before = try sources.stationCount()
            for station in stations {
                try sources.run(
                    """
                    INSERT INTO station (title, url, picture, country, language, tags, sort, words, is_own)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (url) DO NOTHING
                    """, station.values + [.flag(isOwn)])
            }
            let after = try sources.stationCount()
            guard after <= StationText.mostStations else {
                throw SourceFault(.quota, "The hub keeps at most \(StationText.mostStations) stations.")
            }
            return after - before
        }
    }

    package func change(_ id: Int, to station: Station) throws(SourceFault) {
        try change { sources throws(SourceFault) in
            if let other = try sources.first(
                "SELECT title FROM station WHERE url = ? AND id <> ?", [.text(station.url), .int(id)], as: { $0.text(0) })
            {
                throw SourceFault(.badRequest, "“\(other)” has this address already.")
            }
            try sources.run(
                """
                UPDATE station SET title = ?, url = ?, picture = ?, country = ?, language = ?, tags = ?, sort = ?, words = ? WHERE id = ?
                """, station.values + [.int(id)])
        }
    }

    package func remove(_ id: Int) throws(SourceFault) -> Bool {
        try change { sources throws(SourceFault) in
            let before = try sources.stationCount()
            try sources.run("DELETE FROM station WHERE id = ?", [.int(id)])
            return try sources.stationCount() < before
        }
    }

    package func setPreset(_ id: Int, at place: Int?) throws(SourceFault) -> Bool {
        try change { sources throws(SourceFault) in
            guard try sources.first("SELECT 1 FROM station WHERE id = ?", [.int(id)], as: { _ in true }) == true else {
                throw SourceFault(.notFound, "There is no such station.")
            }
            let before = try sources.all("SELECT id FROM station WHERE preset IS NOT NULL ORDER BY preset", []) { $0.int(0) }
            var after = before.filter { $0 != id }
            if let place { after.insert(id, at: max(0, min(place - 1, after.count))) }
            guard after != before else { return false }
            guard after.count <= StationText.mostPresets else {
                throw SourceFault(.quota, "There are at most \(StationText.mostPresets) presets.")
            }
            try sources.run("UPDATE station SET preset = NULL WHERE preset IS NOT NULL", [])
            for (place, id) in after.enumerated() {
                try sources.run("UPDATE station SET preset = ? WHERE id = ?", [.int(place + 1), .int(id)])
            }
            return true
        }
    }

    /// A station from a row of `stationColumns`, with the preset number behind them, 0 for none.
    private static func stored(_ row: Row) -> StoredStation {
        let tags = row.text(6).split(separator: "\n").map(String.init)
        let station = Station(
            title: row.text(1), url: row.text(2), picture: row.text(3).isEmpty ? nil : row.text(3), country: row.text(4),
            language: row.text(5), tags: tags)
        return StoredStation(id: row.int(0), station, preset: row.int(8) > 0 ? row.int(8) : nil, isOwn: row.flag(7))
    }
}

extension Station {
    /// Values of the columns from `title` to `words`.
    var values: [Database.Value] {
        [
            .text(title), .text(url), .text(picture ?? ""), .text(country), .text(language), .text(tags.joined(separator: "\n")),
            .text(Folding.short(title)), .text(StationWords.all(of: self)),
        ]
    }
}

/// Searchable words of a station, from its title and all other texts, each behind a space. Country, language and tags are added again
/// behind a letter, for queries about only one of them.
enum StationWords {
    static func all(of station: Station) -> String {
        let tags = station.tags.joined(separator: " ")
        let words = [station.title, tags, station.country, station.language].flatMap { Folding.words(Folding.fold($0)).map(String.init) }
        return (words + marked("c", station.country) + marked("l", station.language) + marked("t", tags)).map { " " + $0 }.joined()
    }

    /// Folded words contain letters, digits and spaces only, so none of them is a mark or a pattern.
    private static func marked(_ mark: String, _ text: String) -> [String] { Folding.words(Folding.fold(text)).map { "\(mark)=\($0)" } }

    static func patterns(_ query: StationQuery) -> [String] {
        let words = SearchTerms(query.text).words + marked("c", query.country) + marked("l", query.language) + marked("t", query.tag)
        return words.prefix(SearchTerms.mostWords * 2).map { "% \($0)%" }
    }
}

extension SourceDatabase {
    fileprivate func stationCount() throws(SourceFault) -> Int { try first("SELECT count(*) FROM station", []) { $0.int(0) } ?? 0 }

    func stations(
        in table: String, columns: String, matching query: StationQuery, make: (Row) -> StoredStation
    ) throws(SourceFault) -> StationPage {
        let patterns = StationWords.patterns(query)
        let filter = patterns.isEmpty ? "" : " WHERE " + patterns.map { _ in "words LIKE ?" }.joined(separator: " AND ")
        let values = patterns.map { Value.text($0) }
        let total = try first("SELECT count(*) FROM \(table)\(filter)", values) { $0.int(0) } ?? 0
        let window = query.window
        let rows = try all(
            "SELECT \(columns) FROM \(table)\(filter) ORDER BY sort, id LIMIT ? OFFSET ?",
            values + [.int(window.limit), .int(window.offset)], as: make)
        return StationPage(rows, total: total)
    }
}
