/// Search as you type.
///
/// Each word typed is the beginning of a word of what is found; all must be there, in any order.
/// The order of an answer: first up to twelve artists, albums, playlists and genres (those called
/// exactly so, then those whose names begin with the first word, then those whose names have the words,
/// then albums whose names and artists have them); then tracks, in the tiers title (exactly so, beginning so,
/// with the words), artist, album, file name, a track standing in the first tier that has the words together
/// with those before it; then the rest of what holds tracks. Inside each of these most played first, then by name. With `kinds` only those are looked for, in the same order.
///
/// A search that tolerates mistakes is one more of the same, for words that the typed ones may stand for; its hits come behind the exact
/// ones.
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
        let (from, limit) = (query.window.boundedFrom, max(1, query.window.limit))
        if let text = query.window.cursor {
            guard let place = SearchPlace(text) else {
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
        /// The place at which those behind them begin.
        var next: SearchPlace?
    }

    /// Exact hits, and behind all of them, where they leave room, what has a typing mistake in some words.
    private func hitsOnFirstPage(of words: SearchWords, _ kinds: [ItemKind], limit: Int) throws(SourceFault) -> Hits {
        guard words.words.contains(where: Vocabulary.mayBeMistaken) else { return try hits(of: words, kinds, limit: limit) }
        let known: Vocabulary? = try vocabulary == nil ? nil : currentVocabulary()
        var found = Hits()
        // Where all words are at hand and begin otherwise, nothing is exact.
        if known.map({ words.words.contains(where: $0.lacks) }) != true { found = try hits(of: words, kinds, limit: limit) }
        guard found.next == nil, found.keys.count < limit else { return found }
        let vocabulary: Vocabulary
        if let known { vocabulary = known } else { vocabulary = try currentVocabulary() }
        guard found.keys.isEmpty || !vocabulary.knows(words.words) else { return found }
        let most = found.keys.isEmpty ? Vocabulary.mostNeighbours : Self.mostMeanings
        guard let meant = words.mistaken(in: vocabulary, most: most) else { return found }
        guard !found.keys.isEmpty else { return Hits(keys: try hits(of: meant, kinds, limit: limit).keys) }
        // All exact hits are at hand, and so they are left out here: `NOT` would read their words once more.
        let exact = Set(found.keys)
        let near = try some(of: SearchStage.near(meant, kinds), 0, from: 0, limit: Self.mostNear + exact.count)
        found.keys += near.map(\.key).filter { !exact.contains($0) }.prefix(min(limit - exact.count, Self.mostNear))
        return found
    }

    /// So many are offered behind exact hits. Those are most likely meant, and a second search of all tiers would double the time.
    private static let mostNear = 10
    private static let mostMeanings = 2

    /// New words are read and put among the others: all words of a library of 100,000 tracks take 20 ms, and during a scan there are new
    /// ones for each search.
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
        of words: SearchWords, _ kinds: [ItemKind], from: SearchPlace = .beginning, skip: Int = 0, limit: Int
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
            // Of a stream that ended nothing comes later.
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

    /// From behind the place that its stream has come to, tier after tier.
    private func find(_ stage: SearchStage, from place: SearchPlace, limit: Int) throws(SourceFault) -> [Hit] {
        let here = stage.isOfTracks ? place.tracks : place.holders
        var hits: [Hit] = []
        var areMany = false
        for tier in here.tier..<max(here.tier, stage.tiers.count) {
            let left = limit - hits.count
            guard left > 0 else { break }
            // Where few are left, they are found at once and put into their tiers here.
            if tier >= stage.firstOfLast, !areMany, let last = stage.last {
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

    /// All hits behind the first tier, in order, if they are few: one look instead of one for each tier.
    private func few(_ last: String, _ stage: SearchStage, behind here: SearchPlace.Progress) throws(SourceFault) -> [Hit]? {
        let (sql, values) = SearchStage.Tier(match: last).sql(last, from: 0, limit: SearchStage.mostFew + 1)
        let found = try all(sql, values) { Hit(tier: 1, $0) }
        guard found.count <= SearchStage.mostFew else { return nil }
        let beginnings = SearchWords.tiers.map(stage.words.marked)
        let tiered = found.map { hit in
            var hit = hit
            // The first of the places where words stand is the title, which is in earlier tiers.
            hit.tier = stage.firstOfLast - 1 + hit.searchEntry.tier(of: beginnings)
            return hit
        }
        let behind = tiered.filter { hit in
            guard hit.tier == here.tier, let searchEntry = here.searchEntry else { return hit.tier >= here.tier }
            return searchEntry.precedes(hit.searchEntry)
        }
        // In a tier they stay in the order in which they were found.
        return (stage.firstOfLast..<stage.tiers.count).flatMap { tier in behind.filter { $0.tier == tier } }
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
            """, place + [.int(LabelNotes.firstUnordered)]
        ) { $0.int64(0) }
    }
}
