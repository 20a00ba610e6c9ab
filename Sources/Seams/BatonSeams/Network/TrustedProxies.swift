/// The reverse proxies in front of the hub, and the use of the headers that they add.
///
/// Only addresses that the owner has named are trusted. Every request from one counts as coming from the network, with or without such headers,
/// because a proxy that adds none would otherwise pass for a program on this machine.
import Glibc

/// The trust in proxies, which is empty unless the owner names some.
package struct TrustedProxies: Equatable, Sendable {
    /// The addresses of the proxies; empty where the owner names none, and then no header of a proxy is believed.
    package private(set) var networks: [AddressRange]

    package init(_ networks: [AddressRange] = []) { self.networks = networks }

    /// The reason why a request is refused.
    package struct Fault: Error, Equatable {
        package var sentence: String
    }

    /// True for the address of a trusted proxy.
    package func contains(_ address: String) -> Bool {
        guard !networks.isEmpty, let bytes = AddressRange.bytes(of: address) else { return false }
        return networks.contains { $0.contains(bytes) }
    }

    /// The peer that a request comes from, by its headers (lower-case names). `isMarked` is true when a header is present that only proxies add.
    package func peer(behind peer: Peer, _ headers: [String: String], isMarked: Bool) throws(Fault) -> Peer {
        if case .unix = peer.channel { return isMarked ? Peer(channel: .network, address: peer.address) : peer }
        guard contains(peer.address) else {
            // A TLS peer has to prove who it is, whether it is a proxy or not.
            return isMarked && peer.channel != .tls ? Peer(channel: .network, address: peer.address) : peer
        }
        let address = try client(headers, of: peer.address) ?? peer.address
        let isSecure = peer.channel == .tls || scheme(headers) == "https"
        return Peer(channel: isSecure ? .tls : .network, address: address)
    }

    /// The nearest address that is not one of our proxies; earlier ones were written by the client itself.
    private func client(_ headers: [String: String], of proxy: String) throws(Fault) -> String? {
        let named = try headers["x-forwarded-for"].map { text throws(Fault) in
            try nearest(in: Self.list(text), of: "X-Forwarded-For", by: proxy)
        }
        let standard = try headers["forwarded"].map { text throws(Fault) in try nearest(in: Self.clients(text), of: "Forwarded", by: proxy)
        }
        if let named, let standard, named != standard {
            throw Fault(
                sentence:
                    "The proxy \(proxy) names one client in X-Forwarded-For and another in Forwarded; it must set one and remove the other."
            )
        }
        return named ?? standard
    }

    private func nearest(in entries: [String], of header: String, by proxy: String) throws(Fault) -> String {
        var last: String?
        for entry in entries.reversed() {
            guard let address = Self.address(entry) else {
                throw Fault(sentence: "The proxy \(proxy) sends a header \(header) with \"\(entry.prefix(64))\", which is no address.")
            }
            guard contains(address) else { return address }
            last = address
        }
        guard let last else { throw Fault(sentence: "The proxy \(proxy) sends a header \(header) without an address.") }
        return last
    }

    private func scheme(_ headers: [String: String]) -> String? {
        if let text = headers["x-forwarded-proto"] { return Self.list(text).last?.lowercased() }
        return headers["forwarded"].flatMap { Self.values(of: "proto", in: $0).last?.lowercased() }
    }

    // MARK: Reading

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { String($0.filter { $0 != " " && $0 != "\t" }) }.filter { !$0.isEmpty }
    }

    private static func clients(_ text: String) -> [String] { values(of: "for", in: text) }

    /// The values of one name in `Forwarded` (RFC 7239), nearest last. Quoted values may contain commas and semicolons.
    private static func values(of name: String, in text: String) -> [String] {
        var pairs: [String] = [""]
        var isQuoted = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case ",", ";": if isQuoted { pairs[pairs.count - 1].append(character) } else { pairs.append("") }
            case " ", "\t": if isQuoted { pairs[pairs.count - 1].append(character) }
            default: pairs[pairs.count - 1].append(character)
            }
        }
        return pairs.compactMap { pair in
            guard let equals = pair.firstIndex(of: "="), pair[..<equals].lowercased() == name else { return nil }
            return String(pair[pair.index(after: equals)...])
        }
    }

    /// The address without port and brackets, in the form of the system; `nil` for anything else.
    private static func address(_ text: String) -> String? {
        var host = text[...]
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            host = host[host.index(after: host.startIndex)..<end]
        } else if host.split(separator: ":", omittingEmptySubsequences: false).count == 2, let colon = host.firstIndex(of: ":") {
            host = host[..<colon]
        }
        return AddressRange.bytes(of: String(host)).map(AddressRange.text)
    }
}

/// A range of addresses with a common prefix: `10.0.0.0/8`, `fd00::/8`, or a single address.
package struct AddressRange: Equatable, Sendable {
    private let start: [UInt8]
    private let bits: Int

    /// Reads a range. Bits behind the prefix must be 0.
    package init?(text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, let bytes = Self.bytes(of: first) else { return nil }
        guard parts.count == 2 else {
            (start, bits) = (bytes, bytes.count * 8)
            return
        }
        guard parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let bits = Int(parts[1]), 1...(bytes.count * 8) ~= bits else { return nil }
        // Set bits behind the prefix would be a mistake in its length.
        guard Self.isEqual(bytes, bytes.enumerated().map { $1 & Self.mask(bits, $0) }, bits: bytes.count * 8) else { return nil }
        (start, self.bits) = (bytes, bits)
    }

    func contains(_ address: [UInt8]) -> Bool { address.count == start.count && Self.isEqual(address, start, bits: bits) }

    private static func isEqual(_ a: [UInt8], _ b: [UInt8], bits: Int) -> Bool {
        a.indices.allSatisfy { a[$0] & mask(bits, $0) == b[$0] & mask(bits, $0) }
    }

    /// The mask for the bits of the byte at this index.
    private static func mask(_ bits: Int, _ index: Int) -> UInt8 {
        let here = min(max(bits - index * 8, 0), 8)
        return here == 0 ? 0 : UInt8(truncatingIfNeeded: 0xFF << (8 - here))
    }

    /// Four bytes or sixteen; an IPv4 address in IPv6 form becomes IPv4. `localhost` is 127.0.0.1.
    static func bytes(of text: String) -> [UInt8]? {
        let text = text == "localhost" ? "127.0.0.1" : text
        guard let bytes = NetworkAddress(bare: text)?.bytes else { return nil }
        let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? Array(bytes[12...]) : bytes
    }

    static func text(of bytes: [UInt8]) -> String {
        var room = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &room, socklen_t(room.count))
        return String(decoding: room.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
}
