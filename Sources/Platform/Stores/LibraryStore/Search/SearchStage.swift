import BatonCore
import SQLite

/// A stage of a search: hits of one stream, in tiers.
struct SearchStage {
    struct Tier {
        var match: String
        /// Whether the name matches exactly; `nil` if that does not matter.
        var exactly: Bool?
        var name = ""
        var kinds: [ItemKind] = []
        /// A cheaper query that may find too much, and the words and marks to filter its hits.
        var alike: (match: String, words: SearchWords, marks: [SearchEntry.Mark])?

        func sql(_ match: String, from label: Int64, limit: Int) -> (String, [Database.Value]) {
            let columns = "SELECT kind, item, unplayed, sort, hash, spot.words, label FROM"
            switch exactly {
            case nil:
                return (
                    "\(columns) found CROSS JOIN spot ON spot.label = found.rowid WHERE found MATCH ? AND found.rowid >= ? ORDER BY found.rowid LIMIT ?",
                    [.text(match), .int(label), .int(limit)]
                )
            case false?:
                return (
                    """
                    \(columns) found CROSS JOIN spot ON spot.label = found.rowid WHERE found MATCH ?1 AND found.rowid >= ?2
                        AND NOT EXISTS (SELECT 1 FROM holder WHERE fold = ?4 AND holder.id = item AND holder.kind = spot.kind)
                        AND NOT EXISTS (SELECT 1 FROM playlist WHERE fold = ?4 AND playlist.id = item AND spot.kind = 'playlist')
                        AND NOT EXISTS (SELECT 1 FROM track WHERE sort_title = ?4 AND is_gone = 0 AND kind = 'track' AND track.id = spot.item AND spot.kind = 'track')
                    ORDER BY found.rowid LIMIT ?3
                    """, [.text(match), .int(label), .int(limit), .text(name)]
                )
            case true?:
                let marks = kinds.indices.map { "?\($0 + 4)" }.joined(separator: ", ")
                return (
                    """
                    SELECT kind, item, unplayed, sort, hash, words, label FROM (
                        SELECT kind AS k, id AS i FROM holder WHERE fold = ?1
                        UNION ALL SELECT 'playlist', id FROM playlist WHERE fold = ?1
                        UNION ALL SELECT kind, id FROM track WHERE sort_title = ?1 AND is_gone = 0 AND kind = 'track')
                    CROSS JOIN spot ON kind = k AND item = i WHERE +k IN (\(marks)) AND label >= ?2 ORDER BY label LIMIT ?3
                    """, [.text(name), .int(label), .int(limit)] + kinds.map { .text($0.rawValue) }
                )
            }
        }
    }

    var isOfTracks: Bool
    var tiers: [Tier]
    /// Limit of hits before the next stage.
    var most: Int?
    /// One query for the tiers from `firstOfLast` on; a hit's own words tell its tier.
    var last: String?
    var firstOfLast = 0
    var words = SearchWords("")

    static let mostFew = 200
    /// Number of rows that show how many hits of the cheaper query pass the filter.
    static let sample = 16

    static let mostAhead = SearchTerms.mostAhead

    static func stages(for words: SearchWords, kinds: [ItemKind]) -> [SearchStage] {
        let holders = holderTiers(words, kinds)
        let tracks = kinds.isEmpty || kinds.contains(.track) ? trackTiers(words) : []
        guard !holders.isEmpty else { return [SearchStage(ofTracks: tracks, words)] }
        guard !tracks.isEmpty else { return [SearchStage(isOfTracks: false, tiers: holders)] }
        return [
            SearchStage(isOfTracks: false, tiers: holders, most: mostAhead), SearchStage(ofTracks: tracks, words),
            SearchStage(isOfTracks: false, tiers: holders),
        ]
    }

    /// Tracks by titles and artists, and containers by names, in one query without tiers.
    static func near(_ meant: SearchWords, _ kinds: [ItemKind]) -> Tier {
        let marks = (kinds.isEmpty ? [.track, .artist, .album] : kinds).flatMap { kind -> [SearchEntry.Mark] in
            kind == .track ? [.title, .artist] : [.name(of: kind)]
        }
        return Tier(match: meant.match(marks))
    }

    private init(ofTracks tiers: [Tier], _ words: SearchWords) {
        self.init(isOfTracks: true, tiers: tiers)
        self.words = words
        last = "(\(words.match(SearchWords.tiers))) NOT (\(words.match([.title])))"
        firstOfLast = tiers.count - (SearchWords.tiers.count - 1)
    }

    private init(isOfTracks: Bool, tiers: [Tier], most: Int? = nil) {
        self.isOfTracks = isOfTracks
        self.tiers = tiers
        self.most = most
    }

    /// Exact titles, titles that begin with the words, and titles that contain them; then other places.
    private static func trackTiers(_ words: SearchWords) -> [Tier] {
        let marks = SearchWords.tiers
        let title = words.match([.title])
        let titles = [
            Tier(match: title, exactly: true, name: words.folded, kinds: [.track]),
            Tier(match: "(\(words.beginning)) AND (\(title))", exactly: false, name: words.folded),
            Tier(
                match: "(\(title)) NOT (\(words.beginning))", exactly: false, name: words.folded,
                alike: words.beginnings.map { ("(\($0.match([.title]))) NOT (\(words.beginning))", words, [.title]) }),
        ]
        return titles
            + marks.indices.dropFirst().map { tier in
                Tier(match: "(\(words.match(Array(marks[...tier])))) NOT (\(words.match(Array(marks[..<tier]))))")
            }
    }

    private static func holderTiers(_ words: SearchWords, _ kinds: [ItemKind]) -> [Tier] {
        let named: [ItemKind] = [.artist, .album, .playlist, .book, .series, .author, .narrator, .composer, .genre, .label].filter {
            kinds.isEmpty || kinds.contains($0)
        }
        guard !named.isEmpty else { return [] }
        // Each of these words belongs to one kind of container, so words that match in one kind are in one name.
        let marks = named.map(SearchEntry.Mark.name(of:))
        let names = { (words: SearchWords) in marks.map { "(" + words.match([$0]) + ")" }.joined(separator: " OR ") }
        var tiers = [
            Tier(match: names(words), exactly: true, name: words.folded, kinds: named),
            Tier(match: "(\(words.beginning)) AND (\(names(words)))", exactly: false, name: words.folded),
            Tier(
                match: "(\(names(words))) NOT (\(words.beginning))", exactly: false, name: words.folded,
                alike: words.beginnings.map { ("(\(names($0))) NOT (\(words.beginning))", words, marks) }),
        ]
        for (kind, name, people) in [
            (ItemKind.album, SearchEntry.Mark.albumName, SearchEntry.Mark.albumArtist), (.book, .bookName, .bookPeople),
        ]
        where named.contains(kind) {
            tiers.append(Tier(match: "(\(words.match([name, people]))) NOT (\(words.match([name])))"))
        }
        return tiers
    }
}
