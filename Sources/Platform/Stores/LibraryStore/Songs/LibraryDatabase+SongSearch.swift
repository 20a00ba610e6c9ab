/// Finds songs by texts within their paths and tags.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// The number of trigrams that a text is looked up by: more of them leave out hardly any further song.
    private static let mostTrigrams = 12
    /// Length of a text from which it may be an id of MusicBrainz; shorter ones are not looked for in ids.
    private static let leastIdentifier = 8

    func songs(_ search: SongSearch, _ span: SongSpan, after: SongPlace?, most: Int) throws(SourceFault) -> SongPage<Song> {
        let after = after ?? SongPlace(folder: span.first, song: 0)
        var values: [Value] = [.int(after.folder), .int(span.last), .int(after.song), .int(most)]
        let conditions = Self.conditions(search, &values)
        var songs: [Song] = []
        songs.reserveCapacity(min(most, Self.usualPage))
        var place = after
        var folder: [UInt8] = []
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
            let next = SongPlace(folder: row.int(8), song: row.int(9))
            if songs.isEmpty || next.folder != place.folder { folder = Self.folder(row) }
            songs.append(Self.song(row, in: folder))
            place = next
        }
        return SongPage(rows: songs, next: songs.count < most ? nil : place)
    }

    /// The numbers of all songs of a search in the order of the tree. They are found in one go, which is faster than to look at each song in that order.
    func found(_ search: SongSearch, _ span: SongSpan) throws(SourceFault) -> [Int64] {
        var values: [Value] = [.int(span.first), .int(span.last)]
        let conditions = Self.conditions(search, &values, isWhole: true)
        return try all(
            """
            SELECT s.id FROM song_folder AS f JOIN song AS s ON s.folder = f.folder
            WHERE f.rank >= ?1 AND f.rank <= ?2
            \(conditions)
            ORDER BY f.rank, s.rank
            """, values
        ) { $0.int64(0) }
    }

    /// True for a search that the index answers.
    static func isIndexed(_ search: SongSearch) -> Bool { search.texts.contains { trigrams(of: $0.lowercased()) != nil } }

    /// True for a search of which some text is looked for in all tags.
    static func isText(_ search: SongSearch) -> Bool { search.texts.contains { !$0.isEmpty && !$0.contains("/") } }

    /// The number of songs in a sample.
    private static let sampleSongs = 1_000

    /// True when all texts of a search are in more than a quarter of the songs, as a sample tells: those are found as fast one by one.
    func isCommon(_ search: SongSearch) throws(SourceFault) -> Bool {
        let last = try first("SELECT ifnull(max(id), 0) FROM song_text") { $0.int(0) } ?? 0
        let sample = stride(from: 1, through: last, by: max(1, last / Self.sampleSongs)).map(String.init).joined(separator: ",")
        for text in search.texts where !text.isEmpty {
            let isCommon = try first(
                "SELECT 4 * sum(holds(folded, ?)) > count(*) FROM json_each(?) AS wanted CROSS JOIN song_text ON song_text.id = wanted.value",
                [.text(text.lowercased()), .text("[\(sample)]")]
            ) { $0.flag(0) }
            if isCommon != true { return false }
        }
        return true
    }

    private static func conditions(_ search: SongSearch, _ values: inout [Value], isWhole: Bool = false) -> String {
        var bound = values
        func bind(_ value: Value) -> String {
            bound.append(value)
            return "?\(bound.count)"
        }
        var conditions: [String] = []
        for text in search.texts.map({ $0.lowercased() }) where !text.isEmpty { conditions.append(condition(text, isWhole: isWhole, bind)) }
        if let since = search.changedSince { conditions.append("s.changed >= \(bind(.int(since)))") }
        if let since = search.addedSince { conditions.append("s.added >= \(bind(.int(since)))") }
        values = bound
        return conditions.map { "AND " + $0 }.joined(separator: "\n")
    }

    /// The condition that a song has this text, which is in lower case: in the index, or in the path of the folder.
    private static func condition(_ text: String, isWhole: Bool, _ bind: (Value) -> String) -> String {
        if text.utf8.count >= leastIdentifier, text.utf8.allSatisfy(isOfIdentifier) {
            let bound = bind(.text(text))
            return "(holds(lower(CAST(s.lines AS TEXT)), \(bound)) OR holds(f.folded || '/' || s.name, \(bound)))"
        }
        let bound = bind(.text(text))
        let holders: String
        if let trigrams = trigrams(of: text) {
            holders = "SELECT rowid FROM song_found WHERE song_found MATCH \(bind(.text(trigrams)))"
        } else if isWhole, !text.contains("/") {
            holders = "SELECT id FROM song_text WHERE holds(folded, \(bound))"
        } else {
            let texts = "(SELECT song_text.folded FROM song_text WHERE song_text.id = s.id)"
            if text.contains("/") { return "holds(f.folded || '/' || \(texts), \(bound))" }
            return "(holds(f.folded, \(bound)) OR holds(\(texts), \(bound)))"
        }
        return """
            s.id IN (
                \(holders)
                -- Without CROSS, SQLite reads all songs to find each one's folder.
                UNION SELECT inside.id FROM song_folder AS named CROSS JOIN song AS inside ON inside.folder = named.folder
                    WHERE holds(named.folded, \(bound)))
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
