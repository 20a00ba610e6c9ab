/// Rooms and entries as rows: each written and read in one place.
import BatonCore
import BatonSeams
import SQLite

extension StateFile {
    func write(_ room: RoomRow) throws(DatabaseError) {
        try database.run(
            """
            INSERT INTO room (id, name, queue_revision, current, position_ms, playing, level, muted,
                repeat, shuffle, speed, gain, preamp_db, unfinished, filler, floor, ceiling, start_max, output,
                sleep_end, sleep_amount, sleep_fade_ms, heard_from_ms, paused_clock_ms, music_speed, speech_speed, work_speeds,
                forward_ms, back_ms, raises_voice, sleep_places, trims)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, queue_revision = excluded.queue_revision,
                current = excluded.current, position_ms = excluded.position_ms, playing = excluded.playing,
                level = excluded.level, muted = excluded.muted, repeat = excluded.repeat,
                shuffle = excluded.shuffle, speed = excluded.speed, gain = excluded.gain,
                preamp_db = excluded.preamp_db, unfinished = excluded.unfinished, filler = excluded.filler, floor = excluded.floor,
                ceiling = excluded.ceiling, start_max = excluded.start_max, output = excluded.output,
                sleep_end = excluded.sleep_end, sleep_amount = excluded.sleep_amount, sleep_fade_ms = excluded.sleep_fade_ms,
                heard_from_ms = excluded.heard_from_ms, paused_clock_ms = excluded.paused_clock_ms,
                music_speed = excluded.music_speed, speech_speed = excluded.speech_speed, work_speeds = excluded.work_speeds,
                forward_ms = excluded.forward_ms, back_ms = excluded.back_ms, raises_voice = excluded.raises_voice,
                sleep_places = excluded.sleep_places, trims = excluded.trims,
                deletion = 0
            """,
            [
                .text(room.id.text), .text(room.name), .int(room.queueRevision), room.current.map(Database.Value.id) ?? .null,
                .int(room.positionMs), .flag(room.playing), .int(room.level), .flag(room.muted),
                .text(room.modes.repeat.rawValue), .flag(room.modes.shuffle), .int(room.modes.speed),
                .text(room.modes.gain.rawValue), .int(room.modes.preampDb), .text(room.modes.unfinished.name.rawValue),
                .maybe(room.modes.unfinished.filler?.text), .int(room.floor), .int(room.ceiling), .int(room.startMax), .maybe(room.output),
                .maybe(room.sleep?.end.rawValue), .int(room.sleep?.amount ?? 0), .int(room.sleep?.fadeMs ?? 0),
                .int(room.resumption.fromMs), room.resumption.pausedAtMs.map { .int($0) } ?? .null,
                .int(room.speeds.music), .int(room.speeds.spoken.last), .text(room.speeds.spoken.worksText), .int(room.modes.forwardMs),
                .int(room.modes.backMs), .flag(room.modes.raisesVoice),
                .blob(room.sleepPlaces.packed), .flag(room.modes.trims),
            ])
        try database.run(
            "UPDATE room SET presence = ?1 WHERE id = ?2 AND presence != ?1", [.text(room.presence.text), .text(room.id.text)])
        try database.run("UPDATE room SET links = ?1 WHERE id = ?2 AND links != ?1", [.text(room.links.text), .text(room.id.text)])
    }

