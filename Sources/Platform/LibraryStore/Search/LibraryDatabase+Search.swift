/// Search as you type.
///
/// Each word typed is the beginning of a word of what is found; all must be there, in any order.
/// The order of an answer: first up to twelve artists, albums, playlists and genres (those called
/// exactly so, then those whose names have the words, then albums whose names and artists have them);
/// then tracks, in the tiers title, artist, album, file name, a track standing in the first tier that
/// has the words together with those before it; then the rest of what holds tracks. Inside each of
/// these most played first, then by name. With `kinds` only those are looked for, in the same order.
///
/// Nothing is scored. Labels are in the order of finding already (see the schema), so each tier is read
/// upwards until the page is full, and `NOT` leaves out what an earlier tier has shown.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    func search(_ query: SearchQuery) throws(SourceFault) -> ItemPage {
        let words = SearchWords(query.text)
        guard !words.isEmpty else {
            throw SourceFault(.badRequest, "There is no word to look for in “\(query.text)”. Type a letter or a digit.")
        }
        let stages = SearchStage.stages(for: words, kinds: query.kinds)
        var place = SearchPlace(holders: SearchPlace.Progress(), tracks: SearchPlace.Progress())
        if let text = query.window.cursor {
            guard let known = SearchPlace(text) else {
                throw SourceFault(.badRequest, "This cursor is none of this search. Begin at its beginning.")
            }
            place = known
        }
        return try page(
            stages, from: place, skip: query.window.cursor == nil ? query.window.boundedFrom : 0, limit: max(1, query.window.limit))
    }

    private func page(_ stages: [SearchStage], from place: SearchPlace, skip: Int, limit: Int) throws(SourceFault) -> ItemPage {
        var place = place
        var skip = skip
        var hits: [SearchEntryKey] = []
        var isMore = false
        while place.stage < stages.count {
            let stage = stages[place.stage]
            let most = min(skip + limit - hits.count, (stage.most ?? .max) - place.shown)
            let found = try find(stage, from: place, limit: most == .max ? most : most + 1)
            for hit in found {
                if place.shown == stage.most { break }
                if skip > 0 { skip -= 1 } else if hits.count == limit { isMore = true; break } else { hits.append(hit.key) }
                place.pass(hit, in: stage)
            }
            if isMore { break }
            // Of a stream that ended nothing comes later.
            if let most = stage.most, place.shown < most { place.isAllShown = true }
            place.stage += 1
            if place.isAllShown, place.stage == stages.count - 1, place.stage > 1 { break }
            place.shown = 0
        }
        return ItemPage(try rows(hits), cursor: isMore ? place.text : nil)
    }

    struct Hit {
        var key: SearchEntryKey
        var tier: Int
        var searchEntry: SearchEntry
        var label: Int64

        init(tier: Int, _ row: Row) {
            label = row.int64(6)
            key = SearchEntryKey(ItemKind(rawValue: row.text(0)) ?? .track, row.int64(1))
            self.tier = tier
            searchEntry = SearchEntry(unplayed: row.int(2), sort: row.text(3), hash: row.int64(4), words: row.text(5))
        }
    }

    /// From behind the place that its stream has come to, tier after tier.
    private func find(_ stage: SearchStage, from place: SearchPlace, limit: Int) throws(SourceFault) -> [Hit] {
        let here = stage.isOfTracks ? place.tracks : place.holders
        var hits: [Hit] = []
        var areMany = false
        for tier in here.tier..<max(here.tier, stage.tiers.count) {
            let left = limit - hits.count
            guard left > 0 else { break }
            // Where few are left, they are found at once and put into their tiers here.
            if tier > 0, !areMany, let last = stage.last {
                if let rest = try few(last, stage, behind: here) { return hits + rest.lazy.filter { $0.tier >= tier }.prefix(left) }
                areMany = true
            }
            let isHere = tier == here.tier && here.searchEntry != nil
            let behind = isHere ? try label(behind: here.searchEntry) : nil
            // Nothing stands behind it any more.
            if isHere, behind == nil { continue }
            hits += try some(of: stage.tiers[tier], tier, from: behind ?? 0, limit: left)
        }
        return hits
    }

    /// A word longer than the beginnings that the index keeps is put together from all rows that have it, which
    /// are soon read if they are few. Where many have it, those that begin alike are read until there are enough;
    /// a few of them tell how many that takes.
    private func some(of tier: SearchStage.Tier, _ number: Int, from label: Int64, limit: Int) throws(SourceFault) -> [Hit] {
        var hits: [Hit] = []
        var label = label
        if let alike = tier.alike {
            let beginnings = alike.marks.map(alike.words.marked)
            var size = SearchStage.sample
            var looked = 0
            // Where fewer than half are meant, all rows of the word itself are the shorter way.
            while looked <= hits.count * 2 {
                let (sql, values) = tier.sql(alike.match, from: label, limit: size)
                let found = try all(sql, values) { Hit(tier: number, $0) }
                hits += found.lazy.filter { hit in beginnings.contains { $0.allSatisfy(hit.searchEntry.hasWord) } }
                if hits.count >= limit || found.count < size { return Array(hits.prefix(limit)) }
                label = (found.last?.label ?? label) + 1
                looked += found.count
                size = (limit - hits.count) * looked / max(1, hits.count) + SearchStage.sample / 4
            }
        }
        let (sql, values) = tier.sql(tier.match, from: label, limit: limit - hits.count)
        return hits + (try all(sql, values) { Hit(tier: number, $0) })
    }

    /// All hits behind the first tier, in order, if they are few: one look instead of one for each tier.
    private func few(_ last: String, _ stage: SearchStage, behind here: SearchPlace.Progress) throws(SourceFault) -> [Hit]? {
        let (sql, values) = SearchStage.Tier(match: last).sql(last, from: 0, limit: SearchStage.mostFew + 1)
        let found = try all(sql, values) { Hit(tier: 1, $0) }
        guard found.count <= SearchStage.mostFew else { return nil }
        let beginnings = SearchWords.tiers.map(stage.words.marked)
        let tiered = found.map { hit in
            var hit = hit
            hit.tier = hit.searchEntry.tier(of: beginnings)
            return hit
        }
        let behind = tiered.filter { hit in
            guard hit.tier == here.tier, let searchEntry = here.searchEntry else { return hit.tier >= here.tier }
            return searchEntry.precedes(hit.searchEntry)
        }
        // In a tier they stay in the order in which they were found.
        return (1..<stage.tiers.count).flatMap { tier in behind.filter { $0.tier == tier } }
    }

    /// The first label behind a place in the order of finding, whether or not what stood there still does.
    private func label(behind searchEntry: SearchEntry?) throws(SourceFault) -> Int64? {
        guard let searchEntry else { return nil }
        let place: [Value] = [.int(searchEntry.unplayed), .text(searchEntry.sort), .int(searchEntry.hash)]
        if let there = try first("SELECT label FROM spot WHERE (unplayed, sort, hash) = (?, ?, ?)", place, { $0.int64(0) }) {
            return there + 1
        }
        return try first(
            """
            SELECT label FROM spot WHERE (unplayed, sort, hash) > (?, ?, ?) AND label < ? ORDER BY unplayed, sort, hash LIMIT 1
            """, place + [.int(LabelNotes.subscribers)]
        ) { $0.int64(0) }
    }
}

