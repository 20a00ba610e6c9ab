/// Search in the rows of a mirror, in the same order as in the library: up to twelve artists, albums, playlists and genres (exact names
/// first), then tracks by title, artist and album, then the remaining containers.
///
/// Nothing is scored or sorted: labels are in the order of hits, each tier is read by ascending label until the page is full, and `NOT`
/// leaves out hits of earlier tiers.
import BatonCore
package import BatonSeams
import SQLite

extension SourceStore {
    package func search(_ source: String, _ query: SearchQuery) throws(SourceFault) -> ItemPage {
        let words = MirrorWords.typed(query.text)
        guard !words.isEmpty else {
            throw SourceFault(.badRequest, "There is no word to look for in “\(query.text)”. Type a letter or a digit.")
        }
        return try look { sources throws(SourceFault) in
            let (from, limit) = (query.window.cursor == nil ? max(0, query.window.from) : 0, max(1, query.window.limit))
            var search = MirrorSearch(
                slot: try sources.shown(of: source), words: words.map { [SoughtWord($0)] }, name: Folding.short(query.text),
                kinds: query.kinds, place: try MirrorSearch.Position(query.window))
            guard query.toleratesMistakes, query.window.cursor == nil, from < limit, words.contains(where: Vocabulary.mayBeMistaken) else {
                return try search.page(sources, skip: from, limit: limit)
            }
            var page = ItemPage([])
            if try !search.isUnknown(sources, words) {
                var first = search
                page = try first.page(sources, skip: 0, limit: limit)
            }
            if page.cursor == nil, page.rows.count < limit {
                page.rows += try search.mistaken(sources, words, besides: page.rows, limit: limit)
            } else if from > 0 {
                return try search.page(sources, skip: from, limit: limit)
            }
            page.rows.removeFirst(min(from, page.rows.count))
            return page
        }
    }
}

extension SourceDatabase {
    private static let mostVocabularies = 4

    /// `nil` for a mirror that an earlier version wrote.
    fileprivate func vocabulary(of slot: MirrorSlot) throws(SourceFault) -> Vocabulary? {
        let pass = try first("SELECT number FROM mirror WHERE slot = ?", [.int(slot.number)]) { $0.int64(0) } ?? 0
        if let known = vocabularies[slot.number], known.pass == pass { return known.words }
        guard try first("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(slot.term)], as: { _ in true }) == true else { return nil }
        var words = Vocabulary()
        try each("SELECT word FROM \(slot.term) ORDER BY word") { words.append($0.text(0)) }
        if vocabularies.count >= Self.mostVocabularies { vocabularies = [:] }
        vocabularies[slot.number] = (words, pass)
        return words
    }
}

/// One search with its streams.
private struct MirrorSearch {
    /// The position of an answer.
    struct Position {
        /// 0 for the first twelve, 1 for tracks, 2 for the rest.
        var phase = 0
        var shown = 0
        var holders = Stream()
        var tracks = Stream(label: MirrorSlot.firstTrack)

        struct Stream {
            var tier = 0
            /// The label of the last hit in its tier.
            var label: Int64 = 0
        }

        init(_ window: PageWindow) throws(SourceFault) {
            guard let cursor = window.cursor else { return }
            let parts = cursor.dropFirst(MirrorCursorMark.text.count).split(separator: ".").map { Int64($0) ?? -1 }
            guard cursor.hasPrefix(MirrorCursorMark.text), parts.count == 6, parts.allSatisfy({ $0 >= 0 }) else {
                throw SourceFault(.badRequest, "This cursor is none of this search. Begin at its beginning.")
            }
            phase = Int(min(parts[0], 3))
            shown = Int(min(parts[1], 1000))
            holders = Stream(tier: Int(min(parts[2], 9)), label: parts[3])
            tracks = Stream(tier: Int(min(parts[4], 9)), label: parts[5])
        }

        var text: String {
            MirrorCursorMark.text
                + [Int64(phase), Int64(shown), Int64(holders.tier), holders.label, Int64(tracks.tier), tracks.label]
                .map { String($0) }.joined(separator: ".")
        }
    }

    /// The rows of one tier.
    enum Tier {
        case exactly(String)
        case match(String, butNot: String?)
    }

    static let mostAhead = 12
    /// Number of hits with typing mistakes behind exact ones.
    static let mostNear = 10

    let slot: MirrorSlot
    let words: [[SoughtWord]]
    let name: String
    let kinds: [ItemKind]
    var place: Position

    init(slot: MirrorSlot, words: [[SoughtWord]], name: String, kinds: [ItemKind], place: Position) {
        self.slot = slot
        self.words = words
        self.name = name
        self.kinds = kinds
        self.place = place
    }

    mutating func page(_ sources: SourceDatabase, skip: Int, limit: Int) throws(SourceFault) -> ItemPage {
        var skip = skip
        let limit = max(1, limit)
        var rows: [ItemRow] = []
        while place.phase < 3 {
            let isOfTracks = place.phase == 1
            let most = place.phase == 0 ? Self.mostAhead - place.shown : .max
            let wanted = min(most, skip + limit - rows.count)
            let found = try take(wanted, ofTracks: isOfTracks, sources)
            place.shown += found.count
            rows += found.dropFirst(skip)
            skip = max(0, skip - found.count)
            if rows.count == limit, found.count == wanted {
                return ItemPage(rows, cursor: try isMore(sources) ? place.text : nil)
            }
            place.phase += 1
            place.shown = 0
        }
        return ItemPage(rows)
    }

