/// Converts the server's records to rows. Missing members stay empty, and long texts are cut to the limits of messages.
import BatonCore
import BatonSeams

/// Creates the rows of one source.
struct Rows: Sendable {
    let source: String

    private static let mostText = 400

    // MARK: Songs

    /// A song's row; `nil` for a directory, a video, and a record without an id.
    func song(_ record: SubsonicRecord) -> ItemRow? {
        guard let id = record.text("id"), id.utf8.count <= 1_024, !record.flag("isDir"), !record.flag("isVideo") else { return nil }
        var row = ItemRow(uri: uri(.track(id)), tags: tags(ofSong: record), mark: mark(record))
        row.quality = record.text("suffix").map { SoundQuality(suffix: $0.lowercased(), bitrate: kbps(record)) }
        return row
    }

    func tags(ofSong record: SubsonicRecord) -> Tags {
        var tags = Tags(title: cut(record.text("title", "name") ?? "Untitled"), artists: artists(record), durationMs: durationMs(record))
        tags.kind = Self.kinds[record.text("type") ?? ""] ?? .track
        tags.album = cut(record.text("album") ?? "")
        tags.albumArtist = cut(record.text("displayAlbumArtist") ?? record.texts("albumArtists", of: "name").first ?? "")
        tags.track = number(record, "track")
        tags.disc = number(record, "discNumber")
        tags.year = number(record, "year")
        tags.art = art(record)
        return tags
    }

    /// Kinds of spoken items, whose playback resumes at the stored position.
    private static let kinds = ["audiobook": ItemKind.chapter, "podcast": .episode]

    private func artists(_ record: SubsonicRecord) -> [String] {
        let several = record.texts("artists", of: "name").prefix(20).map(cut)
        return several.isEmpty ? [record.text("displayArtist", "artist")].compactMap { $0 }.map(cut) : Array(several)
    }

    // MARK: Containers

    func album(_ record: SubsonicRecord) -> ItemRow? {
        guard let id = record.text("id"), id.utf8.count <= 1_024 else { return nil }
        var tags = Tags(
            title: cut(record.text("name", "title", "album") ?? "Untitled"), artists: artists(record), durationMs: durationMs(record))
        tags.kind = .album
        tags.albumArtist = cut(record.text("displayArtist", "artist") ?? "")
        tags.year = number(record, "year")
        tags.art = art(record)
        return ItemRow(uri: uri(.album(id)), tags: tags, count: record.int("songCount").map { max(0, $0) }, mark: mark(record))
    }

    func artist(_ record: SubsonicRecord) -> ItemRow? {
        guard let id = record.text("id"), id.utf8.count <= 1_024 else { return nil }
        var row = container(.artist(id), kind: .artist, title: record.text("name") ?? "Unknown artist", art: art(record))
        row.mark = mark(record)
        return row
    }

    func playlist(_ record: SubsonicRecord) -> ItemRow? {
        guard let id = record.text("id"), id.utf8.count <= 1_024 else { return nil }
        var row = container(
            .playlist(id), kind: .playlist, title: record.text("name") ?? "Playlist", count: record.int("songCount"), art: art(record))
        row.tags.durationMs = durationMs(record)
        return row
    }

    /// The row of a directory, or of a song in one.
    func child(_ record: SubsonicRecord) -> ItemRow? {
        guard record.flag("isDir"), let id = record.text("id") else { return song(record) }
        return container(.folder(id), kind: .folder, title: record.text("title", "name") ?? "Folder", art: art(record))
    }

    func station(_ record: SubsonicRecord) -> ItemRow? {
        guard let id = record.text("id") else { return nil }
        var tags = Tags(title: cut(record.text("name") ?? "Station"))
        tags.kind = .station
        tags.art = art(record)
        return ItemRow(uri: uri(.station(id)), tags: tags)
    }

    func podcast(_ record: SubsonicRecord) -> ItemRow? {
        guard let id = record.text("id") else { return nil }
        let count = record.has("episode") ? record.list("episode").count : nil
        return container(.podcast(id), kind: .playlist, title: record.text("title", "url") ?? "Podcast", count: count, art: art(record))
    }

    /// An episode's row, marked as unavailable if the server has not downloaded the episode.
    func episode(_ record: SubsonicRecord, of podcast: String, titled title: String) -> ItemRow? {
        guard let id = record.text("id") else { return nil }
        var tags = tags(ofSong: record)
        tags.kind = .episode
        tags.album = cut(title)
        let isThere = record.text("streamId") != nil && record.text("status").map { $0 == "completed" } ?? true
        return ItemRow(uri: uri(.episode(podcast: podcast, id: id)), tags: tags, mark: mark(record), isAway: !isThere)
    }