/// What was typed, folded.
struct SearchWords {
    static let most = 12
    var folded: String
    var words: [String]

    init(_ text: String) {
        folded = Folding.short(text)
        var met = Set<Substring>()
        let all = Folding.words(Folding.fold(text)).filter { met.insert($0).inserted }
        // A word that begins another says nothing more.
        words = all.filter { word in !all.contains { $0 != word && $0.hasPrefix(word) } }.prefix(Self.most)
            .map { Folding.cut(String($0), to: SearchEntry.wordBytes) }
    }

    var isEmpty: Bool { words.isEmpty }

    static let tiers: [SearchEntry.Mark] = [.title, .artist, .album, .file]

    /// How the words begin behind this mark.
    func marked(_ mark: SearchEntry.Mark) -> [[UInt8]] { words.map { Array((mark.rawValue + $0).utf8) } }

    /// Letters of a word, beside its mark, of which the index keeps the beginnings.
    private static let indexedLetters = 4

    /// The words as far as the index keeps their beginnings; `nil` where that is all of them.
    var beginnings: SearchWords? {
        var short = self
        short.words = words.map { String($0.unicodeScalars.prefix(Self.indexedLetters)) }
        return short.words == words ? nil : short
    }

    /// All words, each with one of these marks. Folded words hold nothing but letters and digits, so
    /// nothing in them can end the quotes.
    func match(_ marks: [SearchEntry.Mark]) -> String {
        words.map { word in "(" + marks.map { "\"\($0.rawValue)\(word)\"*" }.joined(separator: " OR ") + ")" }.joined(separator: " AND ")
    }
}

