import BatonCore

/// One record of a segment: a head of fixed length, and its content. Checksums in the heads reveal a file that was truncated, for example
/// by a power cut.
struct SegmentRecord: Equatable {
    enum Kind: UInt8 {
        case sound = 1
        case title = 2
        /// Data that a decoder needs before it starts at this position.
        case entry = 3
    }

    var kind: Kind
    var position: Int64
    /// Milliseconds since 1970.
    var timeMs: Milliseconds
    var content: [UInt8]

    static let headBytes = 32
    static let mostContent = 1 << 20
    private static let sign: UInt32 = 0x4B52_4E42

    /// Magic number, kind and length, position, time, checksum of the content, checksum of the head.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headBytes + content.count)
        Self.put(Self.sign, &bytes)
        Self.put(UInt32(kind.rawValue) << 24 | UInt32(content.count), &bytes)
        Self.put(UInt64(bitPattern: position), &bytes)
        Self.put(UInt64(bitPattern: timeMs.count), &bytes)
        Self.put(Self.sum(content[...]), &bytes)
        Self.put(Self.sum(bytes[...]), &bytes)
        return bytes + content
    }

    struct Head {
        var kind: Kind
        var count: Int
        var position: Int64
        var timeMs: Milliseconds
        /// Checksum of the content.
        var sum: UInt32

        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= SegmentRecord.headBytes else { return nil }
            let bytes = bytes.prefix(SegmentRecord.headBytes)
            guard SegmentRecord.number(in: bytes, at: 0, as: UInt32.self) == SegmentRecord.sign,
                SegmentRecord.number(in: bytes, at: 28, as: UInt32.self) == SegmentRecord.sum(bytes.dropLast(4))
            else { return nil }
            let kindAndCount = SegmentRecord.number(in: bytes, at: 4, as: UInt32.self)
            guard let kind = Kind(rawValue: UInt8(kindAndCount >> 24)) else { return nil }
            self.kind = kind
            count = Int(kindAndCount & 0xFF_FFFF)
            position = Int64(bitPattern: SegmentRecord.number(in: bytes, at: 8, as: UInt64.self))
            timeMs = Milliseconds(Int64(bitPattern: SegmentRecord.number(in: bytes, at: 16, as: UInt64.self)))
            sum = SegmentRecord.number(in: bytes, at: 24, as: UInt32.self)
            guard count <= SegmentRecord.mostContent, position >= 0, position < Int64.max / 2 else { return nil }
        }

        func fits(_ content: ArraySlice<UInt8>) -> Bool { SegmentRecord.fits(content, count: count, sum: sum) }
    }

    static func fits(_ content: ArraySlice<UInt8>, count: Int, sum: UInt32) -> Bool {
        content.count == count && Self.sum(content) == sum
    }

    private static func put<Number: FixedWidthInteger>(_ number: Number, _ bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift))) }
    }

    private static func number<Number: FixedWidthInteger>(in bytes: ArraySlice<UInt8>, at: Int, as _: Number.Type) -> Number {
        var number: Number = 0
        for position in 0..<Number.bitWidth / 8 { number |= Number(bytes[bytes.startIndex + at + position]) << Number(position * 8) }
        return number
    }

    /// FNV-1a. It detects damage but not forgery, since a forger can compute the checksum as well.
    private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
