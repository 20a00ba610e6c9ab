/// Rows as people see them: the columns of each kind of row, and how they are read.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import SQLite

/// A table that rows of items come from.
struct RowShape: Sendable {
    /// The columns to read, and the tables to join if `main` is the first one.
    var columns: String
    var main: String
    var joins: String
    let read: @Sendable (Row) -> ItemRow
    var width: Int32

    static let track = RowShape(
        columns: """
            track.name, track.title, track.artists, track.album, track.album_artist, track.disc, track.track, track.year,
            track.duration_ms, track.favourite, track.stars, track.plays, track.played_ms, track.is_gone + track.is_away,
            picture.name, width, height, ground, accent, track.kind, track.narrators, track.series, track.number
            """,
        main: "track", joins: "LEFT JOIN picture ON picture.id = track.picture",
        read: { row in
            var tags = Tags(title: row.text(1), artists: NameList.split(row.text(2)), durationMs: row.maybeTime(8))
            tags.album = row.text(3)
            tags.albumArtist = row.text(4)
            tags.number(disc: row.int(5), track: row.int(6), year: row.int(7))
            tags.art = row.artwork(14)
            tags.kind = ItemKind(rawValue: row.text(19)) ?? .track
            let played = row.time(12)
            var item = ItemRow(
                uri: ItemURI("lib:track/" + row.text(0)), tags: tags,
                mark: ItemMark(isFavourite: row.flag(9), stars: row.int(10), plays: row.int(11), lastPlayedMs: played > 0 ? played : nil),
                isAway: row.flag(13))
            item.takeBook(row.book(20, of: tags.kind))
            return item
        }, width: 23)

    /// A container without its marks, which are looked up for a whole page at a time.
    static let holder = RowShape(
        columns: "holder.kind, hash, title, artist, holder.year, tracks, picture.name, width, height, ground, accent, holder.plays",
        main: "holder", joins: "LEFT JOIN picture ON picture.id = holder.picture",
        read: { row in
            let kind = row.text(0)
            var tags = Tags(title: row.text(2))
            tags.kind = ItemKind(rawValue: kind) ?? .album
            if tags.kind == .album {
                tags.albumArtist = row.text(3)
                tags.artists = tags.albumArtist.isEmpty ? [] : [tags.albumArtist]
                tags.number(year: row.int(4))
            }
            tags.art = row.artwork(6)
            return ItemRow(
                uri: ItemURI("lib:\(kind)/" + LibraryDatabase.hex(UInt64(bitPattern: row.int64(1)))), tags: tags, count: row.int(5),
                mark: ItemMark(plays: row.int(11)))
        }, width: 12)

    static let year = RowShape(
        columns: "release_year.id, tracks", main: "release_year", joins: "",
        read: { row in
            let year = String(row.int(0))
            var tags = Tags(title: year)
            tags.kind = .year
            return ItemRow(uri: ItemURI("lib:year/" + year), tags: tags, count: row.int(1))
        }, width: 2)

    static let folder = RowShape(
        columns: "hash, name, tracks, problem IS NOT NULL, folder.path", main: "folder", joins: "",
        read: { row in
            var tags = Tags(title: row.text(1).isEmpty ? row.text(4) : row.text(1))
            tags.kind = .folder
            return ItemRow(
                uri: ItemURI("lib:folder/" + LibraryDatabase.hex(UInt64(bitPattern: row.int64(0)))), tags: tags, count: row.int(2),
                isAway: row.flag(3))
        }, width: 5)

    /// Items that people have marked or played, of any source. An item that is in the library shows the library's current texts.
    static let item = RowShape(
        columns: """
            uri, coalesce(track.kind, item.kind), coalesce(track.title, item.title), coalesce(track.artists, item.artists), coalesce(track.album, item.album),
            coalesce(track.album_artist, item.album_artist), coalesce(track.disc, item.disc), coalesce(track.track, item.track),
            coalesce(track.year, item.year), coalesce(track.duration_ms, item.duration_ms), favourite_ms > 0, item.stars, item.plays,
            item.played_ms, CASE WHEN track.id IS NOT NULL THEN track.is_gone + track.is_away ELSE uri LIKE 'lib:track/%' END,
            coalesce(picture.name, art), coalesce(width, art_width), coalesce(height, art_height), ground, accent,
            coalesce(narrators, ''), coalesce(series, ''), coalesce(number, '')
            """,
        main: "item",
        joins: "LEFT JOIN track ON track.item = item.id LEFT JOIN picture ON picture.id = track.picture",
        read: { row in
            var tags = Tags(title: row.text(2), artists: NameList.split(row.text(3)), durationMs: row.maybeTime(9))
            tags.kind = ItemKind(rawValue: row.text(1)) ?? .track
            tags.album = row.text(4)
            tags.albumArtist = row.text(5)
            tags.number(disc: row.int(6), track: row.int(7), year: row.int(8))
            tags.art = row.artwork(15)
            let played = row.time(13)
            var item = ItemRow(
                uri: ItemURI(row.text(0)), tags: tags,
                mark: ItemMark(isFavourite: row.flag(10), stars: row.int(11), plays: row.int(12), lastPlayedMs: played > 0 ? played : nil),
                isAway: row.flag(14))
            item.takeBook(row.book(20, of: tags.kind))
            return item
        }, width: 23)

    static let playlist = RowShape(
        columns: "hash, name, entries", main: "playlist", joins: "",
        read: { row in
            var tags = Tags(title: row.text(1))
            tags.kind = .playlist
            return ItemRow(
                uri: PlaylistID(LibraryDatabase.short(UInt64(bitPattern: row.int64(0)))).uri, tags: tags,
                count: row.isNull(2) ? nil : row.int(2))
        }, width: 3)

