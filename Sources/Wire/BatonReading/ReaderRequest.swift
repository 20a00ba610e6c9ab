/// A request of the hub to its reader. The reader answers each with one `ReaderAnswer`, and `read` or `covers` with one for each file, in
/// order, so that the hub always knows which file is being read.
///
/// The files are sent along as descriptors in the same order; a name is only a hint of the content.
package enum ReaderRequest: Equatable, Sendable {
    case read([String])
    /// Names and sizes of picture files, without their bytes.
    case covers([String])
    /// The bytes of a picture, unchanged.
    case picture(PictureLocation)
    case scaled(PictureLocation, PictureRequest)
    case colours(PictureLocation)
    /// A feed of RSS or Atom.
    case feed([UInt8])
    /// Silences in the first piece of a file.
    case silences(String)
    /// Silences in the next piece of that file.
    case moreSilences

    /// Limit of descriptors that the kernel passes with one message.
    package static let mostFiles = 253
    package static let longestName = 4_096
    /// Limit of a request, most of which is for an attached picture.
    package static let largest = PictureLocation.mostBytes + 65_536
    private enum Verb: UInt8 {
        case read = 1
        case picture, scaled, colours, covers, feed, silences, moreSilences
    }

    package static let mostFeedBytes = PictureLocation.mostBytes

    package var frame: [UInt8] {
        switch self {
        case .read(let names): return Self.frame(Verb.read.rawValue, names)
        case .covers(let names): return Self.frame(Verb.covers.rawValue, names)
        case .picture(let place):
            var writer = ByteWriter(frame: Verb.picture.rawValue)
            place.write(to: &writer)
            return writer.frame
        case .scaled(let place, let wish):
            var writer = ByteWriter(frame: Verb.scaled.rawValue)
            place.write(to: &writer)
            wish.write(to: &writer)
            return writer.frame
        case .silences(let name):
            var writer = ByteWriter(frame: Verb.silences.rawValue)
            writer.put(name)
            return writer.frame
        case .moreSilences: return ByteWriter(frame: Verb.moreSilences.rawValue).frame
        case .colours(let place):
            var writer = ByteWriter(frame: Verb.colours.rawValue)
            place.write(to: &writer)
            return writer.frame
        case .feed(let bytes):
            var writer = ByteWriter(frame: Verb.feed.rawValue)
            writer.put(bytes)
            return writer.frame
        }
    }

    /// Number of files that are sent along.
    package var files: Int {
        switch self {
        case .read(let names), .covers(let names): names.count
        case .picture(let place), .scaled(let place, _), .colours(let place): place.isFile ? 1 : 0
        case .silences: 1
        case .feed, .moreSilences: 0
        }
    }

    private static func frame(_ verb: UInt8, _ names: [String]) -> [UInt8] {
        var writer = ByteWriter(frame: verb)
        writer.put(UInt16(clamping: names.count))
        for name in names { writer.put(name) }
        return writer.frame
    }

    private static func names(from reader: inout ByteReader) throws(MalformedMessage) -> [String] {
        var names: [String] = []
        for _ in 0..<(try reader.number(UInt16.self, in: 0...UInt16(mostFiles))) { names.append(try reader.text(most: longestName)) }
        return names
    }

    /// Parses the bytes behind the frame's head.
    package init(_ bytes: [UInt8]) throws(MalformedMessage) {
        var reader = ByteReader(bytes)
        guard let verb = Verb(rawValue: try reader.number(UInt8.self)) else { throw MalformedMessage() }
        switch verb {
        case .read: self = .read(try Self.names(from: &reader))
        case .covers: self = .covers(try Self.names(from: &reader))
        case .picture: self = .picture(try PictureLocation(from: &reader))
        case .scaled: self = .scaled(try PictureLocation(from: &reader), try PictureRequest(from: &reader))
        case .colours: self = .colours(try PictureLocation(from: &reader))
        case .feed: self = .feed(try reader.data(most: Self.mostFeedBytes))
        case .silences: self = .silences(try reader.text(most: Self.longestName))
        case .moreSilences: self = .moreSilences
        }
        try reader.end()
    }
}

/// The location of a picture.
package enum PictureLocation: Equatable, Sendable {
    case file(String)
    /// The picture inside a music file.
    case embedded(String)
    case bytes([UInt8])

    package var isFile: Bool { if case .bytes = self { false } else { true } }

    /// Limit above which a picture is not a cover.
    package static let mostBytes = 32 << 20

    fileprivate func write(to writer: inout ByteWriter) {
        switch self {
        case .file(let path):
            writer.put(UInt8(0))
            writer.put(path)
        case .embedded(let path):
            writer.put(UInt8(1))
            writer.put(path)
        case .bytes(let bytes):
            writer.put(UInt8(2))
            writer.put(bytes)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(MalformedMessage) {
        switch try reader.number(UInt8.self) {
        case 0: self = .file(try reader.text(most: ReaderRequest.longestName))
        case 1: self = .embedded(try reader.text(most: ReaderRequest.longestName))
        case 2: self = .bytes(try reader.data(most: Self.mostBytes))
        default: throw MalformedMessage()
        }
    }
}

/// The wanted size and format of a picture.
package struct PictureRequest: Equatable, Sendable {
    /// A missing dimension follows from the other; without both the picture keeps its size.
    package var width: Int?
    package var height: Int?
    package var type: PictureType
    package var mostBytes: Int?

    /// Limit of a side; no screen needs more.
    package static let longestSide = 2_048

    package init(width: Int?, height: Int?, type: PictureType, mostBytes: Int? = nil) {
        self.width = width
        self.height = height
        self.type = type
        self.mostBytes = mostBytes
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(UInt16(clamping: width ?? 0))
        writer.put(UInt16(clamping: height ?? 0))
        writer.put(type.rawValue)
        writer.put(UInt32(clamping: mostBytes ?? 0))
    }

    fileprivate init(from reader: inout ByteReader) throws(MalformedMessage) {
        let sides = 0...UInt16(Self.longestSide)
        let width = Int(try reader.number(UInt16.self, in: sides))
        let height = Int(try reader.number(UInt16.self, in: sides))
        guard let type = PictureType(rawValue: try reader.number(UInt8.self)) else { throw MalformedMessage() }
        let most = Int(try reader.number(UInt32.self))
        self.init(
            width: width == 0 ? nil : width, height: height == 0 ? nil : height, type: type, mostBytes: most == 0 ? nil : most)
    }
}

package enum PictureType: UInt8, Sendable, CaseIterable {
    case jpeg = 1
    case png, webp, gif, bmp
}
