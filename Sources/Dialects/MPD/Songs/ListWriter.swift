import BatonSeams

/// Writes values of tags in groups: the answers to `list` and to `count` with a group.
///
/// The outer groups come first, and a group has its line where its value changes.
struct ListWriter {
    private let tags: [TagName]
    /// The values of the row before.
    private var last: [String]?
    private var text = AnswerText()

    var bytes: [UInt8] { text.bytes }

    /// Tags in the order of the groups, the outermost first.
    init(_ tags: [TagName]) { self.tags = tags }

    /// The whole text. It is made away from the loop, which ten thousand rows would keep too long.
    static func text(of rows: [SongValues], _ tags: [TagName], counts: Bool) -> [UInt8] {
        var writer = ListWriter(tags)
        for row in rows { writer.add(row, counts: counts) }
        return writer.bytes
    }

    mutating func add(_ row: SongValues, counts: Bool = false) {
        let same = last.map { last in zip(last, row.values).prefix { $0 == $1 }.count } ?? 0
        for place in same..<tags.count { text.line(tags[place].rawValue, row.values[place]) }
        last = row.values
        guard counts else { return }
        text.line("songs", row.songs)
        text.line("playtime", row.durationMs / 1000)
    }

    /// Collects values of songs that a filter has found.
    struct Collector: Sendable {
        private let tags: [TagName]
        private var found: [[String]: (songs: Int, durationMs: Int)] = [:]

        init(_ tags: [TagName]) { self.tags = tags }

        mutating func add(_ song: Song) {
            let own = song.tags
            var rows: [[String]] = [[]]
            for tag in tags {
                let values = Self.values(of: tag, in: own)
                rows = rows.flatMap { row in values.map { row + [$0] } }
                // A file with many values of many tags must not cost more than it is worth.
                if rows.count > Self.mostRows { rows.removeLast(rows.count - Self.mostRows) }
            }
            for row in rows { found[row, default: (0, 0)].songs += 1 }
            for row in rows { found[row]?.durationMs += song.durationMs ?? 0 }
        }

        private static let mostRows = 1_000

        /// Adds what another one has collected.
        mutating func add(_ other: Collector) {
            found.merge(other.found) { ($0.songs + $1.songs, $0.durationMs + $1.durationMs) }
        }

        /// Each value once; an empty one where the song has neither the tag nor one that stands for it.
        private static func values(of tag: TagName, in tags: [Song.Tag]) -> [String] {
            var asked: TagName? = tag
            while let name = asked {
                var values: [String] = []
                for one in tags where one.name == name && !values.contains(one.value) { values.append(one.value) }
                if !values.isEmpty { return values }
                asked = name.fallback
            }
            return [""]
        }

        /// All values, sorted by their bytes.
        var rows: [SongValues] {
            let sorted = found.sorted { $0.key.lexicographicallyPrecedes($1.key) { Self.precedes($0, $1) } }
            return sorted.map { SongValues(values: $0.key, songs: $0.value.songs, durationMs: $0.value.durationMs) }
        }

        private static func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
    }
}
