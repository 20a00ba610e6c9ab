/// Groups of addresses that count as one peer.
package enum AddressGroup {
    /// The group of an address. A machine elsewhere can use any address in its network's IPv6 /64, so a /64 is one group. Link-local addresses all
    /// share one /64 and are told apart, and so are IPv4 addresses.
    package static func of(_ address: String) -> String {
        guard address.contains(":"), !address.lowercased().hasPrefix("fe80:"), !address.contains(".") else { return address }
        let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false).map { half in
            half.split(separator: ":").map(String.init)
        }
        let head = halves[0]
        guard halves.count == 2 else { return head.prefix(4).joined(separator: ":") + "::/64" }
        let zeros = [String](repeating: "0", count: max(0, 8 - head.count - halves[1].count))
        return (head + zeros + halves[1]).prefix(4).joined(separator: ":") + "::/64"
    }

    /// True for the loopback, and for channels without an address, such as a socket file.
    package static func isThisMachine(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: ":") }
    }
}