    func shelf(_ shelf: SubsonicItem.Shelf) -> ItemRow { container(.shelf(shelf), kind: .shelf, title: shelf.title) }

    /// The shelf of artists under one letter of the index.
    func letter(_ name: String) -> ItemRow { container(.letter(name), kind: .shelf, title: name) }

    /// The shelf of a decade's albums, by its first year.
    func decade(_ year: Int) -> ItemRow { container(.decade(year), kind: .shelf, title: "\(year)–\(year + 9)") }

    func container(_ item: SubsonicItem, kind: ItemKind, title: String, count: Int? = nil, art: Artwork? = nil) -> ItemRow {
        var tags = Tags(title: cut(title))
        tags.kind = kind
        tags.art = art
        return ItemRow(uri: uri(item), tags: tags, count: count.map { max(0, $0) })
    }

    func uri(_ item: SubsonicItem) -> ItemURI { item.uri(of: source) }

    // MARK: Parts

    func mark(_ record: SubsonicRecord) -> ItemMark {
        ItemMark(
            isFavourite: record.text("starred") != nil, stars: min(max(record.int("userRating") ?? 0, 0), 5),
            plays: max(0, record.int("playCount") ?? 0), lastPlayedMs: record.text("played").flatMap { ServerTime.ms($0) })
    }

    func art(_ record: SubsonicRecord) -> Artwork? {
        record.text("coverArt").flatMap { CoverName(of: $0, in: source) }.map { Artwork(id: $0.art.text) }
    }

    private func number(_ record: SubsonicRecord, _ name: String) -> Int? {
        record.int(name).flatMap { 1...9_999 ~= $0 ? $0 : nil }
    }

    /// The bit rate. Older versions of supysonic send bits per second.
    private func kbps(_ record: SubsonicRecord) -> Int? {
        record.int("bitRate").flatMap { 1...9_999_999 ~= $0 ? ($0 > 10_000 ? $0 / 1_000 : $0) : nil }
    }

    /// The duration, if it is at most a year; longer ones are errors.
    private func durationMs(_ record: SubsonicRecord) -> Milliseconds? {
        record.double("duration").flatMap { $0 > 0 && $0 < 31_536_000 ? Milliseconds.seconds($0) : nil }
    }

    func cut(_ text: String) -> String { text.utf8.count <= Self.mostText ? text : String(text.prefix(Self.mostText / 4)) }
}

/// The name of a cover, whose length is limited. A server's id that is too long is shortened if it is a UUID: its 16
/// bytes become 22 characters instead of 36.
struct CoverName: Equatable, Sendable {
    let id: String
    let art: ArtworkID

    init?(of id: String, in source: String) {
        let short = Self.short(id)
        guard let art = ArtworkID(source: source, name: id) ?? short.flatMap({ ArtworkID(source: source, name: $0) }) else { return nil }
        self.id = id
        self.art = art
    }

    /// The server's id for the name of a picture.
    static func id(of name: String) -> String {
        guard name.hasPrefix(mark), let bytes = bytes(name.dropFirst(mark.count)) else { return name }
        let digits = Array(Hex.text(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    private static let mark = "uuid_"
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func short(_ id: String) -> String? {
        let digits = Array(id.utf8)
        guard digits.count == 36, [8, 13, 18, 23].allSatisfy({ digits[$0] == UInt8(ascii: "-") }) else { return nil }
        let plain = String(decoding: digits.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
        guard plain.utf8.count == 32, plain == plain.lowercased(), let high = UInt64(plain.prefix(16), radix: 16),
            let low = UInt64(plain.suffix(16), radix: 16)
        else { return nil }
        // Six bits a character, from the highest. The eleventh spans the two halves of the number.
        var text: [UInt8] = []
        let whole = UInt128(high) << 64 | UInt128(low)
        for place in 0..<22 { text.append(letters[Int(truncatingIfNeeded: whole >> UInt128(126 - place * 6) & 63)]) }
        return mark + String(decoding: text, as: UTF8.self)
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        guard text.utf8.count == 22 else { return nil }
        var whole: UInt128 = 0
        for letter in text.utf8 {
            guard let value = letters.firstIndex(of: letter) else { return nil }
            whole = whole << 6 | UInt128(value)
        }
        return (0..<16).map { UInt8(truncatingIfNeeded: whole >> UInt128(120 - $0 * 8)) }
    }
}