    /// The row, with the room, time and person of the play from the columns behind its own.
    func played(_ row: Row) -> PlayedRow {
        PlayedRow(row: read(row), room: RoomID(row.text(width)), atMs: row.time(width + 1), askedBy: row.maybeText(width + 2))
    }

    static func shelf(_ name: String, _ title: String, count: Int?) -> ItemRow {
        container(ItemURI("lib:shelf/" + name), titled: title, count: count)
    }

    static func container(_ uri: ItemURI, titled title: String, count: Int? = nil) -> ItemRow {
        var tags = Tags(title: title)
        tags.kind = .shelf
        return ItemRow(uri: uri, tags: tags, count: count)
    }

    static func of(_ kind: ItemKind) -> RowShape {
        switch kind {
        case .album, .artist, .composer, .genre, .label, .series, .author, .narrator: holder
        case .year: year
        case .folder: folder
        case .playlist: playlist
        case .track, .chapter, .station, .generation, .episode, .book, .podcast, .shelf: track
        }
    }
}

extension LibraryDatabase {
    func row(_ kind: ItemKind, _ id: Int64) throws(SourceFault) -> ItemRow? {
        let shape = RowShape.of(kind)
        return try first("SELECT \(shape.columns) FROM \(shape.main) \(shape.joins) WHERE \(shape.main).id = ?", [.int(id)], as: shape.read)
    }

    /// Rows of the items that still exist, in the given order.
    func rows(_ keys: [SearchEntryKey]) throws(SourceFault) -> [ItemRow] {
        guard var shown else { return try read(keys).compactMap(\.self) }
        self.shown = ShownRows()
        let fresh = keys.filter { shown.rows[$0] == nil }
        shown.store(zip(fresh, try read(fresh)), beside: keys)
        self.shown = shown
        return keys.compactMap { shown.rows[$0] }
    }

    /// Reads with one query for each table.
    private func read(_ keys: [SearchEntryKey]) throws(SourceFault) -> [ItemRow?] {
        var rows = [ItemRow?](repeating: nil, count: keys.count)
        for shape in [RowShape.track, .holder, .folder, .playlist] {
            let places = keys.indices.filter { RowShape.of(keys[$0].kind).main == shape.main }
            guard !places.isEmpty else { continue }
            let numbers = places.map { String(keys[$0].item) }.joined(separator: ",")
            try each(
                """
                SELECT \(shape.columns), wanted.key FROM json_each(?) AS wanted
                CROSS JOIN \(shape.main) ON \(shape.main).id = wanted.value \(shape.joins)
                """, [.text("[" + numbers + "]")]
            ) { rows[places[$0.int(shape.width)]] = shape.read($0) }
        }
        let there = rows.indices.filter { rows[$0] != nil }
        for (place, row) in zip(there, try marked(there.compactMap { rows[$0] })) { rows[place] = row }
        return rows
    }

    /// Adds the marks of albums, artists and other containers. Marks of tracks are in their rows.
    func marked(_ rows: [ItemRow]) throws(SourceFault) -> [ItemRow] {
        var rows = rows
        let places = rows.indices.filter { rows[$0].tags.kind != .track }
        guard !places.isEmpty else { return rows }
        var names = JSONWriter()
        names.array { list in for place in places { list.string(rows[place].uri.text) } }
        try each(
            """
            SELECT wanted.key, favourite_ms > 0, stars FROM json_each(?) AS wanted CROSS JOIN item ON item.uri = wanted.value
            """, [.text(String(decoding: names.finish(), as: UTF8.self))]
        ) { row in
            rows[places[row.int(0)]].mark.isFavourite = row.flag(1)
            rows[places[row.int(0)]].mark.stars = row.int(2)
        }
        return rows
    }
}

/// Rows that were shown recently. A search with one more letter mostly finds rows of the search before.
struct ShownRows {
    private(set) var rows: [SearchEntryKey: ItemRow] = [:]
    private var changes = -1
    private static let most = 512

    /// Drops all rows after any change.
    mutating func begin(_ changes: Int) {
        guard self.changes != changes else { return }
        self.changes = changes
        rows = [:]
    }

    /// Keeps only this page's rows if there are too many.
    mutating func store(_ new: some Sequence<(SearchEntryKey, ItemRow?)>, beside page: [SearchEntryKey]) {
        if rows.count + page.count > Self.most {
            let wanted = Set(page)
            rows = rows.filter { wanted.contains($0.key) }
        }
        for (key, row) in new { rows[key] = row }
    }
}

extension Tags {
    /// Tags in which 0 means that a number is not known.
    mutating func number(disc: Int = 0, track: Int = 0, year: Int = 0) {
        self.disc = disc > 0 ? disc : nil
        self.track = track > 0 ? track : nil
        self.year = year > 0 ? year : nil
    }
}

extension Row {
    /// Three columns: narrators, series and the number in it.
    func book(_ column: Int32, of kind: ItemKind) -> BookTags? {
        guard kind == .book else { return nil }
        let book = BookTags(series: text(column + 1), number: text(column + 2), narrators: NameList.split(text(column)))
        return book == BookTags() ? nil : book
    }

    /// Five columns: name, width, height and two colours.
    func artwork(_ column: Int32) -> Artwork? {
        guard !isNull(column) else { return nil }
        return Artwork(
            id: text(column), width: maybeInt(column + 1), height: maybeInt(column + 2),
            colours: isNull(column + 3) || int(column + 3) < 0 ? [] : [int(column + 3), int(column + 4)])
    }
}

extension ItemRow {
    /// Stores the series of a book in the field for the album, so that a queue entry shows it too.
    fileprivate mutating func takeBook(_ book: BookTags?) {
        self.book = book
        if let book, tags.album.isEmpty { tags.album = book.series }
    }
}
