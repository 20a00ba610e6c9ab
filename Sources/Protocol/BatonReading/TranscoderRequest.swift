/// What the hub asks of `baton-transcoder`. Each request is answered by one `TranscoderAnswer`.
///
/// The hub sets the pace: a stream asks for a quarter of a second at a time, and a whole item for as much as fits into an answer.
package enum TranscoderRequest: Equatable, Sendable {
    /// The first one: as what all that follows is encoded.
    case begin(EncodedFormat)
    /// What is encoded from here on. Its file comes along as a descriptor.
    case source(TranscoderSource)
    /// So much sound of the source. Behind its end, or with `isSilent`, silence takes its place and the source stays where it is.
    case more(ms: UInt32, isSilent: Bool)
    /// So much sound of the source, and what the encoder still holds when the source ends; no silence.
    case rest(ms: UInt32)

    private enum Verb: UInt8 {
        case begin = 1
        case source, more, rest
    }

    package static let mostMs: UInt32 = 60_000
    package static let largest = 16_384

    package var files: Int { if case .source(let source) = self, source.hasFile { 1 } else { 0 } }

    package var frame: [UInt8] {
        switch self {
        case .begin(let format):
            var writer = ByteWriter(frame: Verb.begin.rawValue)
            format.write(to: &writer)
            return writer.frame
        case .source(let source):
            var writer = ByteWriter(frame: Verb.source.rawValue)
            source.write(to: &writer)
            return writer.frame
        case .more(let ms, let isSilent):
            var writer = ByteWriter(frame: Verb.more.rawValue)
            writer.put(ms)
            writer.put(UInt8(isSilent ? 1 : 0))
            return writer.frame
        case .rest(let ms):
            var writer = ByteWriter(frame: Verb.rest.rawValue)
            writer.put(ms)
            return writer.frame
        }
    }

    /// What follows the frame's head.
    package init(_ bytes: [UInt8]) throws(MalformedMessage) {
        var reader = ByteReader(bytes)
        guard let verb = Verb(rawValue: try reader.number(UInt8.self)) else { throw MalformedMessage() }
        switch verb {
        case .begin: self = .begin(try EncodedFormat(from: &reader))
        case .source: self = .source(try TranscoderSource(from: &reader))
        case .more: self = .more(ms: try Self.ms(from: &reader), isSilent: try reader.number(UInt8.self, in: 0...1) == 1)
        case .rest: self = .rest(ms: try Self.ms(from: &reader))
        }
        try reader.end()
    }

    private static func ms(from reader: inout ByteReader) throws(MalformedMessage) -> UInt32 {
        try reader.number(UInt32.self, in: 0...mostMs)
    }
}

/// One file, or none, and what listeners are told of it.
package struct TranscoderSource: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// No file.
        case silence
        case file
        /// A file that is still written: where it ends at the moment, more comes later.
        case growing
        /// No file, because the one before goes on.
        case same
    }

    package var title: String
    package var artist: String
    /// The file's name, whose ending is a hint of what is in it.
    package var name: String
    package var kind: Kind
    package var fromMs: UInt32
    /// Where it ends before the file does.
    package var untilMs: UInt32?

    /// In bytes of UTF-8.
    package static let longestText = 1_024

    package init(title: String, artist: String, name: String = "", _ kind: Kind = .silence, fromMs: UInt32 = 0, untilMs: UInt32? = nil) {
        self.title = title
        self.artist = artist
        self.name = name
        self.kind = kind
        self.fromMs = fromMs
        self.untilMs = untilMs
    }

    package var hasFile: Bool { kind == .file || kind == .growing }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(title)
        writer.put(artist)
        writer.put(name)
        writer.put(kind.rawValue)
        writer.put(fromMs)
        writer.put(untilMs ?? 0)
    }

    fileprivate init(from reader: inout ByteReader) throws(MalformedMessage) {
        title = try reader.text(most: Self.longestText)
        artist = try reader.text(most: Self.longestText)
        name = try reader.text(most: ReaderRequest.longestName)
        guard let kind = Kind(rawValue: try reader.number(UInt8.self)) else { throw MalformedMessage() }
        self.kind = kind
        fromMs = try reader.number()
        let until = try reader.number(UInt32.self)
        untilMs = until == 0 ? nil : until
    }
}
