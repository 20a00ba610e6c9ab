import BatonSeams

/// The order that `sort` asks for.
struct SongOrder: Equatable, Sendable {
    private enum Key: Equatable {
        case tag(TagName)
        case changed, added
    }

    private let key: Key
    private let isDescending: Bool

    /// Reads a tag, `Last-Modified` or `Added`, with `-` before it for the other direction.
    init(_ text: String) throws(Ack) {
        isDescending = text.utf8.first == UInt8(ascii: "-")
        let name = isDescending ? String(text.dropFirst()) : text
        switch name.lowercased() {
        case "last-modified": key = .changed
        case "added": key = .added
        default:
            guard let tag = TagName(anyCase: name) else { throw Ack(.argument, "Unknown sort tag") }
            key = .tag(tag)
        }
    }

    /// The songs in this order; those that are equal keep theirs.
    func sorted(_ songs: [Song]) -> [Song] { places(of: songs).map { songs[$0] } }

    /// The places of the songs, in this order.
    func places(of songs: [Song]) -> [Int] {
        switch key {
        case .changed: places(of: songs) { $0.changed ?? 0 }
        case .added: places(of: songs) { $0.added ?? 0 }
        case .tag(let tag):
            switch tag {
            case .track, .disc: places(of: songs) { Self.number(Self.value(of: tag, in: $0)) }
            default: places(of: songs) { Text(text: Self.value(of: tag, in: $0)) }
            }
        }
    }

    private func places<Value: Comparable>(of songs: [Song], by value: (Song) -> Value) -> [Int] {
        let keys = songs.map(value)
        return songs.indices.sorted { one, other in
            if keys[one] != keys[other] { return isDescending ? keys[other] < keys[one] : keys[one] < keys[other] }
            return one < other
        }
    }

    /// Texts in the order of their bytes.
    private struct Text: Comparable {
        let text: String

        static func < (one: Text, other: Text) -> Bool { one.text.utf8.lexicographicallyPrecedes(other.text.utf8) }
    }

    /// The first value of a tag, or of the one that stands for it.
    private static func value(of tag: TagName, in song: Song) -> String {
        let tags = song.tags
        var asked: TagName? = tag
        while let name = asked {
            if let found = tags.first(where: { $0.name == name }) { return found.value }
            asked = name.fallback
        }
        return ""
    }

    private static func number(_ text: String) -> Int { LeadingNumber(text)?.value ?? 0 }
}
