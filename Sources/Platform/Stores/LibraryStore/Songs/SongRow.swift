/// The row of a song, made from what a scan has found.
import BatonCore
import BatonSeams
import SQLite

struct SongRow: Equatable {
    var folder: Int64
    /// The name of the file, and for a part of it another one behind a slash.
    var name: String
    /// The name of its track.
    var track: String
    /// Seconds since 1970.
    var changed: Int64
    var durationMs: Milliseconds?
    var format: String?
    var lines: [UInt8]
    /// The texts by which it is found, in lower case.
    var folded: String
    var others: [FileTags.Other]

    init(_ facts: TrackFacts, at place: LibraryDatabase.Indexing) {
        folder = place.folder
        name = place.scanned.name + (place.part == 0 ? "" : "/track" + Self.number(place.part))
        track = place.name
        changed = max(0, place.scanned.stamp.modifiedNs / 1_000_000_000)
        durationMs = facts.tags.durationMs
        format = facts.format.map(Self.text)
        let tags = facts.fileTags?.tags ?? Self.tags(of: facts)
        lines = Song.lines(of: tags)
        others = facts.fileTags?.others ?? []
        var texts = [name.lowercased()]
        for tag in tags where !tag.name.isIdentifier {
            let text = tag.value.lowercased()
            if !texts.contains(text) { texts.append(text) }
        }
        folded = texts.joined(separator: "\n")
    }

    /// Four digits, as programs know them from cue sheets.
    private static func number(_ part: Int) -> String {
        let digits = String(part)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Codecs without bits of their own are decoded to what MPD's decoders give.
    private static func text(of format: SoundFormat) -> String {
        let bits = format.bits.map(String.init) ?? (format.codec == "opus" ? "16" : format.codec == "mp3" ? "24" : "f")
        return "\(format.rate):\(bits):\(format.channels)"
    }

    /// The tags of a book, or of a part of a file, which have none in a file.
    private static func tags(of facts: TrackFacts) -> [Song.Tag] {
        let tags = facts.tags
        var lines = tags.artists.map { Song.Tag(.artist, $0) }
        func add(_ name: TagName, _ value: String) { if !value.isEmpty { lines.append(Song.Tag(name, value)) } }
        add(.albumArtist, tags.albumArtist)
        add(.album, tags.album)
        add(.title, tags.title)
        add(.track, tags.track.map(String.init) ?? "")
        add(.date, tags.year.map(String.init) ?? "")
        for genre in facts.genres { add(.genre, genre) }
        for composer in facts.composers { add(.composer, composer) }
        for narrator in facts.book.narrators { add(.performer, narrator) }
        add(.disc, tags.disc.map(String.init) ?? "")
        for label in facts.labels { add(.label, label) }
        return lines
    }
}

extension TagName {
    /// True for ids of MusicBrainz, whose letters mean nothing, so that an index of them would be large and of little use.
    var isIdentifier: Bool {
        switch self {
        case .artistID, .albumID, .albumArtistID, .trackID, .releaseTrackID, .workID: true
        default: false
        }
    }
}
