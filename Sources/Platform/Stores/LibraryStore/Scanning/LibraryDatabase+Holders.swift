/// Holders of tracks: albums, artists, composers, genres and labels. Each is created with its first track and deleted with its last.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    struct Holder {
        var kind: ItemKind
        var key: String
        var title: String
        var artist = ""
        var sort = ""
        var sortArtist = ""
    }

    /// An album is identified by its title and owner: its artist, “various artists”, or its folder. So two albums called “Greatest Hits”
    /// stay apart, and two discs of one album stay together.
    func album(of facts: TrackFacts, in folder: String, atMs: Milliseconds) throws(SourceFault) -> Int64? {
        let tags = facts.tags
        guard !tags.album.isEmpty else { return nil }
        let whose =
            !tags.albumArtist.isEmpty
            ? Self.key(tags.albumArtist) : facts.isCompilation ? "\u{1E}various" : "\u{1E}" + Self.albumFolder(folder)
        return try holder(
            Holder(
                kind: .album, key: Self.key(tags.album) + "\u{1F}" + whose, title: tags.album,
                artist: !tags.albumArtist.isEmpty ? tags.albumArtist : facts.isCompilation ? Self.various : "",
                sort: facts.sortAlbum, sortArtist: facts.sortAlbumArtist))
    }

    static let various = "Various Artists"

    /// The artists of a track, each once, and its composers, genres and labels.
    func holders(of facts: TrackFacts) throws(SourceFault) -> [Int64] {
        if facts.tags.kind == .book { return try holders(ofBook: facts) }
        var ids: [Int64] = []
        let artists = facts.tags.artists.flatMap(FeaturedNames.artists)
        let guests = FeaturedNames.guests(ofTitle: facts.tags.title)
        // A sort name belongs to a single artist; with several it is unclear which one.
        let sort = artists.count == 1 ? facts.sortArtist : ""
        for (index, artist) in (artists + [facts.tags.albumArtist] + guests).enumerated() where !artist.isEmpty {
            let own = index == 0 ? sort : index == artists.count ? facts.sortAlbumArtist : ""
            ids.append(try holder(Holder(kind: .artist, key: Self.key(artist), title: artist, sort: own)))
        }
        for (kind, names) in [(ItemKind.composer, facts.composers), (.genre, facts.genres), (.label, facts.labels)] {
            for name in names where !name.isEmpty { ids.append(try holder(Holder(kind: kind, key: Self.key(name), title: name))) }
        }
        var met = Set<Int64>()
        return ids.filter { met.insert($0).inserted }
    }

    /// Authors and narrators of a book, each once, and its series. Books are in none of the music lists.
    private func holders(ofBook facts: TrackFacts) throws(SourceFault) -> [Int64] {
        var met = Set<Int64>()
        let named = [(ItemKind.author, facts.tags.artists), (.narrator, facts.book.narrators), (.series, [facts.book.series])]
        for (kind, names) in named {
            for name in names where !name.isEmpty { met.insert(try holder(Holder(kind: kind, key: Self.key(name), title: name))) }
        }
        return met.sorted()
    }

    private func holder(_ new: Holder) throws(SourceFault) -> Int64 {
        let key = new.kind.rawValue + new.key
        if let known = pending.holders[key] { return known }
        let kind = Value.text(new.kind.rawValue)
        if let known = try first("SELECT id FROM holder WHERE kind = ? AND key = ?", [kind, .text(new.key)], as: { $0.int64(0) }) {
            pending.holders[key] = known
            return known
        }
        let id = try nextHolder()
        pending.holders[key] = id
        pending.newHolders[id] = new
        pending.grow(id, by: 0)
        count(new.kind, 1)
        return id
    }

    private func nextHolder() throws(SourceFault) -> Int64 {
        var last = pending.lastHolder
        if last == nil { last = try first("SELECT max(id) FROM holder") { $0.int64(0) } }
        let id = (last ?? 0) + 1
        pending.lastHolder = id
        return id
    }

    private func count(_ kind: ItemKind, _ change: Int) {
        if kind == .album { libraryCounts.albums += change }
        if kind == .artist { libraryCounts.artists += change }
    }

    // MARK: - At the end of a transaction

    func writePending() throws(SourceFault) {
        try writeCounts()
        for (holder, growth) in pending.growth.sorted(by: { $0.key < $1.key }) {
            if let new = pending.newHolders[holder] {
                try insert(new, at: holder, growth)
            } else {
                try write(growth, of: holder)
            }
        }
        try writeSearchEntries(pending.searchEntries, pending.newSearchEntries)
        try writeSongs()
        if pending.ordersSongFolders { try orderSongFolders() }
        pending = Pending()
    }

    /// Inserts the row once, complete, because each write touches eight indexes.
    private func insert(_ new: Holder, at id: Int64, _ growth: Pending.Growth) throws(SourceFault) {
        guard growth.tracks > 0 else { return count(new.kind, -1) }
        let kind = Value.text(new.kind.rawValue)
        let hash = try freeHash(of: new.kind.rawValue + new.key) { number throws(SourceFault) in
            try first("SELECT 1 FROM holder WHERE kind = ? AND hash = ?", [kind, .int(number)]) { _ in true } == nil
        }
        var new = new
        if Self.isNameless(new.key) {
            new.artist = try artist(ofAlbum: id)
            new.sortArtist = ""
        }
        let sort = Folding.short(new.sort.isEmpty ? new.title : new.sort)
        try run(
            new.kind == .album ? Self.addingAlbum : Self.addingHolder,
            [
                .int(id), kind, .text(new.key), .int(hash), .text(new.title), .text(new.artist), .text(Folding.short(new.title)),
                .text(sort), .text(Folding.short(new.sortArtist.isEmpty ? new.artist : new.sortArtist)), .int(growth.tracks),
                .int(growth.plays),
                .time(growth.addedMs),
            ])
        pending.newSearchEntries.append(
            (
                SearchEntryKey(new.kind, id),
                SearchEntry(new.kind, titled: new.title, by: new.artist, sort: sort, plays: growth.plays, hash: hash)
            ))
    }

    private static let addingHolder = """
        INSERT INTO holder (id, kind, key, hash, title, artist, fold, sort, sort_artist, tracks, plays, added_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, max(0, ?), ?)
        """
    /// An album takes picture and year from its first track that has them.
    private static let picture = "(SELECT picture FROM track WHERE holder = ?1 AND picture IS NOT NULL ORDER BY disc, track, id LIMIT 1)"
    private static let year = "coalesce((SELECT year FROM track WHERE holder = ?1 AND year > 0 ORDER BY disc, track, id LIMIT 1), 0)"
    private static let addingAlbum = """
        INSERT INTO holder (id, kind, key, hash, title, artist, fold, sort, sort_artist, tracks, plays, added_ms, picture, year)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, max(0, ?11), ?12, \(picture), \(year))
        """

    private func write(_ growth: Pending.Growth, of id: Int64) throws(SourceFault) {
        let row = try first("SELECT kind, tracks, key FROM holder WHERE id = ?", [.int(id)]) { row in
            (kind: ItemKind(rawValue: row.text(0)) ?? .album, tracks: row.int(1), key: row.text(2))
        }
        guard let row else { return }
        guard row.tracks + growth.tracks > 0 else {
            try run("DELETE FROM holder WHERE id = ?", [.int(id)])
            pending.searchEntries[SearchEntryKey(row.kind, id)] = .some(nil)
            return count(row.kind, -1)
        }
        // Separate statements, since each column that is set is removed from its index and inserted again.
        try run("UPDATE holder SET tracks = tracks + ? WHERE id = ?", [.int(growth.tracks), .int(id)])
        try run("UPDATE holder SET added_ms = ?1 WHERE id = ?2 AND added_ms < ?1", [.time(growth.addedMs), .int(id)])
        if growth.plays != 0 { try run("UPDATE holder SET plays = max(0, plays + ?) WHERE id = ?", [.int(growth.plays), .int(id)]) }
        if row.kind == .album { try describeAlbum(id, row.key) }
        pending.searchEntries[SearchEntryKey(row.kind, id)] = try searchEntry(ofHolder: id)
    }

    private func describeAlbum(_ id: Int64, _ key: String) throws(SourceFault) {
        try run(
            "UPDATE holder SET picture = \(Self.picture), year = \(Self.year) WHERE id = ?1 AND (picture, year) IS NOT (\(Self.picture), \(Self.year))",
            [.int(id)])
        guard Self.isNameless(key) else { return }
        let artist = try artist(ofAlbum: id)
        try run(
            "UPDATE holder SET artist = ?1, sort_artist = ?2 WHERE id = ?3 AND artist <> ?1",
            [.text(artist), .text(Folding.short(artist)), .int(id)])
    }

    /// The artist of an album without one: the artist that all its tracks share.
    private func artist(ofAlbum id: Int64) throws(SourceFault) -> String {
        let artists = try all("SELECT DISTINCT artists FROM track WHERE holder = ? LIMIT 2", [.int(id)]) { $0.text(0) }
        return artists.count == 1 ? NameList.split(artists[0]).joined(separator: ", ") : Self.various
    }

    func searchEntry(ofHolder id: Int64) throws(SourceFault) -> SearchEntry? {
        try first("SELECT kind, title, artist, sort, plays, hash FROM holder WHERE id = ?", [.int(id)]) { row in
            SearchEntry(
                ItemKind(rawValue: row.text(0)) ?? .album, titled: row.text(1), by: row.text(2), sort: row.text(3), plays: row.int(4),
                hash: row.int64(5))
        }
    }

    // MARK: - Keys

    /// Whether the album has no artist and is told apart by its folder alone.
    private static func isNameless(_ key: String) -> Bool { key.firstRange(of: "\u{1F}\u{1E}/") != nil }

    /// Names that fold to an empty text are compared unfolded.
    static func key(_ name: String) -> String {
        let folded = Folding.fold(name)
        return folded.isEmpty ? name : folded
    }

    /// Folders of single discs belong to the album above.
    private static func albumFolder(_ folder: String) -> String {
        let name = folder[(folder.lastIndex(of: "/").map(folder.index(after:)) ?? folder.startIndex)...]
        let words = Folding.fold(String(name))
        let isDisc = ["cd", "disc", "disk"].contains { word in
            words.hasPrefix(word) && words.dropFirst(word.count).allSatisfy { $0.isNumber || $0 == " " } && words.count > word.count
        }
        return isDisc ? parent(of: folder) ?? folder : folder
    }

    /// A number from the name, equal in every library. If it is taken, the next one is tried.
    func freeHash(of key: String, _ isFree: (Int64) throws(SourceFault) -> Bool) throws(SourceFault) -> Int64 {
        var hash = Int64(bitPattern: StableHash.of(key))
        while try !isFree(hash) { hash &+= 1 }
        return hash
    }
}

extension SearchEntry {
    /// The entry of a holder of tracks.
    init(_ kind: ItemKind, titled title: String, by artist: String, sort: String, plays: Int, hash: Int64) {
        self.init(plays: plays, sort: sort, name: "\(hash)", texts: [(Mark.name(of: kind), title), (.albumArtist, artist)])
    }
}
