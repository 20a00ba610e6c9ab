import BatonSeams

/// The WebSocket header of a whole, unmasked message, as a server writes it (RFC 6455, 5.2).
extension Frame {
    private static let finalText: UInt8 = 0x81
    private static let finalBinary: UInt8 = 0x82

    /// Lays the header in front of the payload, once.
    func layHeader() {
        guard headerCount == 0 else { return }
        let count = payloadCount
        let (mark, lengthBytes) = count < 126 ? (count, 0) : count < 65_536 ? (126, 2) : (127, 8)
        headerCount = 2 + lengthBytes
        storage[Frame.headroom - headerCount] = isBinary ? Self.finalBinary : Self.finalText
        storage[Frame.headroom - headerCount + 1] = UInt8(mark)
        for index in 0..<lengthBytes { storage[Frame.headroom - 1 - index] = UInt8(truncatingIfNeeded: count >> (index * 8)) }
    }

    /// Header and payload.
    var wireBytes: ArraySlice<UInt8> {
        layHeader()
        return storage[(Frame.headroom - headerCount)...]
    }
}
