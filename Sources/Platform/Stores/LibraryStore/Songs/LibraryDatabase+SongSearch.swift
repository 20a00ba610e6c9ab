/// Finds songs by texts within their paths and tags.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// The number of trigrams that a text is looked up by: more of them leave out hardly any further song.
    private static let mostTrigrams = 12
    /// Length of a text from which it may be an id of MusicBrainz; shorter ones are not looked for in ids.
    private static let leastIdentifier = 8

    /// A song that a search has found.
    struct FoundSong {
        var place: SongPlace
        var number: Int64
    }

    func songs(_ search: SongSearch, _ span: SongSpan, after: SongPlace?, most: Int) throws(SourceFault) -> SongPage<Song> {
        let after = after ?? SongPlace(folder: span.first, song: 0)
        var values: [Value] = [.int(after.folder), .int(span.last), .int(after.song), .int(most)]
        let conditions = Self.conditions(search, &values)
        var songs: [Song] = []
        var place = after
        // The ids are sorted by themselves, since rows with their tags would be sorted on disk.
        try each(
            """
            SELECT \(Self.songColumns), f.rank, s.rank FROM (
                SELECT s.id AS id, f.rank AS folder_rank, s.rank AS rank FROM song_folder AS f JOIN song AS s ON s.folder = f.folder
                WHERE f.rank >= ?1 AND f.rank <= ?2 AND (f.rank > ?1 OR s.rank > ?3)
                \(conditions)
                ORDER BY folder_rank, s.rank LIMIT ?4
            ) AS found CROSS JOIN song AS s ON s.id = found.id CROSS JOIN song_folder AS f ON f.folder = s.folder
            ORDER BY found.folder_rank, found.rank
            """, values
        ) { row in
            songs.append(Self.song(row))
            place = SongPlace(folder: row.int(8), song: row.int(9))
        }
        return SongPage(rows: songs, next: songs.count < most ? nil : place)
    }

    /// All songs of a search in the order of the tree. The index gives them at once, so that asking it for each page would cost as much again.
    func found(_ search: SongSearch, _ span: SongSpan) throws(SourceFault) -> [FoundSong] {
        var values: [Value] = [.int(span.first), .int(span.last)]
        let conditions = Self.conditions(search, &values)
        return try all(
            """
            SELECT f.rank AS folder_rank, s.rank, s.id FROM song_folder AS f JOIN song AS s ON s.folder = f.folder
            WHERE f.rank >= ?1 AND f.rank <= ?2
            \(conditions)
            ORDER BY folder_rank, s.rank
            """, values
        ) { row in FoundSong(place: SongPlace(folder: row.int(0), song: row.int(1)), number: row.int64(2)) }
    }

    func songs(_ found: [FoundSong], after: SongPlace?, most: Int) throws(SourceFault) -> SongPage<Song> {
        var start = 0
        if let after {
            var end = found.count
            while start < end {
                let middle = (start + end) / 2
                if found[middle].place > after { end = middle } else { start = middle + 1 }
            }
        }
        let piece = found[start..<min(start + most, found.count)]
        var songs: [Song] = []
        songs.reserveCapacity(piece.count)
        for one in piece {
            if let song = try song(one.number) { songs.append(song) }
        }
        return SongPage(rows: songs, next: piece.endIndex == found.count ? nil : piece.last?.place)
    }

    /// True for a search that the index answers.
    static func isIndexed(_ search: SongSearch) -> Bool { search.texts.contains { trigrams(of: $0.lowercased()) != nil } }

    private static func conditions(_ search: SongSearch, _ values: inout [Value]) -> String {
        var bound = values
        func bind(_ value: Value) -> String {
            bound.append(value)
            return "?\(bound.count)"
        }
        var conditions: [String] = []
        for text in search.texts.map({ $0.lowercased() }) where !text.isEmpty { conditions.append(condition(text, bind)) }
        if let since = search.changedSince { conditions.append("s.changed >= \(bind(.int(since)))") }
        if let since = search.addedSince { conditions.append("s.added >= \(bind(.int(since)))") }
        values = bound
        return conditions.map { "AND " + $0 }.joined(separator: "\n")
    }

    /// The condition that a song has this text, which is in lower case: in the index, or in the path of the folder.
    private static func condition(_ text: String, _ bind: (Value) -> String) -> String {
        let text = text
        if text.utf8.count >= leastIdentifier, text.utf8.allSatisfy(isOfIdentifier) {
            let bound = bind(.text(text))
            return "(instr(lower(CAST(s.lines AS TEXT)), \(bound)) > 0 OR instr(f.folded || '/' || s.name, \(bound)) > 0)"
        }
        let bound = bind(.text(text))
        guard let trigrams = trigrams(of: text) else {
            let texts = "(SELECT song_text.folded FROM song_text WHERE song_text.id = s.id)"
            if text.contains("/") { return "instr(f.folded || '/' || \(texts), \(bound)) > 0" }
            return "(instr(f.folded, \(bound)) > 0 OR instr(\(texts), \(bound)) > 0)"
        }
        return """
            s.id IN (
                SELECT rowid FROM song_found WHERE song_found MATCH \(bind(.text(trigrams)))
                UNION SELECT inside.id FROM song_folder AS named JOIN song AS inside ON inside.folder = named.folder
                    WHERE instr(named.folded, \(bound)) > 0)
            """
    }

    /// The query of the index for a text; `nil` for one that is shorter than a trigram, or that goes across the names of a path.
    private static func trigrams(of text: String) -> String? {
        let letters = Array(text.unicodeScalars)
        guard letters.count >= 3, !letters.contains(where: { $0 == "/" || $0.value < 0x20 }) else { return nil }
        var trigrams: [String] = []
        for start in 0...(letters.count - 3) where trigrams.count < mostTrigrams {
            var part = String.UnicodeScalarView()
            part.append(contentsOf: letters[start..<(start + 3)])
            let quoted = "\"" + String(part).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
            if !trigrams.contains(quoted) { trigrams.append(quoted) }
        }
        return trigrams.joined(separator: " AND ")
    }

    private static func isOfIdentifier(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
