/// Tracks, and the counts of their folders, albums, artists and genres.
import BatonCore
import BatonSeams
import SQLite

/// The fields of a track that are needed to remove it.
struct StoredTrack {
    var id: Int64
    var part: Int
    var folder: Int64
    var album: Int64?
    var plays: Int
    var isGone: Bool
    var kind: ItemKind
}

extension LibraryDatabase {
    func tracks(of file: FileID) throws(SourceFault) -> [StoredTrack] {
        try all(
            """
            SELECT track.id, part, folder, holder, plays, track.is_gone, track.kind FROM track JOIN file ON file.id = track.file
            WHERE track.file = ? ORDER BY part
            """, [.int(file.number)]
        ) { row in
            StoredTrack(
                id: row.int64(0), part: row.int(1), folder: row.int64(2), album: row.int64(3) > 0 ? row.int64(3) : nil, plays: row.int(4),
                isGone: row.flag(5), kind: ItemKind(rawValue: row.text(6)) ?? .track)
        }
    }

    /// A file that has a row, with the fields that name its tracks.
    struct FileRow {
        var id: FileID
        var folder: Int64
        var hash: UInt64
        var twin: Int
        /// The track of the book that the file belonged to.
        var book: Int64?
        /// Previous tracks, already removed from all counts.
        var tracks: [StoredTrack] = []

        var stem: String { LibraryDatabase.hex(hash) + (twin > 1 ? "-\(twin)" : "") }
    }

    /// The tracks of a file. Existing ones are rewritten and keep their numbers.
    func store(_ facts: [TrackFacts], of file: FileRow, _ scanned: ScannedFile, atMs: Milliseconds) throws(SourceFault) {
        let there = Dictionary(file.tracks.map { ($0.part, $0) }, uniquingKeysWith: { first, _ in first })
        let stem = file.stem
        for (index, facts) in facts.enumerated() {
            let part = facts.startMs == nil && index == 0 ? 0 : index + 1
            let name = part == 0 ? stem : "\(stem)-c\(part)"
            try store(
                facts, at: Indexing(file: file.id, folder: file.folder, part: part, name: name, scanned: scanned), there[part], atMs: atMs)
        }
    }

    /// The file, folder and name in which a track was found.
    struct Indexing {
        var file: FileID
        var folder: Int64
        var part: Int
        var name: String
        var scanned: ScannedFile
    }

    private func store(_ facts: TrackFacts, at place: Indexing, _ there: StoredTrack?, atMs: Milliseconds) throws(SourceFault) {
        let tags = facts.tags
        let fileTitle = Self.title(ofFile: place.scanned.name)
        let title = tags.title.isEmpty ? fileTitle : tags.title
        let artist = tags.artists.first ?? tags.albumArtist
        let album = try album(of: facts, in: place.scanned.folder, atMs: atMs)
        let values: [Value] = [
            .int(place.file.number), .int(place.part), .text(title), .text(NameList.join(tags.artists)), .text(tags.album),
            .text(tags.albumArtist), .int(tags.disc ?? 0), .int(tags.track ?? 0), .int(tags.year ?? 0), .time(tags.durationMs),
            try picture(of: facts, in: place.scanned), .int(album ?? 0),
            .text(Folding.short(facts.sortTitle.isEmpty ? title : facts.sortTitle)),
            .text(Folding.short(facts.sortArtist.isEmpty ? artist : facts.sortArtist)), .blob(TrackMore(facts).packed),
            .text(tags.kind.rawValue), .text(NameList.join(facts.book.narrators)), .text(facts.book.series), .text(facts.book.number),
            .int(tags.kind == .book ? facts.book.numberInSeries : 0),
        ]
        let id: Int64
        var plays = there?.plays ?? 0
        if let there {
            id = there.id
            try run(Self.rewriting, values + [.int(id)])
        } else {
            id = try insert(Self.adding, values + [.text(place.name), .time(atMs)])
            plays = try recall(track: id, named: place.name)
        }
        pending.songs[id] = SongRow(facts, at: place)
        let searchEntry = try attach(
            id, facts: facts, title: title, fileTitle: fileTitle, name: place.name, folder: place.folder, album: album, plays: plays,
            atMs: atMs)
        if there == nil {
            pending.newSearchEntries.append((SearchEntryKey(tags.kind, id), searchEntry))
        } else {
            pending.searchEntries[SearchEntryKey(tags.kind, id)] = searchEntry
        }
    }

    private static let rewriting = """
        UPDATE track SET file = ?, part = ?, title = ?, artists = ?, album = ?, album_artist = ?, disc = ?, track = ?, year = ?,
            duration_ms = ?, picture = ?, holder = ?, sort_title = ?, sort_artist = ?, more = ?, kind = ?, narrators = ?, series = ?, number = ?,
            place = ?, remark = NULL, is_gone = 0, is_away = 0
        WHERE id = ?
        """
    private static let adding = """
        INSERT INTO track (file, part, title, artists, album, album_artist, disc, track, year, duration_ms, picture, holder, sort_title,
            sort_artist, more, kind, narrators, series, number, place, name, added_ms, is_gone, is_away)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)
        """

