/// The rule for addresses that a call to another server may reach. It checks every address after name lookup and before a request is sent, also after
/// a redirect, and also on a reused connection.
///
/// A source on the internet could lead to this machine or the home network by a redirect or a name. So such addresses are permitted only for the
/// server that the owner configured, or when a person named them; this machine is reached only from this machine. A redirect may lead to a private
/// network if the redirecting server is in one.
package struct AddressPolicy: Sendable {
    private let isAllowed: @Sendable (CallTarget) -> Bool

    /// A rule that asks this function for every address.
    package init(_ isAllowed: @escaping @Sendable (CallTarget) -> Bool) { self.isAllowed = isAllowed }

    /// True when the target may be reached.
    package func allows(_ target: CallTarget) -> Bool { isAllowed(target) }

    /// The rule for addresses that a server gave.
    package static let publicOnly = AddressPolicy { $0.reach == .internet || $0.staysInPrivateNetwork }

    /// The rule for this server, which may have any address.
    package static func server(_ host: String, port: Int) -> AddressPolicy {
        let server = AllowedHost(host, port: port)
        return AddressPolicy { publicOnly.allows($0) || server.matches($0) }
    }

    /// The rule for an address that was named by a person on this machine, or by one elsewhere.
    package static func named(onThisMachine: Bool) -> AddressPolicy {
        AddressPolicy { target in
            if publicOnly.allows(target) { return true }
            guard target.way == .named else { return false }
            return onThisMachine || target.reach == .privateNetwork
        }
    }
}

/// A server that may be called at any address: that of an account, or one that the owner permits.
package struct AllowedHost: Equatable, Sendable {
    /// The host in lower case; an IPv6 address in brackets.
    package let host: String
    /// The port; `nil` for all ports.
    package let port: Int?

    /// A host as a person or an account names it; it is compared in lower case.
    package init(_ host: String, port: Int? = nil) {
        let lower = host.lowercased()
        self.host = lower.contains(":") && !lower.hasPrefix("[") ? "[\(lower)]" : lower
        self.port = port
    }

    /// Reads `nas.home`, `nas.home:4533` or `[fd00::7]:4533`; `nil` for anything else.
    package init?(text: String) {
        let lower = text.lowercased()
        let colon = lower.hasPrefix("[") ? lower.range(ofLast: "]:") : lower.lastIndex(of: ":")
        let host = colon.map { lower[..<$0] } ?? lower[...]
        let port = colon.map { lower[lower.index(after: $0)...] }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 2
        guard !host.isEmpty, isBracketed || !host.contains(where: { ":[]".contains($0) }), host.utf8.allSatisfy(Self.isHostByte) else {
            return nil
        }
        guard let port else {
            self.init(String(host))
            return
        }
        guard let number = Int(port), 1...65_535 ~= number, port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        self.init(String(host), port: number)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._:[]".utf8.contains(byte) || byte >= 0x80
        }
    }

    /// The form that `init(text:)` reads.
    package var text: String { port.map { "\(host):\($0)" } ?? host }

    /// True for a target on this host, whatever address the name has.
    package func matches(_ target: CallTarget) -> Bool { target.host == host && (port.map { $0 == target.port } ?? true) }
}

extension String {
    /// The index of the last character of the last occurrence of `pattern`.
    fileprivate func range(ofLast pattern: String) -> Index? {
        indices.last { self[$0...].hasPrefix(pattern) }.map { index($0, offsetBy: pattern.count - 1) }
    }
}

/// The target of a request.
package struct CallTarget: Equatable, Sendable {
    /// The origin of the address.
    package enum Way: Equatable, Sendable {
        /// The URL of the call.
        case named
        /// A redirect by the server at this address; `nil` when its address is unknown.
        case redirected(by: NetworkAddress?)
    }

    /// The host of the URL in lower case; an IPv6 address in brackets.
    package var host: String
    /// The port of the URL, or that of its scheme.
    package var port: Int
    /// The address that the name was found to have.
    package var address: NetworkAddress
    /// True for an address of this machine.
    package var isOwn: Bool
    /// The reason why this address is called.
    package var way: Way

    package init(host: String, port: Int, address: NetworkAddress, isOwn: Bool = false, way: Way = .named) {
        self.host = host
        self.port = port
        self.address = address
        self.isOwn = isOwn
        self.way = way
    }

    /// The reach of the address; an address of this machine counts as this machine, also a public one.
    package var reach: NetworkAddress.Reach { isOwn ? .thisMachine : address.reach }

    /// True when one server of a private network redirects to another.
    var staysInPrivateNetwork: Bool {
        guard case .redirected(let server?) = way else { return false }
        return reach == .privateNetwork && server.reach == .privateNetwork
    }
}
