import BatonCore
import BatonSeams

/// Writes songs and folders as lines of an answer.
struct SongText {
    /// The place of a song in a queue, and its id there.
    struct Entry: Equatable {
        var place: Int
        var id: EntryID
    }

    private var text = AnswerText()
    private let wanted: TagSet
    /// MPD 0.23 leaves the format out of songs that it has sorted.
    private let showsFormat: Bool

    var bytes: [UInt8] { text.bytes }

    init(_ wanted: TagSet = .usual, showsFormat: Bool = true) {
        self.wanted = wanted
        self.showsFormat = showsFormat
    }

    /// The bytes, which are gone afterwards.
    mutating func take() -> [UInt8] { text.take() }

    mutating func add(_ song: Song, at entry: Entry? = nil) {
        text.line("file", song.uri)
        if let changed = song.changed { text.line("Last-Modified", utc: changed) }
        if showsFormat, let format = song.format { text.line("Format", format) }
        addTags(of: song)
        if let ms = song.durationMs {
            text.line("Time", (ms + 500) / 1000)
            text.line("duration", secondsOfMs: ms)
        }
        if let entry {
            text.line("Pos", entry.place)
            text.line("Id", entry.id.number)
        }
    }

    /// The path of a song alone.
    mutating func addPath(of song: Song) { text.line("file", song.uri) }

    mutating func add(folder path: String, changed: Int? = nil) {
        text.line("directory", path)
        if let changed { text.line("Last-Modified", utc: changed) }
    }

    mutating func add(playlist name: String, changed: Int?) {
        text.line("playlist", name)
        if let changed { text.line("Last-Modified", utc: changed) }
    }

    /// The lines of a song are copied where all of its tags are wanted. Comments are not among them.
    private mutating func addTags(of song: Song) {
        if wanted == .usual { return text.lines(song.lines) }
        if wanted.isEmpty { return }
        addLines(of: song) { [wanted] line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = TagName(rawValue: String(decoding: line[..<colon], as: UTF8.self))
            else { return false }
            return wanted.contains(TagSet(name))
        }
    }

    private mutating func addLines(of song: Song, where isWanted: (ArraySlice<UInt8>) -> Bool) {
        var rest = song.lines[...]
        while let end = rest.firstIndex(of: 0x0A) {
            if isWanted(rest[..<end]) { text.lines(rest[...end]) }
            rest = rest[(end + 1)...]
        }
    }
}
