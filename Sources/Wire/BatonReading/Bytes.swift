/// The byte format of messages between hub and reader: numbers are little-endian, and every field of variable length is preceded by its
/// length.

/// A writer for one message.
struct ByteWriter {
    private(set) var bytes: [UInt8]

    /// Starts a frame; its length is filled in at the end.
    init(frame kind: UInt8) {
        bytes = [0, 0, 0, 0, kind]
    }

    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        var rest = number.littleEndian
        withUnsafeBytes(of: &rest) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ data: some Collection<UInt8>) {
        put(UInt32(clamping: data.count))
        bytes.append(contentsOf: data)
    }

    mutating func put(_ text: String) { put(Array(text.utf8)) }

    /// The whole frame.
    var frame: [UInt8] {
        var frame = bytes
        let length = UInt32(clamping: frame.count - FrameHead.length)
        for at in 0..<FrameHead.length { frame[at] = UInt8(truncatingIfNeeded: length >> (8 * at)) }
        return frame
    }
}

/// A reader for one message. A malformed message ends the connection to its sender.
struct ByteReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { at == bytes.count }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(MalformedMessage) -> Number {
        let width = Number.bitWidth / 8
        guard bytes.count - at >= width else { throw MalformedMessage() }
        var number: Number.Magnitude = 0
        for byte in 0..<width { number |= Number.Magnitude(bytes[at + byte]) << (8 * byte) }
        at += width
        return Number(truncatingIfNeeded: number)
    }

    /// A number within bounds that the caller sets.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type, in range: ClosedRange<Number>) throws(MalformedMessage) -> Number {
        let number = try self.number(type)
        guard range.contains(number) else { throw MalformedMessage() }
        return number
    }

    mutating func data(most: Int) throws(MalformedMessage) -> [UInt8] {
        let length = Int(try number(UInt32.self))
        guard length <= most, bytes.count - at >= length else { throw MalformedMessage() }
        defer { at += length }
        return Array(bytes[at..<at + length])
    }

    mutating func text(most: Int) throws(MalformedMessage) -> String {
        guard let text = String(validating: try data(most: most), as: UTF8.self) else { throw MalformedMessage() }
        return text
    }

    func end() throws(MalformedMessage) {
        guard isAtEnd else { throw MalformedMessage() }
    }
}

/// A message that the other side does not understand.
package struct MalformedMessage: Error, Equatable {
    package init() {}
}

/// The head of a frame: the number of bytes that follow.
package enum FrameHead {
    package static let length = 4

    /// `nil` if there are too few bytes.
    package static func size(_ bytes: some Collection<UInt8>) -> Int? {
        guard bytes.count >= length else { return nil }
        return bytes.prefix(length).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