    /// Adds a track to all counts and returns its search entry.
    private func attach(
        _ id: Int64, facts: TrackFacts, title: String, fileTitle: String, name: String, folder: Int64, album: Int64?, plays: Int,
        atMs: Milliseconds
    ) throws(SourceFault) -> SearchEntry {
        if facts.tags.kind == .track { libraryCounts.tracks += 1 }
        pending.counts[folder, default: 0] += 1
        if let album { pending.grow(album, by: 1, plays: plays, addedMs: atMs) }
        for holder in try holders(of: facts) {
            try run("INSERT OR IGNORE INTO member (holder, track) VALUES (?, ?)", [.int(holder), .int(id)])
            pending.grow(holder, by: 1, plays: plays, addedMs: atMs)
        }
        return SearchEntry(
            plays: plays, sort: facts.sortTitle.isEmpty ? title : facts.sortTitle, name: name,
            texts: facts.tags.kind == .book
                ? [
                    (.bookName, title),
                    (.bookPeople, (facts.tags.artists + facts.book.narrators + [facts.book.series]).joined(separator: " ")),
                ]
                : [
                    (.title, title), (.artist, (facts.tags.artists + [facts.tags.albumArtist]).joined(separator: " ")),
                    (.album, facts.tags.album), (.file, fileTitle),
                ])
    }

    /// Removes a track from all counts; its row stays.
    func detach(_ track: StoredTrack) throws(SourceFault) {
        guard !track.isGone else { return }
        try run("UPDATE track SET is_gone = 1, holder = 0 WHERE id = ?", [.int(track.id)])
        if track.kind == .track { libraryCounts.tracks -= 1 }
        pending.counts[track.folder, default: 0] -= 1
        if let album = track.album { pending.grow(album, by: -1, plays: -track.plays) }
        for holder in try all("SELECT holder FROM member WHERE track = ?", [.int(track.id)], as: { $0.int64(0) }) {
            pending.grow(holder, by: -1, plays: -track.plays)
        }
        try run("DELETE FROM member WHERE track = ?", [.int(track.id)])
        pending.lose(SearchEntryKey(track.kind, track.id))
        pending.songs[track.id] = .some(nil)
    }

    /// Restores the marks of an earlier track with this name, and returns its number of plays.
    private func recall(track: Int64, named name: String) throws(SourceFault) -> Int {
        if pending.hasItems == nil { pending.hasItems = try first("SELECT 1 FROM item LIMIT 1") { _ in true } ?? false }
        guard pending.hasItems == true else { return 0 }
        guard let item = try first("SELECT id FROM item WHERE uri = ?", [.text("lib:track/" + name)], as: { $0.int64(0) }) else { return 0 }
        try run("UPDATE track SET item = ? WHERE id = ?", [.int(item), .int(track)])
        try mirror(item)
        return try first("SELECT plays FROM track WHERE id = ?", [.int(track)]) { $0.int(0) } ?? 0
    }

    /// Copies the marks of an item to its track.
    func mirror(_ item: Int64) throws(SourceFault) {
        try run(
            """
            UPDATE track SET favourite = item.favourite_ms > 0, stars = item.stars, plays = item.plays, played_ms = item.played_ms
            FROM item WHERE item.id = ?1 AND track.item = ?1
            """, [.int(item)])
    }

    // MARK: - Pictures

    private func picture(of facts: TrackFacts, in file: ScannedFile) throws(SourceFault) -> Value {
        guard let art = facts.tags.art, let source = facts.picture else { return .null }
        // One that music has within may get a file of its own.
        if let known = pending.pictures[art.id], known.hasPlace || source.isWithin(file) { return .int(known.id) }
        var path: Value = .null
        var bytes: Value = .null
        switch source {
        case .file(let place): path = .text(place)
        // An embedded picture is read from any file that has it at that time.
        case .embedded where source.isWithin(file): break
        case .embedded(let place): path = .text("\u{1F}" + place)
        case .bytes(let content): bytes = .blob(content)
        }
        return .int(try storePicture(art, path: path, bytes: bytes))
    }

    /// The picture's row. A file of its own stays its place when music has the same picture within, since not all of its tracks need have it.
    func storePicture(_ art: Artwork, path: Value, bytes: Value = .null) throws(SourceFault) -> Int64 {
        try run(
            """
            INSERT INTO picture (name, width, height, path, bytes) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET path = excluded.path WHERE excluded.path IS NOT NULL
            """, [.text(art.id), .maybe(art.width), .maybe(art.height), path, bytes])
        let found = try first("SELECT id, path IS NOT NULL OR bytes IS NOT NULL FROM picture WHERE name = ?", [.text(art.id)]) { row in
            (id: row.int64(0), hasPlace: row.flag(1))
        }
        let id = found?.id ?? 0
        pending.pictures[art.id] = (id, found?.hasPlace ?? false)
        return id
    }

    // MARK: - Names

    static func hex(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The number in base 36, which is short.
    static func short(_ hash: UInt64) -> String { String(hash, radix: 36) }

    static func title(ofFile name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}

extension PictureSource {
    fileprivate func isWithin(_ file: ScannedFile) -> Bool {
        guard case .embedded(let place) = self else { return false }
        return place == file.folder + "/" + file.name
    }
}
