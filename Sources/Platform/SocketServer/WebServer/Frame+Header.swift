import BatonSeams

/// The WebSocket header of a whole, unmasked message from a server (RFC 6455, 5.2).
extension Frame {
    private static let finalText: UInt8 = 0x81
    private static let finalBinary: UInt8 = 0x82

    /// Writes the header in front of the payload, once.
    func layHeader() {
        if headerCount == 0 { headerCount = Self.layHeader(kind, of: storage.count - Self.headroom, before: Self.headroom, in: &storage) }
    }

    private var kind: UInt8 { isBinary ? Self.finalBinary : Self.finalText }

    /// Lays the header of a payload of `count` bytes in front of its place, and says how long it is.
    private static func layHeader(_ kind: UInt8, of count: Int, before place: Int, in bytes: inout [UInt8]) -> Int {
        let (mark, lengthBytes) = count < 126 ? (count, 0) : count < 65_536 ? (126, 2) : (127, 8)
        bytes[place - 2 - lengthBytes] = kind
        bytes[place - 1 - lengthBytes] = UInt8(mark)
        for index in 0..<lengthBytes { bytes[place - 1 - index] = UInt8(truncatingIfNeeded: count >> (index * 8)) }
        return 2 + lengthBytes
    }

    /// Two messages as they leave together, with room in front, and where the first header begins.
    func joined(with next: Frame) -> (bytes: [UInt8], start: Int) {
        let (first, second) = (storage, next.storage)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(first.count + second.count)
        bytes.append(contentsOf: first)
        let start = Self.headroom - Self.layHeader(kind, of: first.count - Self.headroom, before: Self.headroom, in: &bytes)
        // The header of the second stands in its own headroom, of which the rest is left out.
        let count = second.count - Self.headroom
        let header = count < 126 ? 2 : count < 65_536 ? 4 : 10
        bytes.append(contentsOf: second[(Self.headroom - header)...])
        _ = Self.layHeader(next.kind, of: count, before: bytes.count - count, in: &bytes)
        return (bytes, start)
    }
}
