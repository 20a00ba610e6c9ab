import BatonSeams

/// A filter that is ready for many songs: values are folded once, and regular expressions are made once.
struct SongTester: Sendable {
    private let test: Test

    init(_ filter: SongFilter) throws(Ack) { test = try Self.test(filter) }

    func matches(_ song: Song) -> Bool { Self.matches(test, song) }

    private indirect enum Test: Sendable {
        case all([Test])
        case not(Test)
        /// A tag and those that stand for it, by the beginnings of their lines.
        case tag([[UInt8]], TextTester)
        case anyTag(TextTester)
        case path(TextTester)
        case base(String)
        case changedSince(Int)
        case addedSince(Int)
        case format(FormatMask)
    }

    private static func test(_ filter: SongFilter) throws(Ack) -> Test {
        switch filter {
        case .all(let filters):
            var tests: [Test] = []
            for filter in filters { tests.append(try test(filter)) }
            return .all(tests)
        case .not(let inner): return .not(try test(inner))
        case .tag(let name, let text): return .tag(beginnings(of: name), try TextTester(text))
        case .anyTag(let text): return .anyTag(try TextTester(text))
        case .path(let text): return .path(try TextTester(text))
        case .base(let folder): return .base(folder)
        case .changedSince(let second): return .changedSince(second)
        case .addedSince(let second): return .addedSince(second)
        case .format(let mask): return .format(mask)
        }
    }

    private static func beginnings(of name: TagName) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var asked: TagName? = name
        while let tag = asked {
            found.append(Array("\(tag.rawValue): ".utf8))
            asked = tag.fallback
        }
        return found
    }

    private static func matches(_ test: Test, _ song: Song) -> Bool {
        switch test {
        case .all(let tests): tests.allSatisfy { matches($0, song) }
        case .not(let inner): !matches(inner, song)
        case .tag(let names, let text): hasValue(names, of: song, for: text) != text.isNegated
        case .anyTag(let text): hasAnyValue(of: song, for: text) != text.isNegated
        case .path(let text): text.matches(song.uriBytes) != text.isNegated
        case .base(let folder): Self.isWithin(song.uriBytes, folder)
        case .changedSince(let second): song.changed.map { $0 >= second } ?? false
        case .addedSince(let second): song.added.map { $0 >= second } ?? false
        case .format(let mask): song.format.map { mask.covers($0) } ?? false
        }
    }

    private static func isWithin(_ uri: ArraySlice<UInt8>, _ folder: String) -> Bool {
        guard !folder.isEmpty else { return true }
        let rest = uri.dropFirst(folder.utf8.count)
        return uri.starts(with: folder.utf8) && (rest.isEmpty || rest.first == UInt8(ascii: "/"))
    }

    /// True when a value of the tag passes. Where a song has none, the tag that stands for it is asked; where it has none of that either, it passes for
    /// an empty value.
    private static func hasValue(_ names: [[UInt8]], of song: Song, for text: TextTester) -> Bool {
        for name in names {
            var hasTag = false
            for line in Lines(song.lines) where line.starts(with: name) {
                hasTag = true
                if text.matches(line.dropFirst(name.count)) { return true }
            }
            if hasTag { return false }
        }
        return text.isEmpty
    }

    private static func hasAnyValue(of song: Song, for text: TextTester) -> Bool {
        for line in Lines(song.lines) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            if text.matches(line[colon...].dropFirst(2)) { return true }
        }
        return false
    }

    /// The lines of a song, which are not copied.
    private struct Lines: Sequence, IteratorProtocol {
        private var rest: ArraySlice<UInt8>

        init(_ lines: ArraySlice<UInt8>) { rest = lines }

        mutating func next() -> ArraySlice<UInt8>? {
            guard let end = rest.firstIndex(of: 0x0A) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return rest[..<end]
        }
    }
}

extension FormatMask {
    /// True when the sound has the properties that the mask names.
    fileprivate func covers(_ format: String) -> Bool {
        guard let sound = try? FormatMask(format, isMask: false) else { return false }
        return (rate == nil || rate == sound.rate) && (depth == nil || depth == sound.depth)
            && (channels == nil || channels == sound.channels)
    }
}
