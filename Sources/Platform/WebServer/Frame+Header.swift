import BatonSeams

/// The WebSocket header of a whole, unmasked message, as a server writes it (RFC 6455, 5.2).
extension Frame {
    private static let finalText: UInt8 = 0x81
    private static let finalBinary: UInt8 = 0x82

    /// Lays the header in front of the payload, once.
    func layHeader() {
        guard headerCount == 0 else { return }
        let first = isBinary ? Self.finalBinary : Self.finalText
        let count = payloadCount
        switch count {
        case ..<126: put([first, UInt8(count)])
        case ..<65_536: put([first, 126, UInt8(count >> 8), UInt8(count & 255)])
        default: put([first, 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) })
        }
    }

    private func put(_ header: [UInt8]) {
        storage.replaceSubrange(Frame.headroom - header.count..<Frame.headroom, with: header)
        headerCount = header.count
    }

    /// Header and payload.
    var wireBytes: ArraySlice<UInt8> {
        layHeader()
        return storage[(Frame.headroom - headerCount)...]
    }
}
