/// Places of people in spoken items: the positions to resume from. The texts of an item are stored as long as it has a place.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// Limit for all people together. Above it, the items that were heard least recently lose their places.
    static let mostPlaces = 20_000

    func places(of person: Person, in uri: ItemURI) throws(SourceFault) -> Places {
        let packed = try first(
            "SELECT places FROM place JOIN item ON item.id = place.item WHERE person = ? AND uri = ?",
            [.text(person.text), .text(uri.text)]
        ) { $0.blob(0) }
        return packed.flatMap { Places(packed: $0) } ?? Places()
    }

    typealias StoredPlaces = (change: Places.Change, places: Places)

    func change(
        _ entry: NewEntry, of person: Person,
        _ body: (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> StoredPlaces {
        let known = try known(entry.uri, of: person)
        let before = known?.places ?? Places()
        let kept = try Self.changed(before, durationMs: entry.tags.durationMs ?? known?.durationMs, by: body)
        if kept.places != before { try store(kept.places, of: person, in: try item(entry), isNew: known?.places == nil) }
        return kept
    }

    /// `nil` if the person has no place in the item.
    func change(
        known uri: ItemURI, of person: Person,
        _ body: (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> StoredPlaces? {
        guard let known = try known(uri, of: person), let before = known.places else { return nil }
        let kept = try Self.changed(before, durationMs: known.durationMs, by: body)
        if kept.places != before { try store(kept.places, of: person, in: known.item, isNew: false) }
        return kept
    }

    private struct KnownItem {
        var item: Int64
        var durationMs: Milliseconds?
        /// `nil` if the person has no place in the item.
        var places: Places?
    }

    private func known(_ uri: ItemURI, of person: Person) throws(SourceFault) -> KnownItem? {
        try first(
            """
            SELECT item.id, item.duration_ms, place.places FROM item LEFT JOIN place ON place.item = item.id AND place.person = ?
            WHERE item.uri = ?
            """, [.text(person.text), .text(uri.text)]
        ) {
            KnownItem(item: $0.int64(0), durationMs: $0.maybeTime(1), places: $0.isNull(2) ? nil : Places(packed: $0.blob(2)) ?? Places())
        }
    }

    private static func changed(
        _ before: Places, durationMs: Milliseconds?, by body: (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> StoredPlaces {
        var places = before
        let change: Places.Change
        do throws(Refusal) { change = try body(&places, durationMs) } catch { throw SourceFault(error) }
        return (change, places)
    }

    private func store(_ places: Places, of person: Person, in item: Int64, isNew: Bool) throws(SourceFault) {
        let place = places.current
        try run(
            """
            INSERT INTO place (person, item, turn, position_ms, is_finished, places)
                VALUES (?, ?, (SELECT ifnull(max(turn), 0) + 1 FROM place), ?, ?, ?)
                ON CONFLICT (person, item) DO UPDATE SET turn = excluded.turn, position_ms = excluded.position_ms,
                    is_finished = excluded.is_finished, places = excluded.places
            """,
            [
                .text(person.text), .int(item), .time(place?.positionMs ?? 0), .flag(place?.isFinished ?? false), .blob(places.packed),
            ])
        // A started book moves to another shelf.
        try run("DELETE FROM up_next WHERE person = ? AND item = ?", [.text(person.text), .int(item)])
        if isNew { try forgetOldest() }
    }

    private func forgetOldest() throws(SourceFault) {
        let last = try first("SELECT turn FROM place ORDER BY turn DESC LIMIT 1 OFFSET ?", [.int(Self.mostPlaces)]) { $0.int64(0) }
        guard let last else { return }
        let items = try all("SELECT item FROM place WHERE turn <= ?", [.int(last)]) { $0.int64(0) }
        try run("DELETE FROM place WHERE turn <= ?", [.int(last)])
        try release(Set(items))
    }

    // MARK: - Lists

    func placed(by person: Person, in uri: ItemURI) throws(SourceFault) -> ItemWithPlaces? {
        let shape = RowShape.item
        return try first(
            """
            SELECT \(shape.columns), places FROM place JOIN item ON item.id = place.item \(shape.joins) WHERE person = ? AND uri = ?
            """, [.text(person.text), .text(uri.text)]
        ) { ItemWithPlaces(row: shape.read($0), places: Places(packed: $0.blob(shape.width)) ?? Places()) }
    }

    func begun(atMost count: Int) throws(SourceFault) -> [BegunItem] {
        let found = try all(
            """
            SELECT person, uri, places FROM place JOIN item ON item.id = place.item WHERE is_finished = 0 AND position_ms > 0
            ORDER BY turn DESC LIMIT ?
            """, [.int(count)]
        ) { (person: $0.text(0), uri: $0.text(1), place: Places(packed: $0.blob(2))?.current) }
        return found.compactMap { row in
            row.place.map { place in
                BegunItem(
                    person: Person(row.person), uri: ItemURI(row.uri), point: ResumePoint(positionMs: place.positionMs, atMs: place.atMs))
            }
        }
    }

    func placed(by person: Person, isFinished: Bool, _ window: PageWindow) throws(SourceFault) -> [ItemWithPlaces] {
        let shape = RowShape.item
        return try all(
            """
            SELECT \(shape.columns), places FROM place JOIN item ON item.id = place.item \(shape.joins)
            WHERE person = ? AND is_finished = ? AND (is_finished OR position_ms > 0) ORDER BY turn DESC LIMIT ? OFFSET ?
            """, [.text(person.text), .flag(isFinished), .int(max(0, window.limit)), .int(window.boundedFrom)]
        ) { ItemWithPlaces(row: shape.read($0), places: Places(packed: $0.blob(shape.width)) ?? Places()) }
    }

    func finished(among uris: [ItemURI]) throws(SourceFault) -> Set<ItemURI> {
        var finished: Set<ItemURI> = []
        for uri in uris {
            let isFinished = try first(
                """
                SELECT min(is_finished OR position_ms = 0) AND max(is_finished) FROM place JOIN item ON item.id = place.item WHERE uri = ?
                """, [.text(uri.text)]
            ) { !$0.isNull(0) && $0.flag(0) }
            if isFinished == true { finished.insert(uri) }
        }
        return finished
    }
}
