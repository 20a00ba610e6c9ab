/// Search as you type.
///
/// Each typed word must be the beginning of a word of the hit, in any order. The hits come in this order:
///
/// - up to twelve artists, albums, playlists and genres: exact names, then names that begin with the first word, then names that have the words, then
///   albums whose name and artist together have them;
/// - tracks: by title (exact, at the beginning, with the words), artist, album, file name. A track belongs to the first tier that has the words
///   together with the tiers before it;
/// - the remaining artists, albums, playlists and genres.
///
/// Inside each of these the most played come first, then names in order. With `kinds`, only those kinds are searched, in the same order.
///
/// A search that tolerates typing mistakes is a second search with the words that may be meant; its hits follow the exact ones.
///
/// Nothing is scored. Labels already are in the order of hits (see the schema), so each tier is read by ascending label until the page is
/// full, and `NOT` leaves out the hits of earlier tiers.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    func search(_ query: SearchQuery) throws(SourceFault) -> ItemPage {
        let words = SearchWords(query.text)
        guard !words.isEmpty else {
            throw SourceFault(.badRequest, "There is no word to look for in “\(query.text)”. Type a letter or a digit.")
        }
        let (from, limit) = (query.window.boundedFrom, max(1, query.window.limit))
        if let text = query.window.cursor {
            guard let place = SearchPosition(text) else {
                throw SourceFault(.badRequest, "This cursor is none of this search. Begin at its beginning.")
            }
            return try page(of: hits(of: words, query.kinds, from: place, limit: limit))
        }
        guard query.toleratesMistakes, from < limit else { return try page(of: hits(of: words, query.kinds, skip: from, limit: limit)) }
        var found = try hitsOnFirstPage(of: words, query.kinds, limit: limit)
        if from > 0, found.next != nil { return try page(of: hits(of: words, query.kinds, skip: from, limit: limit)) }
        found.keys.removeFirst(min(from, found.keys.count))
        return try page(of: found)
    }

    private func page(of hits: Hits) throws(SourceFault) -> ItemPage { ItemPage(try rows(hits.keys), cursor: hits.next?.text) }

    private struct Hits {
        var keys: [SearchEntryKey] = []
        /// The place at which the next page begins.
        var next: SearchPosition?
    }

    /// Exact hits. If they leave room on the page, hits with typing mistakes follow.
    private func hitsOnFirstPage(of words: SearchWords, _ kinds: [ItemKind], limit: Int) throws(SourceFault) -> Hits {
        guard words.words.contains(where: Vocabulary.mayBeMistaken) else { return try hits(of: words, kinds, limit: limit) }
        let known: Vocabulary? = try vocabulary == nil ? nil : currentVocabulary()
        var found = Hits()
        // If the vocabulary lacks a typed word, there are no exact hits.
        if known.map({ words.words.contains(where: $0.lacks) }) != true { found = try hits(of: words, kinds, limit: limit) }
        guard found.next == nil, found.keys.count < limit else { return found }
        let vocabulary: Vocabulary
        if let known { vocabulary = known } else { vocabulary = try currentVocabulary() }
        guard found.keys.isEmpty || !vocabulary.knows(words.words) else { return found }
        let most = found.keys.isEmpty ? Vocabulary.mostNeighbours : Self.mostMeanings
        guard let meant = words.mistaken(in: vocabulary, most: most) else { return found }
        guard !found.keys.isEmpty else { return Hits(keys: try hits(of: meant, kinds, limit: limit).keys) }
        // All exact hits are known, so they are filtered here; `NOT` would read their words once more.
        let exact = Set(found.keys)
        let near = try some(of: SearchStage.near(meant, kinds), 0, from: 0, limit: Self.mostNear + exact.count)
        found.keys += near.map(\.key).filter { !exact.contains($0) }.prefix(min(limit - exact.count, Self.mostNear))
        return found
    }

    /// Number of hits with typing mistakes. The first ones are the likeliest, and a second search of all tiers would double the time.
    private static let mostNear = 10
    private static let mostMeanings = 2

    /// Merges new words into the known ones: reading all words of a library of 100,000 tracks takes 20 ms, and during a scan each search
    /// would have to.
    private func currentVocabulary() throws(SourceFault) -> Vocabulary {
        let newest = try first("SELECT max(id) FROM word") { $0.int64(0) } ?? 0
        if let vocabulary, vocabulary.newest == newest { return vocabulary.words }
        var words = Vocabulary()
        if let vocabulary, vocabulary.newest < newest {
            words = vocabulary.words
            words.add(try all("SELECT word FROM word WHERE id > ? ORDER BY word", [.int(vocabulary.newest)]) { $0.text(0) })
        } else {
            try each("SELECT word FROM word ORDER BY word") { words.append($0.text(0)) }
        }
        vocabulary = (words, newest)
        return words
    }

    private func hits(
        of words: SearchWords, _ kinds: [ItemKind], from: SearchPosition = .beginning, skip: Int = 0, limit: Int
    ) throws(SourceFault) -> Hits {
        let stages = SearchStage.stages(for: words, kinds: kinds)
        var place = from
        var skip = skip
        var hits = Hits()
        var isMore = false
        while place.stage < stages.count {
            let stage = stages[place.stage]
            let most = min(skip + limit - hits.keys.count, (stage.most ?? .max) - place.shown)
            let found = try find(stage, from: place, limit: most == .max ? most : most + 1)
            for hit in found {
                if place.shown == stage.most { break }
                if skip > 0 { skip -= 1 } else if hits.keys.count == limit { isMore = true; break } else { hits.keys.append(hit.key) }
                place.pass(hit, in: stage)
            }
            if isMore { break }
            // A stream that has ended has no later hits.
            if let most = stage.most, place.shown < most { place.isAllShown = true }
            place.stage += 1
            if place.isAllShown, place.stage == stages.count - 1, place.stage > 1 { break }
            place.shown = 0
        }
        if isMore { hits.next = place }
        return hits
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

    /// Continues behind the place that the stream has reached, tier after tier.
    private func find(_ stage: SearchStage, from place: SearchPosition, limit: Int) throws(SourceFault) -> [Hit] {
        let here = stage.isOfTracks ? place.tracks : place.holders
        var hits: [Hit] = []
        var areMany = false
        for tier in here.tier..<max(here.tier, stage.tiers.count) {
            let left = limit - hits.count
            guard left > 0 else { break }
            // A few remaining hits are read with one query and sorted into tiers here.
            if tier >= stage.firstOfLast, !areMany, let last = stage.last {
                if let rest = try few(last, stage, behind: here) { return hits + rest.lazy.filter { $0.tier >= tier }.prefix(left) }
                areMany = true
            }
            let isHere = tier == here.tier && here.searchEntry != nil
            let behind = isHere ? try label(behind: here.searchEntry) : nil
            // No hits are left behind the place in this tier.
            if isHere, behind == nil { continue }
            hits += try some(of: stage.tiers[tier], tier, from: behind ?? 0, limit: left)
        }
        return hits
    }

    /// A word longer than the indexed beginnings is looked up in all rows that have it, which is fast if they are few. For many rows, those
    /// with the same beginning are read until there are enough; a small sample shows how many that takes.
    private func some(of tier: SearchStage.Tier, _ number: Int, from label: Int64, limit: Int) throws(SourceFault) -> [Hit] {
        var hits: [Hit] = []
        var label = label
        if let alike = tier.alike {
            let beginnings = alike.marks.map(alike.words.marked)
            var size = SearchStage.sample
            var looked = 0
            // If fewer than half match, reading all rows of the word itself is faster.
            while looked <= hits.count * 2 {
                let (sql, values) = tier.sql(alike.match, from: label, limit: size)
                let found = try all(sql, values) { Hit(tier: number, $0) }
                hits += found.lazy.filter { hit in beginnings.contains(where: hit.searchEntry.hasWords) }
                if hits.count >= limit || found.count < size { return Array(hits.prefix(limit)) }
                label = (found.last?.label ?? label) + 1
                looked += found.count
                size = (limit - hits.count) * looked / max(1, hits.count) + SearchStage.sample / 4
            }
        }
        let (sql, values) = tier.sql(tier.match, from: label, limit: limit - hits.count)
        return hits + (try all(sql, values) { Hit(tier: number, $0) })
    }

    /// All hits behind the first tier, in order, if they are few. This is one query instead of one for each tier.
    private func few(_ last: String, _ stage: SearchStage, behind here: SearchPosition.Progress) throws(SourceFault) -> [Hit]? {
        let (sql, values) = SearchStage.Tier(match: last).sql(last, from: 0, limit: SearchStage.mostFew + 1)
        let found = try all(sql, values) { Hit(tier: 1, $0) }
        guard found.count <= SearchStage.mostFew else { return nil }
        let beginnings = SearchWords.tiers.map(stage.words.marked)
        let tiered = found.map { hit in
            var hit = hit
            // The first of `beginnings` is the title, which belongs to an earlier tier.
            hit.tier = stage.firstOfLast - 1 + hit.searchEntry.tier(of: beginnings)
            return hit
        }
        let behind = tiered.filter { hit in
            guard hit.tier == here.tier, let searchEntry = here.searchEntry else { return hit.tier >= here.tier }
            return searchEntry.precedes(hit.searchEntry)
        }
        // Inside a tier they stay in the order of the query.
        return (stage.firstOfLast..<stage.tiers.count).flatMap { tier in behind.filter { $0.tier == tier } }
    }

    /// The first label behind a place in the order of hits. The row at the place may be gone.
    private func label(behind searchEntry: SearchEntry?) throws(SourceFault) -> Int64? {
        guard let searchEntry else { return nil }
        let place: [Value] = [.int(searchEntry.unplayed), .text(searchEntry.sort), .int(searchEntry.hash)]
        if let there = try first("SELECT label FROM spot WHERE (unplayed, sort, hash) = (?, ?, ?)", place, as: { $0.int64(0) }) {
            return there + 1
        }
        return try first(
            """
            SELECT label FROM spot WHERE (unplayed, sort, hash) > (?, ?, ?) AND label < ? ORDER BY unplayed, sort, hash LIMIT 1
            """, place + [.int(LabelNotes.firstUnordered)]
        ) { $0.int64(0) }
    }
}
