/// Next books for people, found by the order of a series.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// Limit for each person.
    static let mostUpNext = 100

    func putUpNext(_ entry: NewEntry, for person: Person) throws(SourceFault) {
        let item = try item(entry)
        try run(
            """
            INSERT INTO up_next (person, item, turn) VALUES (?, ?, (SELECT ifnull(max(turn), 0) + 1 FROM up_next WHERE person = ?))
                ON CONFLICT (person, item) DO UPDATE SET turn = excluded.turn
            """, [.text(person.text), .int(item), .text(person.text)])
        let over = try all(
            "SELECT item FROM up_next WHERE person = ? ORDER BY turn DESC LIMIT -1 OFFSET ?", [.text(person.text), .int(Self.mostUpNext)]
        ) { $0.int64(0) }
        for item in over { try run("DELETE FROM up_next WHERE person = ? AND item = ?", [.text(person.text), .int(item)]) }
        try release(Set(over))
    }

    func upNext(for person: Person, _ window: PageWindow) throws(SourceFault) -> [ItemRow] {
        let shape = RowShape.item
        return try all(
            """
            SELECT \(shape.columns) FROM up_next JOIN item ON item.id = up_next.item \(shape.joins)
            WHERE person = ? ORDER BY turn DESC LIMIT ? OFFSET ?
            """, [.text(person.text), .int(max(0, window.limit)), .int(window.boundedFrom)], as: shape.read)
    }

    /// The next book, in the order in which a series is shown.
    func following(_ uri: ItemURI) throws(SourceFault) -> ItemRow? {
        guard let name = Self.trackName(uri) else { return nil }
        let known = try first(
            """
            SELECT track.id, track.place, track.sort_title, holder.id FROM track JOIN member ON member.track = track.id
            JOIN holder ON holder.id = member.holder WHERE track.name = ? AND track.kind = 'book' AND holder.kind = 'series'
            """, [.text(name)]
        ) { (id: $0.int64(0), place: $0.int64(1), title: $0.text(2), series: $0.int64(3)) }
        guard let known else { return nil }
        let shape = RowShape.track
        return try first(
            """
            SELECT \(shape.columns) FROM member JOIN track ON track.id = member.track \(shape.joins)
            WHERE member.holder = ? AND track.is_gone = 0 AND (track.place, track.sort_title, track.id) > (?, ?, ?)
            ORDER BY track.place, track.sort_title, track.id LIMIT 1
            """, [.int(known.series), .int(known.place), .text(known.title), .int(known.id)], as: shape.read)
    }
}
