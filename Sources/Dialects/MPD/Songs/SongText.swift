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

    /// `bytes` are made room for.
    init(_ wanted: TagSet = .usual, showsFormat: Bool = true, bytes: Int = 0) {
        self.wanted = wanted
        self.showsFormat = showsFormat
        text.expect(bytes)
    }

    /// The bytes, which are gone afterwards.
    mutating func take() -> [UInt8] { text.take() }

    mutating func add(_ song: some LentSong, at entry: Entry? = nil) {
        addPath(of: song)
        if let changed = song.changed { text.line(.changed, utc: changed) }
        if showsFormat { text.lineIfAny(.format, song.addFormat) }
        addTags(of: song)
        if let ms = song.durationMs {
            text.line(.time, (ms + 500) / 1000)
            text.line(.duration, secondsOfMs: ms)
        }
        if let entry {
            text.line("Pos", entry.place)
            text.line("Id", entry.id.number)
        }
    }

    /// The path of a song alone.
    mutating func addPath(of song: some LentSong) { text.line(.file, song.addURI) }

    mutating func add(folder path: String, changed: Int? = nil) {
        text.line("directory", path)
        if let changed { text.line(.changed, utc: changed) }
    }

    mutating func add(playlist name: String, changed: Int?) {
        text.line("playlist", name)
        if let changed { text.line(.changed, utc: changed) }
    }

    /// The lines of a song are copied where all of its tags are wanted. Comments are not among them.
    private mutating func addTags(of song: some LentSong) {
        if wanted == .usual { return text.lines(song.addLines) }
        if wanted.isEmpty { return }
        var rest = song.song.lines
        while let end = rest.firstIndex(of: 0x0A) {
            if isWanted(rest[..<end]) { text.lines(rest[...end]) }
            rest = rest[(end + 1)...]
        }
    }

    private func isWanted(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = TagName(rawValue: String(decoding: line[..<colon], as: UTF8.self))
        else { return false }
        return wanted.contains(TagSet(name))
    }
}
