/// A request of the hub to `baton-transcoder`. Each request gets one `TranscoderAnswer`.
///
/// The hub sets the pace: a stream requests a quarter of a second at a time, and a whole item as much as fits into an answer.
package enum TranscoderRequest: Equatable, Sendable {
    /// The first request: the format of everything that follows.
    case begin(EncodedFormat)
    /// The source from here on, whose file is sent along as a descriptor.
    case source(TranscoderSource)
    /// The next `ms` of the source. After its end, or with `isSilent`, silence is sent and the source does not advance.
    case more(ms: UInt32, isSilent: Bool)
    /// The next `ms` of the source, with the rest of the encoder's data at the end of the source and without silence.
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

    /// Parses the bytes behind the frame's head.
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

/// One file, or none, and its description for listeners.
package struct TranscoderSource: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// No file.
        case silence
        case file
        /// A file that is still being written. Its current end is not final.
        case growing
        /// No file; the previous one continues.
        case same
    }

    package var title: String
    package var artist: String
    /// The file's name, whose extension is a hint of its format.
    package var name: String
    package var kind: Kind
    package var fromMs: UInt32
    /// End position, if it is before the end of the file.
    package var untilMs: UInt32?

    /// Limit in bytes of UTF-8.
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
