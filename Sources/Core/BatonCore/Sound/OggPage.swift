/// The header of one Ogg page: the page's length, its time in the stream, and the ends of the packets in it. A value.
package struct OggPage: Equatable, Sendable {
    package enum Reading: Equatable, Sendable {
        case page(OggPage)
        /// Too few bytes to decide.
        case short
        /// The bytes begin no page.
        case none
    }

    /// The size of the header without its table of pieces.
    package static let fixedBytes = 27
    /// Maximum size of a page.
    package static let mostBytes = fixedBytes + 255 + 255 * 255
    /// The bytes that begin each page, so that a reader can join a stream in the middle.
    package static let mark = Array("OggS".utf8)

    /// The serial number of its stream, where several streams are sent as one.
    package let serial: UInt32
    /// The time in units of the codec, mostly samples, at the end of the last packet that ends in this page.
    package let time: UInt64
    private let flags: UInt8
    /// Lengths of the pieces of packets; a piece of less than 255 bytes ends its packet.
    package let pieces: [UInt8]

    /// True for the first page of a stream.
    package var isBeginning: Bool { flags & 2 != 0 }
    /// True when the page begins inside a packet.
    package var isContinued: Bool { flags & 1 != 0 }
    /// True for pages with a time: all bits set means that no packet ends here, and header pages have 0.
    package var hasTime: Bool { time != 0 && time != .max }
    /// Size of the header with its table of pieces; the content begins behind it.
    package var headBytes: Int { Self.fixedBytes + pieces.count }
    /// The size of the whole page.
    package var length: Int { headBytes + pieces.reduce(0) { $0 + Int($1) } }

    /// Reads a page's header. The content need not be complete.
    package static func read(_ bytes: ArraySlice<UInt8>) -> Reading {
        guard zip(bytes, mark).allSatisfy({ $0 == $1 }) else { return .none }
        guard bytes.count >= fixedBytes else { return .short }
        let at = bytes.startIndex
        guard bytes[at + 4] == 0 else { return .none }
        let count = Int(bytes[at + 26])
        guard bytes.count >= fixedBytes + count else { return .short }
        return .page(
            OggPage(
                serial: UInt32(truncatingIfNeeded: number(bytes[at + 14..<at + 18])), time: number(bytes[at + 6..<at + 14]),
                flags: bytes[at + 5], pieces: Array(bytes[at + fixedBytes..<at + fixedBytes + count])))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
