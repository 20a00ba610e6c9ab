import BatonSeams

/// The WebSocket header of a whole, unmasked message from a server (RFC 6455, 5.2).
extension Frame {
    private static let finalText: UInt8 = 0x81
    private static let finalBinary: UInt8 = 0x82

    /// Writes the header in front of the payload, once.
    func layHeader() {
        if headerCount == 0 { headerCount = Self.layHeader(isBinary ? Self.finalBinary : Self.finalText, in: &storage) }
    }

    /// Writes the header and returns its length. The array is passed in, so that it is accessed once and not for each byte.
    private static func layHeader(_ kind: UInt8, in storage: inout [UInt8]) -> Int {
        let count = storage.count - headroom
        let (mark, lengthBytes) = count < 126 ? (count, 0) : count < 65_536 ? (126, 2) : (127, 8)
        storage[headroom - 2 - lengthBytes] = kind
        storage[headroom - 1 - lengthBytes] = UInt8(mark)
        for index in 0..<lengthBytes { storage[headroom - 1 - index] = UInt8(truncatingIfNeeded: count >> (index * 8)) }
        return 2 + lengthBytes
    }

    /// Header and payload.
    var wireBytes: ArraySlice<UInt8> {
        layHeader()
        return storage[(Frame.headroom - headerCount)...]
    }
}