    /// Whether the vocabulary shows that there are no exact hits, because a typed word begins none of its words.
    func isUnknown(_ sources: SourceDatabase, _ typed: [String]) throws(SourceFault) -> Bool {
        guard sources.vocabularies[slot.number] != nil, let vocabulary = try sources.vocabulary(of: slot) else { return false }
        return typed.contains(where: vocabulary.lacks)
    }

    /// Rows in which one letter of each word may be wrong, without the exact hits.
    func mistaken(_ sources: SourceDatabase, _ typed: [String], besides exact: [ItemRow], limit: Int) throws(SourceFault) -> [ItemRow] {
        guard let vocabulary = try sources.vocabulary(of: slot), exact.isEmpty || !vocabulary.knows(typed),
            let meanings = vocabulary.meanings(of: typed)
        else { return [] }
        let likely = Dictionary(zip(typed, meanings.compactMap { $0.first?.text }), uniquingKeysWith: { first, _ in first })
        let name = Folding.words(name).map { likely[String($0)] ?? String($0) }.joined(separator: " ")
        var search = MirrorSearch(slot: slot, words: meanings, name: name, kinds: kinds, place: place)
        let known = Set(exact.map(\.uri))
        let most = exact.isEmpty ? limit : min(limit, exact.count + Self.mostNear)
        let near = try search.page(sources, skip: 0, limit: most).rows.filter { !known.contains($0.uri) }
        return Array(near.prefix(most - exact.count))
    }

    /// Whether another row follows; searched on a copy.
    private func isMore(_ sources: SourceDatabase) throws(SourceFault) -> Bool {
        var ahead = self
        if ahead.place.phase == 0, ahead.place.shown >= Self.mostAhead { ahead.place.phase = 1 }
        while ahead.place.phase < 3 {
            if try !ahead.take(1, ofTracks: ahead.place.phase == 1, sources).isEmpty { return true }
            ahead.place.phase += 1
        }
        return false
    }

    /// The next rows of one stream.
    private mutating func take(_ count: Int, ofTracks: Bool, _ sources: SourceDatabase) throws(SourceFault) -> [ItemRow] {
        let tiers = ofTracks ? trackTiers : holderTiers
        var stream = ofTracks ? place.tracks : place.holders
        var rows: [ItemRow] = []
        while stream.tier < tiers.count, rows.count < count {
            let wanted = count - rows.count
            let (sql, values) = statement(tiers[stream.tier], ofTracks, behind: stream.label, limit: wanted)
            let found = try sources.all(sql, values) { ($0.int64(0), ItemRow(packed: $0.blob(1))) }
            for (label, row) in found {
                stream.label = label
                if let row, kinds.isEmpty || kinds.contains(row.tags.kind) { rows.append(row) }
            }
            // If fewer rows than requested were found, the tier is finished.
            if found.count < wanted {
                stream.tier += 1
                stream.label = ofTracks ? MirrorSlot.firstTrack : 0
            }
        }
        if ofTracks { place.tracks = stream } else { place.holders = stream }
        return rows
    }

    private func statement(_ tier: Tier, _ ofTracks: Bool, behind label: Int64, limit: Int) -> (String, [Database.Value]) {
        let columns = "SELECT l.label, row FROM"
        let end = ofTracks ? Int64.max : MirrorSlot.firstTrack
        switch tier {
        case .exactly(let name):
            return (
                """
                \(columns) \(slot.label) AS l JOIN \(slot.item) AS i ON i.id = l.item
                WHERE l.name = ? AND l.label > ? AND l.label < \(MirrorSlot.firstTrack) ORDER BY l.label LIMIT ?
                """, [.text(name), .int(label), .int(limit)]
            )
        case .match(let match, let butNot):
            return (
                """
                \(columns) \(slot.word) AS w CROSS JOIN \(slot.label) AS l ON l.label = w.rowid JOIN \(slot.item) AS i ON i.id = l.item
                WHERE w.\(slot.word) MATCH ? AND w.rowid > ? AND w.rowid < ? AND l.name <> ? ORDER BY w.rowid LIMIT ?
                """, [.text(match), .int(label), .int(end), .text(butNot ?? ""), .int(limit)]
            )
        }
    }

    private var holderTiers: [Tier] {
        let marks = [ItemKind.artist, .album, .playlist, .genre, .folder].filter { kinds.isEmpty ? $0 != .folder : kinds.contains($0) }
            .compactMap(MirrorWords.mark(of:))
        guard !marks.isEmpty else { return [] }
        // Each of these words belongs to one kind of container, so words that match in one kind are in one name.
        let names = marks.map { MirrorWords.match(words, [$0]) }.joined(separator: " OR ")
        var tiers = [Tier.exactly(name), .match(names, butNot: name)]
        if marks.contains(.albumName) {
            let wide = MirrorWords.match(words, [.albumName, .albumArtist])
            tiers.append(.match("(\(wide)) NOT (\(MirrorWords.match(words, [.albumName])))", butNot: name))
        }
        return tiers
    }

    private var trackTiers: [Tier] {
        let leaves = [ItemKind.track, .station].filter { kinds.isEmpty || kinds.contains($0) }.compactMap(MirrorWords.mark(of:))
        guard !leaves.isEmpty else { return [] }
        var marks = leaves
        var tiers = [Tier.match(MirrorWords.match(words, marks), butNot: nil)]
        guard leaves.contains(.track) else { return tiers }
        for next in [MirrorWords.Mark.artist, .album] {
            let before = MirrorWords.match(words, marks)
            marks.append(next)
            tiers.append(.match("(\(MirrorWords.match(words, marks))) NOT (\(before))", butNot: nil))
        }
        return tiers
    }
}
