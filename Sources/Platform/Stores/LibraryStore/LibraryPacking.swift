/// Values that are packed into one column, because they are only read together with their row.
import BatonCore
import BatonSeams
import SQLite

/// Names in one column. The separator is one that no tag can hold: folding and cleaning drop it.
enum NameList {
    private static let separator: Character = "\u{1F}"

    static func join(_ names: [String]) -> String {
        names.lazy.map { $0.contains(separator) ? $0.filter { $0 != separator } : $0 }.joined(separator: String(separator))
    }

    static func split(_ text: String) -> [String] {
        text.isEmpty ? [] : text.utf8.contains(0x1F) ? text.split(separator: separator).map(String.init) : [text]
    }
}

/// Details of a track that its row in a list does not show.
struct TrackMore: Equatable {
    var genres: [String] = []
    var composers: [String] = []
    var labels: [String] = []
    var isCompilation = false
    var format: SoundFormat?
    var gain: ReplayGain?
    var chapters: [Chapter] = []
    var startMs: Milliseconds?
    var endMs: Milliseconds?
    var parts: [BookPart] = []

    init(_ facts: TrackFacts) {
        genres = facts.genres
        composers = facts.composers
        labels = facts.labels
        isCompilation = facts.isCompilation
        format = facts.format
        gain = facts.gain
        chapters = facts.chapters
        startMs = facts.startMs
        endMs = facts.endMs
        parts = facts.parts
    }

    init?(packed: [UInt8]) {
        var unpacker = Unpacker(packed)
        guard let genres = unpacker.texts(), let composers = unpacker.texts(), let isCompilation = unpacker.int(),
            let startMs = unpacker.maybeTime(), let endMs = unpacker.maybeTime(), let hasFormat = unpacker.int()
        else { return nil }
        self.genres = genres
        self.composers = composers
        self.isCompilation = isCompilation == 1
        self.startMs = startMs
        self.endMs = endMs
        if hasFormat == 1 {
            guard let codec = unpacker.text(), let rate = unpacker.int(), let bits = unpacker.maybe(), let channels = unpacker.int()
            else { return nil }
            format = SoundFormat(codec: codec, rate: rate, bits: bits, channels: channels)
        }
        guard let hasGain = unpacker.int() else { return nil }
        if hasGain == 1 {
            guard let track = unpacker.maybe(), let album = unpacker.maybe(), let peak = unpacker.maybe(), let albumPeak = unpacker.maybe()
            else { return nil }
            gain = ReplayGain(track: track, album: album, trackPeak: peak, albumPeak: albumPeak)
        }
        guard let count = unpacker.int() else { return nil }
        for _ in 0..<count {
            guard let title = unpacker.text(), let start = unpacker.time(), let end = unpacker.time() else { return nil }
            chapters.append(Chapter(title: title, startMs: start, endMs: end))
        }
        // Rows from before labels existed end here; rows from before books existed end behind the labels.
        labels = unpacker.texts() ?? []
        for _ in 0..<(unpacker.int() ?? 0) {
            guard let name = unpacker.text(), let title = unpacker.text(), let lengthUs = unpacker.int() else { return nil }
            parts.append(BookPart(name: name, title: title, lengthUs: Microseconds(lengthUs)))
        }
    }

    var packed: [UInt8] {
        var packer = Packer()
        packer.put(genres)
        packer.put(composers)
        packer.put(isCompilation ? 1 : 0)
        packer.put(maybe: startMs)
        packer.put(maybe: endMs)
        packer.put(format == nil ? 0 : 1)
        if let format {
            packer.put(format.codec)
            packer.put(format.rate)
            packer.put(maybe: format.bits)
            packer.put(format.channels)
        }
        packer.put(gain == nil ? 0 : 1)
        if let gain {
            for number in [gain.track, gain.album, gain.trackPeak, gain.albumPeak] { packer.put(maybe: number) }
        }
        packer.put(chapters.count)
        for chapter in chapters {
            packer.put(chapter.title)
            packer.put(chapter.startMs)
            packer.put(chapter.endMs)
        }
        packer.put(labels)
        packer.put(parts.count)
        for part in parts {
            packer.put(part.name)
            packer.put(part.title)
            packer.put(Int(part.lengthUs))
        }
        return packer.bytes
    }
}

extension Lyrics {
    var packed: [UInt8] {
        var packer = Packer()
        packer.put(lines.count)
        for line in lines {
            packer.put(maybe: line.atMs)
            packer.put(line.text)
        }
        return packer.bytes
    }

    init?(packed: [UInt8]) {
        var unpacker = Unpacker(packed)
        guard let count = unpacker.int() else { return nil }
        var lines: [Line] = []
        for _ in 0..<count {
            guard let atMs = unpacker.maybeTime(), let text = unpacker.text() else { return nil }
            lines.append(Line(atMs: atMs, text: text))
        }
        self.init(lines: lines)
    }
}

extension ScanReport {
    var packed: [UInt8] {
        var packer = Packer()
        for number in [seen, read, moved, gone, failed, Int(tookMs), isDone ? 1 : 0] { packer.put(number) }
        packer.put(maybe: total)
        packer.put(Array(problems.prefix(Self.mostProblems)))
        return packer.bytes
    }

    init?(packed: [UInt8]) {
        var unpacker = Unpacker(packed)
        var numbers: [Int] = []
        for _ in 0..<7 {
            guard let number = unpacker.int() else { return nil }
            numbers.append(number)
        }
        guard let total = unpacker.maybe(), let problems = unpacker.texts() else { return nil }
        self.init()
        (seen, read, moved, gone, failed) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
        tookMs = Milliseconds(numbers[5])
        isDone = numbers[6] == 1
        self.total = total
        self.problems = problems
    }
}
