/// An answer of the reader. A malicious file may control the reader, so every length is limited, every number is checked, and none of its
/// texts is shown to people.
package enum ReaderAnswer: Equatable, Sendable {
    case facts(FileFacts)
    case cover(FileFacts.Cover)
    case picture(PictureFound)
    /// Ground and accent, as `0xRRGGBB`.
    case colours([Int])
    case feed(FeedFacts)
    case silences(SilencesFound)
    case failed(ReaderFailure)
    /// Sent when the reader ends after a while without requests.
    case left

    /// Largest answer to a `read`; the other limit applies to all other answers.
    package static let largestFacts = 2 << 20
    package static let largest = PictureLocation.mostBytes + 1_024

    private enum Kind: UInt8 {
        case facts = 1
        case picture, colours, failed, left, cover, feed, silences
    }

    package var frame: [UInt8] {
        switch self {
        case .facts(let facts):
            var writer = ByteWriter(frame: Kind.facts.rawValue)
            facts.write(to: &writer)
            return writer.frame
        case .cover(let cover):
            var writer = ByteWriter(frame: Kind.cover.rawValue)
            writer.put(cover.name)
            cover.header.write(to: &writer)
            return writer.frame
        case .picture(let picture):
            var writer = ByteWriter(frame: Kind.picture.rawValue)
            picture.write(to: &writer)
            return writer.frame
        case .colours(let colours):
            var writer = ByteWriter(frame: Kind.colours.rawValue)
            writer.put(UInt8(clamping: colours.count))
            for colour in colours { writer.put(UInt32(clamping: colour)) }
            return writer.frame
        case .feed(let facts):
            var writer = ByteWriter(frame: Kind.feed.rawValue)
            facts.write(to: &writer)
            return writer.frame
        case .silences(let found):
            var writer = ByteWriter(frame: Kind.silences.rawValue)
            found.write(to: &writer)
            return writer.frame
        case .failed(let failure):
            var writer = ByteWriter(frame: Kind.failed.rawValue)
            failure.write(to: &writer)
            return writer.frame
        case .left:
            return ByteWriter(frame: Kind.left.rawValue).frame
        }
    }

    /// Parses the bytes behind the frame's head.
    package init(_ bytes: [UInt8]) throws(MalformedMessage) {
        var reader = ByteReader(bytes)
        guard let kind = Kind(rawValue: try reader.number(UInt8.self)) else { throw MalformedMessage() }
        switch kind {
        case .facts: self = .facts(try FileFacts(from: &reader))
        case .cover: self = .cover(FileFacts.Cover(name: try reader.number(), header: try PictureHeader(from: &reader)))
        case .picture: self = .picture(try PictureFound(from: &reader))
        case .colours: self = .colours(try Self.colours(from: &reader))
        case .feed: self = .feed(try FeedFacts(from: &reader))
        case .silences: self = .silences(try SilencesFound(from: &reader))
        case .failed: self = .failed(try ReaderFailure(from: &reader))
        case .left: self = .left
        }
        try reader.end()
    }

    private static func colours(from reader: inout ByteReader) throws(MalformedMessage) -> [Int] {
        var colours: [Int] = []
        for _ in 0..<(try reader.number(UInt8.self, in: 2...2)) {
            colours.append(Int(try reader.number(UInt32.self, in: 0...0xFF_FFFF)))
        }
        return colours
    }
}

/// The reason why a file or picture could not be read, as a code; the hub writes the sentence.
package struct ReaderFailure: Error, Equatable, Sendable {
    package enum Code: UInt8, Sendable, CaseIterable {
        /// The system refused to open or read it; `status` is its error number.
        case system = 1
        /// Not a regular file, such as a pipe or a folder.
        case notAFile
        case empty
        /// No sound was found in it.
        case notSound
        /// Tags or a picture above the limit.
        case tooLarge
        case noPicture
        /// A picture of an unsupported format, or a broken one.
        case badPicture
        /// More pixels than the limit for decoding.
        case tooManyPixels
        /// The request's size limit cannot be met.
        case cannotFit
        /// It needed more memory than a reader has.
        case noMemory
        /// XML that is not a feed.
        case notFeed
        /// A web page instead of a feed.
        case isPage
        /// Text that is not XML, or broken XML.
        case brokenFeed
        /// XML that declares entities, which can expand a few bytes to many.
        case declaresEntities
        /// XML that is nested more deeply than any feed.
        case tooDeep
    }

    package var code: Code
    package var status: Int32

    package init(_ code: Code, status: Int32 = 0) {
        self.code = code
        self.status = status
    }

    func write(to writer: inout ByteWriter) {
        writer.put(code.rawValue)
        writer.put(status)
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        guard let code = Code(rawValue: try reader.number(UInt8.self)) else { throw MalformedMessage() }
        self.init(code, status: try reader.number(Int32.self, in: 0...4_095))
    }
}

/// A picture, with the header from its own first bytes.
package struct PictureFound: Equatable, Sendable {
    /// The first half of its hash.
    package var name: UInt64
    package var header: PictureHeader
    package var bytes: [UInt8]

    package init(name: UInt64, header: PictureHeader, bytes: [UInt8]) {
        self.name = name
        self.header = header
        self.bytes = bytes
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(name)
        header.write(to: &writer)
        writer.put(bytes)
    }

    fileprivate init(from reader: inout ByteReader) throws(MalformedMessage) {
        name = try reader.number()
        header = try PictureHeader(from: &reader)
        bytes = try reader.data(most: PictureLocation.mostBytes)
    }
}

extension PictureHeader {
    func write(to writer: inout ByteWriter) {
        writer.put(type.rawValue)
        writer.put(UInt32(clamping: width))
        writer.put(UInt32(clamping: height))
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        guard let type = PictureType(rawValue: try reader.number(UInt8.self)) else { throw MalformedMessage() }
        let sides = 1...UInt32(PictureHeader.longestSide)
        self.init(type: type, width: Int(try reader.number(UInt32.self, in: sides)), height: Int(try reader.number(UInt32.self, in: sides)))
    }
}