/// A part of an answer: hits of a stream, in tiers.
struct SearchStage {
    struct Tier {
        var match: String
        /// Called exactly so, or not: `nil` where that makes no difference.
        var exactly: Bool?
        var name = ""
        var kinds: [ItemKind] = []
        /// What finds a bit too much and finds it as it goes, and what is meant of it.
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
                    ORDER BY found.rowid LIMIT ?3
                    """, [.text(match), .int(label), .int(limit), .text(name)]
                )
            case true?:
                let marks = kinds.indices.map { "?\($0 + 4)" }.joined(separator: ", ")
                return (
                    """
                    SELECT kind, item, unplayed, sort, hash, words, label FROM (
                        SELECT kind AS k, id AS i FROM holder WHERE fold = ?1
                        UNION ALL SELECT 'playlist', id FROM playlist WHERE fold = ?1)
                    CROSS JOIN spot ON kind = k AND item = i WHERE +k IN (\(marks)) AND label >= ?2 ORDER BY label LIMIT ?3
                    """, [.text(name), .int(label), .int(limit)] + kinds.map { .text($0.rawValue) }
                )
            }
        }
    }

    var isOfTracks: Bool
    var tiers: [Tier]
    /// How many at the most, before the next stage has its turn.
    var most: Int?
    /// All tiers but the first in one, where a hit's own words tell which it belongs to.
    var last: String?
    var words = SearchWords("")

    static let mostFew = 200
    /// So many rows tell how many of those that begin alike are meant.
    static let sample = 16

    /// How many artists, albums and lists come before the tracks.
    static let mostAhead = 12

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

    private init(ofTracks tiers: [Tier], _ words: SearchWords) {
        self.init(isOfTracks: true, tiers: tiers)
        self.words = words
        last = "(\(words.match(SearchWords.tiers))) NOT (\(words.match([.title])))"
    }

    private init(isOfTracks: Bool, tiers: [Tier], most: Int? = nil) {
        self.isOfTracks = isOfTracks
        self.tiers = tiers
        self.most = most
    }

    private static func trackTiers(_ words: SearchWords) -> [Tier] {
        let marks = SearchWords.tiers
        return marks.indices.map { tier in
            let match = words.match(Array(marks[...tier]))
            guard tier == 0 else { return Tier(match: "(\(match)) NOT (\(words.match(Array(marks[..<tier]))))") }
            return Tier(match: match, alike: words.beginnings.map { ($0.match([.title]), words, [.title]) })
        }
    }

    private static func holderTiers(_ words: SearchWords, _ kinds: [ItemKind]) -> [Tier] {
        let named: [ItemKind] = [.artist, .album, .playlist, .genre].filter { kinds.isEmpty || kinds.contains($0) }
        guard !named.isEmpty else { return [] }
        // Their names are words of one kind each, so what has all words in one has them in one name.
        let marks = named.map(SearchEntry.Mark.name(of:))
        let names = { (words: SearchWords) in marks.map { "(" + words.match([$0]) + ")" }.joined(separator: " OR ") }
        var tiers = [
            Tier(match: names(words), exactly: true, name: words.folded, kinds: named),
            Tier(
                match: names(words), exactly: false, name: words.folded, alike: words.beginnings.map { (names($0), words, marks) }),
        ]
        if named.contains(.album) {
            tiers.append(Tier(match: "(\(words.match([.albumName, .albumArtist]))) NOT (\(words.match([.albumName])))"))
        }
        return tiers
    }
}

/// How far an answer has come, in both of its streams.
struct SearchPlace {
    struct Progress {
        var tier = 0
        var searchEntry: SearchEntry?
    }

    var stage = 0
    /// The first stream had nothing more than what was shown of it.
    var isAllShown = false
    /// In this stage.
    var shown = 0
    var holders: Progress
    var tracks: Progress

    init(holders: Progress, tracks: Progress) {
        self.holders = holders
        self.tracks = tracks
    }

    mutating func pass(_ hit: LibraryDatabase.Hit, in stage: SearchStage) {
        shown += 1
        if stage.isOfTracks {
            tracks = Progress(tier: hit.tier, searchEntry: hit.searchEntry)
        } else {
            holders = Progress(tier: hit.tier, searchEntry: hit.searchEntry)
        }
    }

    init?(_ text: String) {
        guard let cursor = Cursor(text), cursor.key.count == 9, cursor.part < 3 else { return nil }
        let numbers = cursor.key.map { if case .int(let number) = $0 { Int(number) } else { 0 } }
        func progress(_ at: Int) -> Progress {
            guard case .text(let sort) = cursor.key[at + 2] else { return Progress(tier: min(max(0, numbers[at]), 8)) }
            return Progress(
                tier: min(max(0, numbers[at]), 8),
                searchEntry: SearchEntry(unplayed: numbers[at + 1], sort: sort, hash: Int64(numbers[at + 3]), words: ""))
        }
        self.init(holders: progress(1), tracks: progress(5))
        stage = cursor.part
        shown = max(0, numbers[0])
    }

    var text: String {
        func values(_ place: Progress) -> [Database.Value] {
            [
                .int(place.tier), .maybe(place.searchEntry?.unplayed), .maybe(place.searchEntry?.sort),
                place.searchEntry.map { .int($0.hash) } ?? .null,
            ]
        }
        return Cursor(part: stage, key: [.int(shown)] + values(holders) + values(tracks)).text
    }
}
