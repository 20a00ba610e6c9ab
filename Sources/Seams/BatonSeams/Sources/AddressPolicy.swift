/// Which addresses a call to another server may reach. It is asked about every address before a request is sent there,
/// also after a redirect and also on a connection that was opened for an earlier call.
///
/// A source on the internet could answer with a redirect, or with a name, that leads to this machine or to the home
/// network. So only public addresses are allowed, except on the server that the owner configured.
package struct AddressPolicy: Sendable {
    private let isAllowed: @Sendable (CallTarget) -> Bool

    package init(_ isAllowed: @escaping @Sendable (CallTarget) -> Bool) { self.isAllowed = isAllowed }

    package func allows(_ target: CallTarget) -> Bool { isAllowed(target) }

    package static let publicOnly = AddressPolicy { $0.address.isPublic }

    /// This server may be at any address; all others must be public.
    package static func server(_ host: String, port: Int) -> AddressPolicy {
        let host = host.lowercased()
        return AddressPolicy { $0.address.isPublic || ($0.host == host && $0.port == port) }
    }
}

/// Where a request is about to go.
package struct CallTarget: Equatable, Sendable {
    /// As the URL names it, in lower case; an IPv6 address in brackets.
    package var host: String
    package var port: Int
    package var address: NetworkAddress

    package init(host: String, port: Int, address: NetworkAddress) {
        self.host = host
        self.port = port
        self.address = address
    }
}

/// An IPv4 or IPv6 address.
package struct NetworkAddress: Equatable, Sendable {
    /// Four or sixteen.
    package let bytes: [UInt8]

    /// `nil` for any other number of bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Whether it belongs to the internet: neither this machine, a private network, a link, a group nor a range that is
    /// reserved (RFC 6890). An IPv6 address that carries an IPv4 address is judged by that one.
    package var isPublic: Bool {
        if bytes.count == 4 { return Self.isPublic(bytes[...]) }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0, 0, _, _) where bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF:
            return Self.isPublic(bytes[12...])
        case (0, 0x64, 0xFF, 0x9B) where bytes[4..<12].allSatisfy { $0 == 0 }: return Self.isPublic(bytes[12...])
        case (0x20, 0x02, _, _): return Self.isPublic(bytes[2..<6])
        // Teredo and other mechanisms of transition, and addresses for documents.
        case (0x20, 0x01, 0...1, _), (0x20, 0x01, 0x0D, 0xB8): return false
        default: return bytes[0] & 0xE0 == 0x20
        }
    }

    private static func isPublic(_ bytes: ArraySlice<UInt8>) -> Bool {
        let (a, b, c) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1], bytes[bytes.startIndex + 2])
        switch (a, b, c) {
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): return false
        case (100, 64..<128, _), (169, 254, _), (172, 16..<32, _), (192, 168, _), (198, 18...19, _): return false
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113): return false
        default: return true
        }
    }
}
