/// Maintains the entries of the search index in the order in which searches show them.
///
/// A label is between those of its neighbours, with gaps on both sides, so a new name costs two look-ups and one row. The entries of one
/// transaction are spread evenly over their gap. If a gap is used up, or if single insertions would cost more than relabelling everything,
/// rows are appended unordered until the end of the scan, when all get new labels. The alternative, sorting the hits of a search, reads
/// every hit of a single letter: tens of thousands of rows.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// `new` are entries without an older version.
    func writeSearchEntries(_ searchEntries: [SearchEntryKey: SearchEntry?], _ new: [(key: SearchEntryKey, searchEntry: SearchEntry)])
        throws(SourceFault)
    {
        var new = new
        for (key, searchEntry) in searchEntries {
            let isThere = try removeSearchEntry(key, unless: searchEntry)
            if let searchEntry, !isThere { new.append((key, searchEntry)) }
        }
        guard !new.isEmpty else { return }
        try storeWords(of: new)
        // The end of a scan relabels everything.
        if seen.scan != nil, new.count > LabelNotes.mostPlaced, try hasOrdered(atMost: new.count * LabelNotes.fewTimes) {
            return try appendUnordered(new[...])
        }
        new.sort { $0.searchEntry.precedes($1.searchEntry) }
        var rest = new[...]
        while let first = rest.first {
            let gap = try gap(for: first.searchEntry)
            let group = rest.prefix { item in gap.end.map { item.searchEntry.precedes($0) } ?? true }
            try insert(group.isEmpty ? rest.prefix(1) : group, into: gap)
            rest = rest.dropFirst(max(1, group.count))
        }
    }

    private func storeWords(of new: [(key: SearchEntryKey, searchEntry: SearchEntry)]) throws(SourceFault) {
        var words = Set<Substring>()
        for item in new {
            for marked in item.searchEntry.words.utf8.split(separator: UInt8(ascii: " ")) {
                let word = Substring(marked.dropFirst())
                if Vocabulary.keeps(word) { words.insert(word) }
            }
        }
        for word in words { try run("INSERT OR IGNORE INTO word (word) VALUES (?)", [.text(String(word))]) }
    }

    private func hasOrdered(atMost most: Int) throws(SourceFault) -> Bool {
        try first("SELECT 1 FROM spot WHERE label < ? LIMIT 1 OFFSET ?", [.int(LabelNotes.firstUnordered), .int(most)]) { _ in false }
            ?? true
    }

    /// Removes an entry, unless it is unchanged, and returns whether it was.
    private func removeSearchEntry(_ key: SearchEntryKey, unless searchEntry: SearchEntry?) throws(SourceFault) -> Bool {
        let found = try first(
            "SELECT label, unplayed, sort, hash, words FROM spot WHERE kind = ? AND item = ?", [.text(key.kind.rawValue), .int(key.item)]
        ) { row in
            (label: row.int64(0), searchEntry: SearchEntry(unplayed: row.int(1), sort: row.text(2), hash: row.int64(3), words: row.text(4)))
        }
        guard let found else { return false }
        if found.searchEntry == searchEntry { return true }
        // FTS5 needs the old words to remove them from the index.
        try run("INSERT INTO found (found, rowid, words) VALUES ('delete', ?, ?)", [.int(found.label), .text(found.searchEntry.words)])
        try run("DELETE FROM spot WHERE label = ?", [.int(found.label)])
        if found.label >= LabelNotes.firstUnordered { labels.unordered -= 1 }
        return false
    }

    // MARK: - Labels

    private struct Gap {
        var before: Int64?
        var after: Int64?
        /// The entry after the gap.
        var end: SearchEntry?
    }

    private func gap(for searchEntry: SearchEntry) throws(SourceFault) -> Gap {
        let place: [Value] = [.int(searchEntry.unplayed), .text(searchEntry.sort), .int(searchEntry.hash), .int(LabelNotes.firstUnordered)]
        let before = try first(
            """
            SELECT label FROM spot WHERE (unplayed, sort, hash) < (?, ?, ?) AND label < ?
            ORDER BY unplayed DESC, sort DESC, hash DESC LIMIT 1
            """, place
        ) { $0.int64(0) }
        let after = try first(
            """
            SELECT label, unplayed, sort, hash FROM spot WHERE (unplayed, sort, hash) >= (?, ?, ?) AND label < ?
            ORDER BY unplayed, sort, hash LIMIT 1
            """, place
        ) { row in (label: row.int64(0), searchEntry: SearchEntry(unplayed: row.int(1), sort: row.text(2), hash: row.int64(3), words: "")) }
        return Gap(before: before, after: after?.label, end: after?.searchEntry)
    }

    private func insert(_ group: ArraySlice<(key: SearchEntryKey, searchEntry: SearchEntry)>, into gap: Gap) throws(SourceFault) {
        let count = Int64(group.count)
        let first: Int64
        let step: Int64
        switch (gap.before, gap.after) {
        case (nil, nil): (first, step) = (LabelNotes.first, LabelNotes.step)
        case (let before?, nil): (first, step) = (before + LabelNotes.step, LabelNotes.step)
        case (nil, let after?): (first, step) = (after - count * LabelNotes.step, LabelNotes.step)
        case (let before?, let after?):
            step = (after - before) / (count + 1)
            first = before + step
        }
        guard step > 0, first > 0, first + count * step < LabelNotes.firstUnordered else { return try appendUnordered(group) }
        for (number, item) in group.enumerated() { try insert(item.searchEntry, item.key, at: first + Int64(number) * step) }
    }

    private func insert(_ searchEntry: SearchEntry, _ key: SearchEntryKey, at label: Int64) throws(SourceFault) {
        try run(
            "INSERT INTO spot (label, kind, item, unplayed, sort, hash, words) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                .int(label), .text(key.kind.rawValue), .int(key.item), .int(searchEntry.unplayed), .text(searchEntry.sort),
                .int(searchEntry.hash),
                .text(searchEntry.words),
            ])
        try run("INSERT INTO found (rowid, words) VALUES (?, ?)", [.int(label), .text(searchEntry.words)])
        labels.written += 1
    }

    private func appendUnordered(_ group: ArraySlice<(key: SearchEntryKey, searchEntry: SearchEntry)>) throws(SourceFault) {
        var label = max(LabelNotes.firstUnordered, try first("SELECT max(label) FROM spot") { $0.int64(0) } ?? 0)
        for item in group {
            label += 1
            labels.unordered += 1
            try insert(item.searchEntry, item.key, at: label)
        }
        if seen.scan == nil, labels.unordered > LabelNotes.mostUnordered { try relabelAll() }
    }

    func countUnordered() throws(SourceFault) -> LabelNotes {
        LabelNotes(
            unordered: try first("SELECT count(*) FROM spot WHERE label >= ?", [.int(LabelNotes.firstUnordered)]) { $0.int(0) } ?? 0)
    }

    /// Gives every row a label with gaps around it, and builds the index from the rows.
    func relabelAll() throws(SourceFault) {
        let count = try first("SELECT count(*) FROM spot") { $0.int64(0) } ?? 0
        // All rows are written again in order, since changing each label in place costs twice as much.
        try run("DROP TABLE IF EXISTS temp.laid")
        try run(
            """
            CREATE TEMP TABLE laid AS SELECT kind, item, unplayed, sort, hash, words FROM spot ORDER BY unplayed, sort, hash, kind, item
            """)
        try run("DELETE FROM spot")
        try run(
            """
            INSERT INTO spot (label, kind, item, unplayed, sort, hash, words)
            SELECT ?1 + rowid * ?2, kind, item, unplayed, sort, hash, words FROM temp.laid ORDER BY rowid
            """, [.int(LabelNotes.first - count / 2 * LabelNotes.step), .int(LabelNotes.step)])
        try run("DROP TABLE temp.laid")
        try run("INSERT INTO found (found) VALUES ('rebuild')")
        self.labels.unordered = 0
        self.labels.written = LabelNotes.mostPieces + 1
    }

    /// Merges the index after many writes, so that a word is looked up in one place.
    func joinIndex() throws(SourceFault) {
        guard labels.written > LabelNotes.mostPieces else { return }
        try run("INSERT INTO found (found) VALUES ('optimize')")
        try run("INSERT INTO song_found (song_found) VALUES ('optimize')")
        labels.written = 0
    }
}

extension SearchEntry {
    init(unplayed: Int, sort: String, hash: Int64, words: String) {
        self.unplayed = unplayed
        self.sort = sort
        self.hash = hash
        self.words = words
    }

    /// Compares bytes, as SQLite does.
    func precedes(_ other: SearchEntry) -> Bool {
        if unplayed != other.unplayed { return unplayed < other.unplayed }
        if sort != other.sort { return sort.utf8.lexicographicallyPrecedes(other.sort.utf8) }
        return hash < other.hash
    }
}
