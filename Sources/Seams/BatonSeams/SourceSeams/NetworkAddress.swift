import Glibc

/// An IPv4 or IPv6 address, and its reach.
package struct NetworkAddress: Equatable, Sendable {
    /// The network that an address belongs to (RFC 6890).
    package enum Reach: Equatable, Sendable, CaseIterable {
        /// Reachable from everywhere, in a home or company network, or this machine itself.
        case internet, privateNetwork, thisMachine
        /// A link-local, multicast or reserved address.
        case other
    }

    /// Four or sixteen bytes.
    package let bytes: [UInt8]

    /// `nil` for any other number of bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads an address without brackets and zone; `nil` for other text, such as a name.
    package init?(bare text: String) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 {
                self.init(bytes)
                return
            }
        }
        return nil
    }

    /// True for an address of the internet.
    package var isPublic: Bool { reach == .internet }

    /// The reach of the address. An IPv6 address that contains an IPv4 address has the reach of that one.
    package var reach: Reach {
        if bytes.count == 4 { return Self.reach(of: bytes[...]) }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0, 0, _, _) where bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF:
            return Self.reach(of: bytes[12...])
        case (0, 0, _, _) where bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] <= 1: return .thisMachine
        case (0, 0x64, 0xFF, 0x9B) where bytes[4..<12].allSatisfy { $0 == 0 }: return Self.reach(of: bytes[12...])
        case (0x20, 0x02, _, _): return Self.reach(of: bytes[2..<6])
        // Teredo and other transition mechanisms, and addresses for documentation.
        case (0x20, 0x01, 0...1, _), (0x20, 0x01, 0x0D, 0xB8): return .other
        case (0xFC...0xFD, _, _, _): return .privateNetwork
        default: return bytes[0] & 0xE0 == 0x20 ? .internet : .other
        }
    }

    private static func reach(of bytes: ArraySlice<UInt8>) -> Reach {
        let (a, b, c) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1], bytes[bytes.startIndex + 2])
        switch (a, b, c) {
        // 0.0.0.0 leads to this machine too.
        case (0, _, _), (127, _, _): return .thisMachine
        case (10, _, _), (172, 16..<32, _), (192, 168, _), (100, 64..<128, _): return .privateNetwork
        case (224..., _, _), (169, 254, _), (198, 18...19, _): return .other
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113): return .other
        default: return .internet
        }
    }
}
