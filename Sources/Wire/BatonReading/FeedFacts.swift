/// The content of an RSS or Atom feed: unchanged texts in UTF-8. The hub interprets them.
package struct FeedFacts: Equatable, Sendable {
    /// The facts about a podcast or an episode, in the order in which they are sent.
    package enum Field: UInt8, Sendable, CaseIterable {
        case title = 1
        case author, about, picture, movedTo, guid, published, length, url, type, bytes, chapters

        package var most: Int {
            switch self {
            case .about: 16_384
            case .url, .picture, .movedTo, .chapters: 2_048
            default: 1_024
            }
        }
    }

    package typealias Texts = [Field: [UInt8]]

    package var podcast: Texts = [:]
    package var episodes: [Texts] = []
    /// True if there were more episodes, or longer texts, than fit.
    package var isCut = false

    package init() {}

    package static let mostEpisodes = 10_000
    /// Limit for all texts together.
    package static let mostBytes = 16 << 20

    func write(to writer: inout ByteWriter) {
        writer.put(UInt8(isCut ? 1 : 0))
        Self.write(podcast, to: &writer)
        writer.put(UInt16(clamping: episodes.count))
        for episode in episodes { Self.write(episode, to: &writer) }
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        isCut = try reader.number(UInt8.self, in: 0...1) == 1
        podcast = try Self.texts(from: &reader)
        for _ in 0..<(try reader.number(UInt16.self, in: 0...UInt16(Self.mostEpisodes))) { episodes.append(try Self.texts(from: &reader)) }
    }

    private static func write(_ texts: Texts, to writer: inout ByteWriter) {
        writer.put(UInt8(texts.count))
        for field in Field.allCases {
            guard let text = texts[field] else { continue }
            writer.put(field.rawValue)
            writer.put(text)
        }
    }

    private static func texts(from reader: inout ByteReader) throws(MalformedMessage) -> Texts {
        var texts: Texts = [:]
        for _ in 0..<(try reader.number(UInt8.self, in: 0...UInt8(Field.allCases.count))) {
            guard let field = Field(rawValue: try reader.number(UInt8.self)), texts[field] == nil else { throw MalformedMessage() }
            texts[field] = try reader.data(most: field.most)
        }
        return texts
    }
}
