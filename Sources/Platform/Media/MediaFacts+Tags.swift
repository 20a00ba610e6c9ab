import BatonCore
package import BatonReading
package import BatonSeams

/// Interpretation of a file's tags.
extension MediaFacts {
    /// The value of `stik` for audiobooks.
    private static let audiobook = 2

    package init(_ facts: FileFacts, of path: String) {
        let tags = TagList(facts.tags)
        var track = TrackFacts()
        track.tags = Tags(tags, facts)
        track.genres = tags.list("genre", "tcon")
        track.composers = tags.list("composer", "tcom")
        track.labels = tags.list("label", "organization", "publisher", "tpub", "wmpublisher")
        track.isCompilation = tags.isSet("compilation", "tcmp", "itunescompilation", "cpil", "wm/iscompilation", "wmiscompilation")
        track.sortTitle = tags.text("titlesort", "sortname", "sorttitle", "tsot", "wmtitlesortorder")
        track.sortArtist = tags.text("artistsort", "sortartist", "tsop", "wmartistsortorder")
        track.sortAlbum = tags.text("albumsort", "sortalbum", "tsoa", "wmalbumsortorder")
        track.sortAlbumArtist = tags.text("albumartistsort", "sortalbumartist", "tso2", "wmalbumartistsortorder")
        track.format = SoundFormat(facts)
        track.gain = ReplayGain(tags, facts.loudness)
        track.chapters = facts.chapters
        track.lengthUs = facts.durationUs.map { Microseconds($0) }
        track.isBook = tags.number("mediatype") == Self.audiobook || path.lowercased().hasSuffix(".m4b")
        track.book = BookTags(
            series: tags.text("series", "movementname"), number: String(tags.text("seriespart", "movement").prefix(16)),
            narrators: tags.list("narrator"))
        if facts.cover != nil { track.picture = .embedded(in: path) }
        track.fileTags = FileTags(facts.tags, codec: facts.codec)
        self.init(
            track: track, fingerprint: Fingerprint(high: facts.content.high, low: facts.content.low),
            lyrics: tags.lines(["syncedlyrics", "lyrics", "unsyncedlyrics"], beginning: "lyrics").flatMap(Lyrics.init(text:)),
            cueSheet: tags.lines(["cuesheet"]))
    }
}

extension Tags {
    fileprivate init(_ tags: TagList, _ facts: FileFacts) {
        self.init()
        title = tags.text("title", "tit2")
        artists = tags.list("artists")
        if artists.isEmpty { artists = tags.list("artist", "tpe1", "author") }
        album = tags.text("album", "talb", "wmalbumtitle")
        albumArtist = tags.list("albumartist", "tpe2", "wmalbumartist").joined(separator: ", ")
        track = tags.number("track", "tracknumber", "trck", "wmtracknumber")
        disc = tags.number("disc", "discnumber", "tpos", "wmpartofset")
        year = tags.year("date", "year", "tdrc", "tyer", "wmyear", "creationtime", "originaldate")
        durationMs = facts.durationUs.map { Milliseconds(Microseconds($0)) }
        art = facts.cover.map { Artwork(id: PictureName.text($0.name), width: $0.header.width, height: $0.header.height) }
    }
}

extension SoundFormat {
    fileprivate init?(_ facts: FileFacts) {
        guard facts.rate > 0, facts.channels > 0 else { return nil }
        self.init(
            codec: TextCleaning.line(facts.codec), rate: Int(facts.rate), bits: facts.bits > 0 ? Int(facts.bits) : nil,
            channels: Int(facts.channels))
    }
}

extension ReplayGain {
    /// Tags take precedence over the encoder's measurement. Opus counts from 5 dB below all other formats, in 256ths.
    fileprivate init?(_ tags: TagList, _ loudness: FileFacts.Loudness) {
        self.init(
            track: tags.figure("replaygaintrackgain", parts: 100) ?? Self.opus("r128trackgain", tags)
                ?? loudness.track.map { Int($0) / 10_000 },
            album: tags.figure("replaygainalbumgain", parts: 100) ?? Self.opus("r128albumgain", tags)
                ?? loudness.album.map { Int($0) / 10_000 },
            trackPeak: tags.figure("replaygaintrackpeak", parts: 1_000_000) ?? loudness.trackPeak.map { Int($0) },
            albumPeak: tags.figure("replaygainalbumpeak", parts: 1_000_000) ?? loudness.albumPeak.map { Int($0) })
        if self == ReplayGain() { return nil }
    }

    private static func opus(_ name: String, _ tags: TagList) -> Int? {
        tags.text(name).isEmpty ? nil : Int(tags.text(name)).flatMap { (-32_768...32_767).contains($0) ? ($0 * 100 / 256) + 500 : nil }
    }
}

extension FileFacts {
    /// A chapter without an end lasts until the next one, or until the end of the file.
    fileprivate var chapters: [Chapter] {
        parts.enumerated().map { number, part in
            let start = Milliseconds(part.startMs)
            let duration = durationUs.map { Milliseconds(Microseconds($0)) }
            let next = number + 1 < parts.count ? Milliseconds(parts[number + 1].startMs) : duration ?? start
            let end = part.endMs > part.startMs ? Milliseconds(part.endMs) : max(start, next)
            let title = TextCleaning.line(part.title)
            return Chapter(title: title.isEmpty ? "Chapter \(number + 1)" : title, startMs: start, endMs: end)
        }
    }
}

/// The name of a picture outside of this program: sixteen hexadecimal digits.
enum PictureName {
    static func text(_ name: UInt64) -> String {
        let digits = String(name, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
