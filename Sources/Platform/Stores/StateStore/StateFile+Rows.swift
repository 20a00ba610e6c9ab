/// Reading and writing of rooms and entries as rows.
import BatonCore
import BatonSeams
import SQLite

extension StateFile {
    func write(_ room: RoomRow, _ notes: inout Notes) throws(DatabaseError) {
        var values: [Database.Value] = []
        values.reserveCapacity(RoomColumns.names.count + 1)
        for columns in RoomColumns.all { values += columns.values(room) }
        values.append(.text(room.id.text))
        try database.run(Self.writesRoom, values)
        let steady = Notes.SteadyParts(presence: room.presence, links: room.links)
        guard notes.steady[room.id] != steady else { return }
        try database.run(
            "UPDATE room SET presence = ?1 WHERE id = ?2 AND presence != ?1", [.text(room.presence.text), .text(room.id.text)])
        try database.run("UPDATE room SET links = ?1 WHERE id = ?2 AND links != ?1", [.text(room.links.text), .text(room.id.text)])
        notes.steady[room.id] = steady
    }

    private static let writesRoom = """
        INSERT INTO room (\(RoomColumns.names.joined(separator: ", ")), id)
        VALUES (\(RoomColumns.names.map { _ in "?, " }.joined())?)
        ON CONFLICT (id) DO UPDATE SET \(RoomColumns.names.map { "\($0) = excluded.\($0), " }.joined())deletion = 0
        """

    /// Rooms with the number of their deletion, which is 0 for a room in use.
    func rooms() throws(DatabaseError) -> [(row: RoomRow, deletion: Int)] {
        var rooms: [(row: RoomRow, deletion: Int)] = []
        try database.each(Self.readsRooms) { row in
            var room = RoomRow(id: RoomID(row.text(0)), name: "")
            room.presence = RoomPresence(text: row.text(2))
            room.links = RoomLinks(text: row.text(3))
            var place: Int32 = 4
            for columns in RoomColumns.all {
                columns.read(row, place, &room)
                place += Int32(columns.names.count)
            }
            rooms.append((room, row.int(1)))
        }
        return rooms
    }

    private static let readsRooms =
        "SELECT id, deletion, presence, links, \(RoomColumns.names.joined(separator: ", ")) FROM room ORDER BY rowid"

    /// Inserts a row or replaces it, since a queue may contain an earlier entry again.
    func insert(_ entry: QueueEntry) throws(DatabaseError) {
        try database.run(
            """
            INSERT OR REPLACE INTO entry (uri, kind, title, artists, album, album_artist, track, disc, year,
                duration_ms, stream_title, added_by, added_at_ms, art, trust, share, alternatives, id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            texts(of: entry) + [.id(entry.id)])
    }

    func describe(_ entry: QueueEntry) throws(DatabaseError) {
        let changed = try database.run(
            """
            UPDATE entry SET uri = ?, kind = ?, title = ?, artists = ?, album = ?, album_artist = ?, track = ?, disc = ?,
                year = ?, duration_ms = ?, stream_title = ?, added_by = ?, added_at_ms = ?, art = ?, trust = ?, share = ?, alternatives = ?
            WHERE id = ?
            """,
            texts(of: entry) + [.id(entry.id)])
        guard changed == 1 else { throw .mismatch("\(entry.id) cannot be described: it is not there") }
    }

    func entries() throws(DatabaseError) -> [EntryID: QueueEntry] {
        var entries: [EntryID: QueueEntry] = [:]
        try database.each(
            """
            SELECT id, uri, kind, title, artists, album, album_artist, track, disc, year,
                duration_ms, stream_title, added_by, added_at_ms, art, trust, share, alternatives
            FROM entry
            """
        ) { row in
            var tags = Tags()
            tags.kind = ItemKind(rawValue: row.text(2)) ?? .track
            tags.title = row.text(3)
            tags.artists = Self.artists(from: row.text(4))
            tags.album = row.text(5)
            tags.albumArtist = row.text(6)
            tags.track = row.maybeInt(7)
            tags.disc = row.maybeInt(8)
            tags.year = row.maybeInt(9)
            tags.durationMs = row.maybeTime(10)
            tags.streamTitle = row.maybeText(11)
            tags.art = row.maybeText(14).flatMap(Artwork.init(stored:))
            entries[row.id(0)] = QueueEntry(
                id: row.id(0), uri: ItemURI(row.text(1)), tags: tags, addedBy: row.maybeText(12), addedAtMs: row.time(13),
                trust: Trust(stored: row.int(15)), share: row.maybeText(16),
                alternatives: row.maybeText(17).map(Self.uris(from:)) ?? [])
        }
        return entries
    }

    private func texts(of entry: QueueEntry) -> [Database.Value] {
        let tags = entry.tags
        return [
            .text(entry.uri.text), .text(tags.kind.rawValue), .text(tags.title), .text(Self.text(of: tags.artists)),
            .text(tags.album), .text(tags.albumArtist), .maybe(tags.track), .maybe(tags.disc), .maybe(tags.year),
            .time(tags.durationMs), .maybe(tags.streamTitle), .maybe(entry.addedBy), .time(entry.addedAtMs),
            .maybe(tags.art?.kept), .int(entry.trust.rawValue), .maybe(entry.share),
            .maybe(Self.text(of: entry.alternatives)),
        ]
    }

    // MARK: - Several places in one column

    /// URIs separated by line ends, which no URI contains; a path with a line end in its name is left out.
    private static func text(of places: [ItemURI]) -> String? {
        let texts = places.lazy.map(\.text).filter { !$0.utf8.contains(0x0A) }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }

    private static func uris(from text: String) -> [ItemURI] { text.split(separator: "\n").map { ItemURI(String($0)) } }

    // MARK: - Several artists in one column

    /// Artists are separated by ASCII's unit separator. Inside a name it is invisible, so there it becomes a space; an empty name is not an
    /// artist.
    private static let between: Character = "\u{1F}"

    static func text(of artists: [String]) -> String {
        artists.filter { !$0.isEmpty }.map { $0.replacing(between, with: " ") }.joined(separator: String(between))
    }

    static func artists(from text: String) -> [String] {
        text.split(separator: between).map(String.init)
    }
}

extension String {
    fileprivate func replacing(_ old: Character, with new: Character) -> String {
        contains(old) ? String(map { $0 == old ? new : $0 }) : self
    }
}

/// The encoding of a picture in one column: `91c3f0 1000 1000 0a2b3c ffffff`, with 0 for an unknown size.
extension Artwork {
    var kept: String {
        let colours = colours.map { String($0 & 0xFFFFFF, radix: 16) }
        return ([id, "\(width ?? 0)", "\(height ?? 0)"] + colours).joined(separator: " ")
    }

    init?(stored text: String) {
        let parts = text.split(separator: " ")
        guard parts.count >= 3, let width = Int(parts[1]), let height = Int(parts[2]) else { return nil }
        self.init(
            id: String(parts[0]), width: width > 0 ? width : nil, height: height > 0 ? height : nil,
            colours: parts.dropFirst(3).compactMap { Int($0, radix: 16) })
    }
}
