/// Counts the combinations of values that some tags have together in many songs.
///
/// Reads the lines of tags where SQLite has them. Songs of one album follow each other and mostly have the same values, so a combination is
/// looked up only when it differs from that of the song before.
import BatonSeams

struct SongValueCounter {
    /// Songs with one combination. Its values stand in `texts`, each with a zero behind it, so that bytes in order are values in order.
    private struct Entry {
        /// The first bytes, which tell most entries apart.
        var beginning: UInt64
        var start: Int
        var end: Int
        var songs: Int
        var durationMs: Int
    }

    /// Combinations that count for one song: a file with many values of many tags must not cost more than it is worth.
    private static let mostCombinations = 1_000

    /// The names of the tags as they begin a line, each followed by those of its fallbacks.
    private let starts: [[[UInt8]]]
    private var texts: [UInt8] = []
    /// Entries in the order of the songs. A combination may have several, which become one at the end.
    private var entries: [Entry] = []
    private var last: [[UInt8]] = []
    private var pending = (songs: 0, durationMs: 0)
    /// The places of the present song's values in its lines, by tag and fallback.
    private var found: [[Range<Int>]]

    init(_ tags: [TagName]) {
        starts = tags.map { tag in
            sequence(first: tag, next: \.fallback).map { Array("\($0.rawValue): ".utf8) }
        }
        found = starts.flatMap { $0 }.map { _ in [] }
    }

    mutating func add(_ lines: RawSpan, durationMs: Int) {
        for place in found.indices { found[place].removeAll(keepingCapacity: true) }
        var at = 0
        while at < lines.byteCount {
            var end = at
            while end < lines.byteCount, lines.byte(at: end) != 0x0A { end += 1 }
            read(lines, from: at, to: end)
            at = end + 1
        }
        if !isSameAsLast(lines) { begin(lines, durationMs) }
        pending.songs += 1
        pending.durationMs += durationMs
    }

    private mutating func read(_ lines: RawSpan, from start: Int, to end: Int) {
        var place = 0
        for tag in starts {
            for name in tag {
                defer { place += 1 }
                guard end - start >= name.count, lines.byte(at: start) == name[0], lines.holds(name, at: start) else { continue }
                found[place].append(start + name.count..<end)
            }
        }
    }

    /// True for a song with one value of each tag at most, and the values of the song before.
    private func isSameAsLast(_ lines: RawSpan) -> Bool {
        guard last.count == starts.count else { return false }
        var place = 0
        for (tag, value) in zip(starts, last) {
            let ranges = found[place..<(place + tag.count)].first { !$0.isEmpty } ?? []
            place += tag.count
            guard ranges.count <= 1, ranges.first?.count ?? 0 == value.count else { return false }
            if let range = ranges.first, !lines.holds(value, at: range.lowerBound) { return false }
        }
        return true
    }

    /// Counts all combinations of a song but the last, which may be that of the next song too.
    private mutating func begin(_ lines: RawSpan, _ durationMs: Int) {
        flush()
        var combinations: [[[UInt8]]] = [[]]
        combinations[0].reserveCapacity(starts.count)
        var place = 0
        for tag in starts {
            let ranges = found[place..<(place + tag.count)].first { !$0.isEmpty } ?? []
            place += tag.count
            var values: [[UInt8]] = []
            // A value that a tag has twice counts once.
            for range in ranges {
                let value = lines.bytes(from: range.lowerBound, to: range.upperBound)
                if !values.contains(value) { values.append(value) }
            }
            if values.isEmpty { values = [[]] }
            if values.count == 1, combinations.count == 1 {
                combinations[0].append(values[0])
                continue
            }
            combinations = Array(combinations.lazy.flatMap { before in values.lazy.map { before + [$0] } }.prefix(Self.mostCombinations))
        }
        last = combinations.removeLast()
        for values in combinations { note(values, songs: 1, durationMs: durationMs) }
    }

    private mutating func flush() {
        guard pending.songs > 0 else { return }
        note(last, songs: pending.songs, durationMs: pending.durationMs)
        pending = (0, 0)
    }

    private mutating func note(_ values: [[UInt8]], songs: Int, durationMs: Int) {
        let start = texts.count
        for value in values {
            texts += value.lazy.map { $0 == 0 ? 0x20 : $0 }
            texts.append(0)
        }
        var beginning: UInt64 = 0
        for place in start..<(start + 8) { beginning = beginning << 8 | UInt64(place < texts.count ? texts[place] : 0) }
        entries.append(Entry(beginning: beginning, start: start, end: texts.count, songs: songs, durationMs: durationMs))
    }

    /// The order of two entries whose first bytes are the same, by eight bytes at a time.
    private static func precedes(_ one: Entry, _ other: Entry, in bytes: UnsafeRawBufferPointer) -> Bool {
        let common = min(one.end - one.start, other.end - other.start)
        var place = 8
        while place + 8 <= common {
            let left = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: one.start + place, as: UInt64.self))
            let right = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: other.start + place, as: UInt64.self))
            if left != right { return left < right }
            place += 8
        }
        while place < common {
            let (left, right) = unsafe (bytes[one.start + place], bytes[other.start + place])
            if left != right { return left < right }
            place += 1
        }
        return one.end - one.start < other.end - other.start
    }

    /// All combinations, sorted by their bytes.
    mutating func values() -> [SongValues] {
        flush()
        let texts = texts
        let sorted = unsafe texts.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> [Entry] in
            entries.sorted { (one: Entry, other: Entry) -> Bool in
                guard one.beginning == other.beginning else { return one.beginning < other.beginning }
                return unsafe Self.precedes(one, other, in: bytes)
            }
        }
        var all: [SongValues] = []
        var last: Range<Int>?
        for entry in sorted {
            let text = entry.start..<entry.end
            if let last, texts[last].elementsEqual(texts[text]) {
                all[all.count - 1].songs += entry.songs
                all[all.count - 1].durationMs += entry.durationMs
            } else {
                let values = texts[text].split(separator: 0, omittingEmptySubsequences: false).dropLast()
                all.append(
                    SongValues(values: values.map { String(decoding: $0, as: UTF8.self) }, songs: entry.songs, durationMs: entry.durationMs)
                )
            }
            last = text
        }
        return all
    }
}

extension RawSpan {
    fileprivate func byte(at place: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: place, as: UInt8.self) }

    fileprivate func holds(_ bytes: [UInt8], at start: Int) -> Bool {
        for (offset, byte) in bytes.enumerated() where self.byte(at: start + offset) != byte { return false }
        return true
    }

    fileprivate func bytes(from start: Int, to end: Int) -> [UInt8] {
        unsafe extracting(start..<end).withUnsafeBytes { bytes in unsafe Array(bytes) }
    }
}