    /// With the number of its deletion, which is 0 while the room is there.
    func rooms() throws(DatabaseError) -> [(row: RoomRow, deletion: Int)] {
        var rooms: [(row: RoomRow, deletion: Int)] = []
        try database.each(
            """
            SELECT id, name, queue_revision, current, position_ms, playing, level, muted,
                repeat, shuffle, speed, floor, ceiling, start_max, output, gain, preamp_db, deletion, unfinished, filler,
                sleep_end, sleep_amount, sleep_fade_ms, heard_from_ms, paused_clock_ms, music_speed, speech_speed, work_speeds,
                forward_ms, back_ms, raises_voice, sleep_places, trims, presence, links
            FROM room ORDER BY rowid
            """
        ) { row in
            var room = RoomRow(id: RoomID(row.text(0)), name: row.text(1))
            room.queueRevision = row.int(2)
            room.current = row.isNull(3) ? nil : row.id(3)
            room.positionMs = row.int(4)
            room.playing = row.flag(5)
            room.level = row.int(6)
            room.muted = row.flag(7)
            room.modes.repeat = Repeat(rawValue: row.text(8)) ?? .off
            room.modes.shuffle = row.flag(9)
            room.modes.speed = row.int(10)
            room.floor = row.int(11)
            room.ceiling = row.int(12)
            room.startMax = row.int(13)
            room.output = row.maybeText(14)
            room.modes.gain = GainMode(rawValue: row.text(15)) ?? .auto
            room.modes.preampDb = row.int(16)
            room.modes.unfinished =
                Unfinished.Name(rawValue: row.text(18)).flatMap { Unfinished($0, filler: row.maybeText(19).map { ItemURI($0) }) } ?? .skip
            room.sleep = row.maybeText(20).flatMap(SleepEnd.init(rawValue:)).map {
                SleepWish($0, amount: row.int(21), fadeMs: row.int(22))
            }
            room.resumption = Resumption(fromMs: row.int(23), pausedAtMs: row.isNull(24) ? nil : row.int64(24))
            room.speeds = KeptSpeeds(music: row.int(25), spoken: SpokenSpeeds(last: row.int(26), worksText: row.text(27)))
            (room.modes.forwardMs, room.modes.backMs) = (row.int(28), row.int(29))
            room.modes.raisesVoice = row.int(30) != 0
            room.sleepPlaces = SleepPlaces(packed: row.blob(31))
            room.modes.trims = row.flag(32)
            room.presence = RoomPresence(text: row.text(33))
            room.links = RoomLinks(text: row.text(34))
            rooms.append((room, row.int(17)))
        }
        return rooms
    }

    /// A row that is there already becomes this one: a queue may name again what it held before.
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
            tags.durationMs = row.maybeInt(10)
            tags.streamTitle = row.maybeText(11)
            tags.art = row.maybeText(14).flatMap(Artwork.init(kept:))
            entries[row.id(0)] = QueueEntry(
                id: row.id(0), uri: ItemURI(row.text(1)), tags: tags, addedBy: row.maybeText(12), addedAtMs: row.int64(13),
                trust: Trust(kept: row.int(15)), share: row.maybeText(16),
                alternatives: row.maybeText(17).map(Self.uris(from:)) ?? [])
        }
        return entries
    }

    private func texts(of entry: QueueEntry) -> [Database.Value] {
        let tags = entry.tags
        return [
            .text(entry.uri.text), .text(tags.kind.rawValue), .text(tags.title), .text(Self.text(of: tags.artists)),
            .text(tags.album), .text(tags.albumArtist), .maybe(tags.track), .maybe(tags.disc), .maybe(tags.year),
            .maybe(tags.durationMs), .maybe(tags.streamTitle), .maybe(entry.addedBy), .int(entry.addedAtMs),
            .maybe(tags.art?.kept), .int(entry.trust.rawValue), .maybe(entry.share),
            .maybe(Self.text(of: entry.alternatives)),
        ]
    }

    // MARK: - Several places in one column

    /// Between them a line end, which no URI holds; a path that has one in its name is left out.
    private static func text(of places: [ItemURI]) -> String? {
        let texts = places.lazy.map(\.text).filter { !$0.utf8.contains(0x0A) }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }

    private static func uris(from text: String) -> [ItemURI] { text.split(separator: "\n").map { ItemURI(String($0)) } }

    // MARK: - Several artists in one column

    /// ASCII's own unit separator stands between them. Inside a name it means nothing that could be
    /// heard or seen, so there it becomes a space; an empty name is no artist.
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

/// A picture in one column: `91c3f0 1000 1000 0a2b3c ffffff`, with 0 for a measure that is not known.
extension Artwork {
    var kept: String {
        let colours = colours.map { String($0 & 0xFFFFFF, radix: 16) }
        return ([id, "\(width ?? 0)", "\(height ?? 0)"] + colours).joined(separator: " ")
    }

    init?(kept text: String) {
        let parts = text.split(separator: " ")
        guard parts.count >= 3, let width = Int(parts[1]), let height = Int(parts[2]) else { return nil }
        self.init(
            id: String(parts[0]), width: width > 0 ? width : nil, height: height > 0 ? height : nil,
            colours: parts.dropFirst(3).compactMap { Int($0, radix: 16) })
    }
}
