/// The transfer of a picture over the artwork channel: binary messages of at most 16 KiB, in order, one picture at a time
/// (`Protocol/profiles/library.md`).

/// One binary message of the artwork channel. All numbers are big-endian.
public struct ArtFrame: Equatable, Sendable {
    /// First byte of every frame, which tells a client that the binary message belongs to a picture.
    package static let channel: UInt8 = 0x10
    /// Largest number of data bytes in one frame; the limit of the connection (`hello.max`) may lower it.
    package static let mostData = 16 * 1024
    /// Length of the longest header, which is that of the first frame.
    package static let mostHeader = 13

    /// The description of the whole picture in its first frame.
    public struct Head: Equatable, Sendable {
        /// Length of the whole picture in bytes, so that a receiver can reserve memory once.
        public var total: Int
        /// Format: 1 for JPEG, 2 for PNG.
        public var format: UInt8
        /// Width of the picture in pixels, after it was scaled to the requested size.
        public var width: Int
        /// Height of the picture in pixels, after it was scaled to the requested size.
        public var height: Int

        package init(total: Int, format: UInt8, width: Int, height: Int) {
            self.total = total
            self.format = format
            self.width = width
            self.height = height
        }
    }

    /// The number of the transfer from the answer to `art.get`; it connects the frames to their request and has 16 bits.
    public var transfer: Int
    /// The description of the picture; only the first frame of a transfer has one.
    public var head: Head?
    /// True if the picture is complete with this frame.
    public var isLast: Bool
    /// True if the transfer is cancelled; the receiver drops its part of the picture.
    public var isCancelled: Bool
    /// A piece of the encoded picture, which follows the data of the frame before; empty in a frame that cancels.
    public var data: [UInt8]

    package init(transfer: Int, head: Head? = nil, isLast: Bool = false, isCancelled: Bool = false, data: [UInt8] = []) {
        self.transfer = transfer
        self.head = head
        self.isLast = isLast
        self.isCancelled = isCancelled
        self.data = data
    }

    /// The number on the wire for the name of a format; every name but `png` counts as JPEG.
    package static func format(named name: String) -> UInt8 { name == "png" ? 2 : 1 }

    private static let flagFirst: UInt8 = 1
    private static let flagLast: UInt8 = 2
    private static let flagCancel: UInt8 = 4

    /// The frame as it is sent: a header of 4 or 13 bytes, then the data.
    package var bytes: [UInt8] {
        var flags: UInt8 = head == nil ? 0 : Self.flagFirst
        if isLast { flags |= Self.flagLast }
        if isCancelled { flags |= Self.flagCancel }
        var bytes = [Self.channel, flags] + Self.big(transfer, 2)
        if let head {
            bytes += Self.big(head.total, 4) + [head.format] + Self.big(head.width, 2) + Self.big(head.height, 2)
        }
        return bytes + data
    }

    /// `nil` if the bytes are not a frame of this channel.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, bytes[0] == Self.channel else { return nil }
        let flags = bytes[1]
        transfer = Self.number(bytes[2..<4])
        isLast = flags & Self.flagLast != 0
        isCancelled = flags & Self.flagCancel != 0
        var start = 4
        if flags & Self.flagFirst != 0 {
            guard bytes.count >= 13 else { return nil }
            head = Head(
                total: Self.number(bytes[4..<8]), format: bytes[8], width: Self.number(bytes[9..<11]),
                height: Self.number(bytes[11..<13]))
            start = 13
        }
        data = Array(bytes[start...])
        guard data.count <= Self.mostData else { return nil }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
