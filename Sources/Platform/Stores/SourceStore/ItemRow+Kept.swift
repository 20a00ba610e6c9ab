/// The encoding of a mirror's row in one column; it is read as a whole.
import BatonCore
import SQLite

extension ItemRow {
    /// Kinds as numbers, since their names would take more space than the rest of a short row.
    private static let kinds: [ItemKind] = [
        .track, .chapter, .station, .generation, .album, .artist, .genre, .folder, .playlist, .shelf, .composer, .year, .label,
        .episode, .podcast, .book, .series, .author, .narrator,
    ]

    var packed: [UInt8] {
        var packer = Packer()
        packer.put(uri.text)
        packer.put(Self.kinds.firstIndex(of: tags.kind) ?? 0)
        for text in [tags.title, tags.album, tags.albumArtist, tags.streamTitle ?? "", tags.art?.id ?? ""] { packer.put(text) }
        packer.put(tags.artists)
        for number in [tags.track, tags.disc, tags.year, tags.durationMs.map { Int($0) }, tags.art?.width, tags.art?.height, count] {
            packer.put(maybe: number)
        }
        for number in [mark.isFavourite ? 1 : 0, mark.stars, mark.plays] { packer.put(number) }
        packer.put(maybe: mark.lastPlayedMs)
        if tags.kind == .book {
            guard let book else { return packer.bytes }
            packer.put(book.narrators)
            packer.put(book.series)
            packer.put(book.number)
        } else if let quality {
            packer.put(quality.isLossless ? 1 : 0)
            packer.put(maybe: quality.bitrate)
        }
        return packer.bytes
    }

    /// `nil` for an invalid value.
    init?(packed: [UInt8]) {
        var unpacker = Unpacker(packed)
        guard let uri = unpacker.text(), let kind = unpacker.int(), Self.kinds.indices.contains(kind) else { return nil }
        var texts: [String] = []
        for _ in 0..<5 {
            guard let text = unpacker.text() else { return nil }
            texts.append(text)
        }
        guard let artists = unpacker.texts() else { return nil }
        var numbers: [Int?] = []
        for _ in 0..<7 {
            guard let number = unpacker.maybe() else { return nil }
            numbers.append(number)
        }
        guard let isFavourite = unpacker.int(), let stars = unpacker.int(), let plays = unpacker.int(), let played = unpacker.maybeTime()
        else { return nil }
        var tags = Tags(title: texts[0], artists: artists, durationMs: numbers[3].map { Milliseconds($0) })
        tags.kind = Self.kinds[kind]
        tags.album = texts[1]
        tags.albumArtist = texts[2]
        tags.streamTitle = texts[3].isEmpty ? nil : texts[3]
        tags.track = numbers[0]
        tags.disc = numbers[1]
        tags.year = numbers[2]
        tags.art = texts[4].isEmpty ? nil : Artwork(id: texts[4], width: numbers[4], height: numbers[5])
        self.init(
            uri: ItemURI(uri), tags: tags, count: numbers[6],
            mark: ItemMark(isFavourite: isFavourite == 1, stars: stars, plays: plays, lastPlayedMs: played), isAway: true)
        // Rows of other kinds end here, and so do those of earlier versions.
        if tags.kind == .book {
            guard let narrators = unpacker.texts(), let series = unpacker.text(), let number = unpacker.text() else { return }
            book = BookTags(series: series, number: number, narrators: narrators)
        } else if let isLossless = unpacker.int(), let bitrate = unpacker.maybe() {
            quality = SoundQuality(isLossless: isLossless == 1, bitrate: bitrate)
        }
    }
}
