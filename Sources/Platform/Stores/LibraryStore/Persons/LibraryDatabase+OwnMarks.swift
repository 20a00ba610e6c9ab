/// Marks of users. The hub's own marks are in `item`; those of users have a table of their own, which no index of the library covers.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    func setFavourite(_ entry: NewEntry, _ isFavourite: Bool, of person: Person, atMs: Milliseconds) throws(SourceFault) -> Bool {
        let was = try ownMark(of: entry.uri, person)?.isFavourite ?? false
        guard was != isFavourite else { return false }
        try entry.checkMark(isSet: isFavourite)
        try setOwn("favourite_ms", to: isFavourite ? max(1, atMs.count) : 0, of: entry, by: person)
        return true
    }

    func setStars(_ entry: NewEntry, _ stars: Int, of person: Person) throws(SourceFault) -> Bool {
        try Self.check(stars: stars)
        let was = try ownMark(of: entry.uri, person)?.stars ?? 0
        guard was != stars else { return false }
        try entry.checkMark(isSet: stars > 0)
        try setOwn("stars", to: Int64(stars), of: entry, by: person)
        return true
    }

    /// `column` is a constant of this file, never a text from outside.
    private func setOwn(_ column: String, to value: Int64, of entry: NewEntry, by person: Person) throws(SourceFault) {
        let item = try item(entry)
        try run("INSERT OR IGNORE INTO own_mark (person, item) VALUES (?, ?)", [.text(person.text), .int(item)])
        try run("UPDATE own_mark SET \(column) = ? WHERE person = ? AND item = ?", [.int(value), .text(person.text), .int(item)])
        try run(
            "DELETE FROM own_mark WHERE person = ? AND item = ? AND favourite_ms = 0 AND stars = 0 AND plays = 0",
            [.text(person.text), .int(item)])
        try release([item])
        libraryCounts.libraryRevision += 1
    }

    func notePlayed(_ entry: NewEntry, by person: Person, room: RoomID, atMs: Milliseconds) throws(SourceFault) {
        let item = try item(entry)
        try run(
            """
            INSERT INTO own_mark (person, item, plays, played_ms) VALUES (?1, ?2, 1, ?3)
            ON CONFLICT (person, item) DO UPDATE SET plays = plays + 1, played_ms = max(played_ms, ?3)
            """, [.text(person.text), .int(item), .time(atMs)])
        try storePlay(of: item, entry, by: person, room: room, atMs: atMs)
        libraryCounts.libraryRevision += 1
    }

    private func ownMark(of uri: ItemURI, _ person: Person) throws(SourceFault) -> ItemMark? {
        try first(
            """
            SELECT own_mark.favourite_ms > 0, own_mark.stars, own_mark.plays, own_mark.played_ms
            FROM item JOIN own_mark ON own_mark.item = item.id AND own_mark.person = ? WHERE uri = ?
            """, [.text(person.text), .text(uri.text)]
        ) { row in
            let played = row.time(3)
            return ItemMark(isFavourite: row.flag(0), stars: row.int(1), plays: row.int(2), lastPlayedMs: played > 0 ? played : nil)
        }
    }

    func marks(of uris: [ItemURI], by person: Person) throws(SourceFault) -> [ItemURI: ItemMark] {
        var marks: [ItemURI: ItemMark] = [:]
        for uri in uris { marks[uri] = try ownMark(of: uri, person) }
        return marks
    }

    func markedByAny(_ uris: [ItemURI]) throws(SourceFault) -> Set<ItemURI> {
        var marked: Set<ItemURI> = []
        for uri in uris {
            let isMarked = try first(
                """
                SELECT 1 FROM item JOIN own_mark ON own_mark.item = item.id
                WHERE uri = ? AND (own_mark.favourite_ms > 0 OR own_mark.stars > 0) LIMIT 1
                """, [.text(uri.text)]
            ) { _ in true }
            if isMarked == true { marked.insert(uri) }
        }
        return marked
    }

    func marked(
        _ shelf: OwnShelf, by person: Person, sortedBy sort: BrowseQuery.Sort?, _ window: PageWindow
    ) throws(SourceFault) -> ItemPage {
        let shape = RowShape.owned
        let (filter, own) = shelf.terms
        let order = sort.flatMap { OwnShelf.orders[$0] } ?? own
        let from = window.offset
        let rows = try all(
            """
            SELECT \(shape.columns) FROM \(shape.main) \(shape.joins)
            WHERE own_mark.person = ? AND \(filter) ORDER BY \(order) LIMIT ? OFFSET ?
            """, [.text(person.text), .int(max(1, window.limit)), .int(from)], as: shape.read)
        let total = try first("SELECT count(*) FROM own_mark WHERE person = ? AND \(filter)", [.text(person.text)]) { $0.int(0) } ?? 0
        let end = from + rows.count
        return ItemPage(rows, cursor: end < total && !rows.isEmpty ? String(end) : nil, total: total)
    }
}

extension LibraryDatabase {
    /// Entries to play from a shelf of a user.
    func expand(_ shelf: OwnShelf, by person: Person, most: Int) throws(SourceFault) -> [NewEntry] {
        let page = try marked(shelf, by: person, sortedBy: nil, PageWindow(limit: most))
        return try opened(page.rows.map { NewEntry(uri: $0.uri, tags: $0.tags) }, most: most, for: person)
    }
}

extension OwnShelf {
    fileprivate var terms: (filter: String, order: String) {
        switch self {
        case .favourites: ("own_mark.favourite_ms > 0", Self.falling("own_mark.favourite_ms"))
        case .recent: ("own_mark.plays > 0", Self.falling("own_mark.played_ms"))
        case .most: ("own_mark.plays > 0", Self.falling("own_mark.plays"))
        }
    }

    /// Orders of the corresponding shelves of the hub.
    fileprivate static let orders: [BrowseQuery.Sort: String] = [
        .name: "item.title, item.id", .artist: "item.artists, item.title, item.id", .year: falling("item.year"),
        .played: falling("own_mark.played_ms"), .plays: falling("own_mark.plays"), .stars: falling("own_mark.stars"),
    ]

    private static func falling(_ column: String) -> String { "\(column) DESC, own_mark.item DESC" }
}

extension RowShape {
    /// Like `item`, with the marks of a user.
    fileprivate static let owned = RowShape(
        columns: item.columns.replacing("favourite_ms > 0", with: "own_mark.favourite_ms > 0")
            .replacing("item.stars", with: "own_mark.stars").replacing("item.plays", with: "own_mark.plays")
            .replacing("item.played_ms", with: "own_mark.played_ms"),
        main: "own_mark", joins: "JOIN item ON item.id = own_mark.item \(item.joins)", read: item.read, width: item.width)
}
