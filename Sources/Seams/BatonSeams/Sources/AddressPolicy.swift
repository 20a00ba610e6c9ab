/// Which addresses a call to another server may reach. It is asked about every address before a request is sent there, after the
/// name was looked up, also after a redirect and also on a connection that was opened for an earlier call.
///
/// A source on the internet could answer with a redirect, or with a name, that leads to this machine or to the home
/// network. So such addresses are allowed on the server that the owner configured, or where a person named them; this machine
/// is reached only from this machine. After a redirect a private network is allowed when the redirecting server is in one, too.
package struct AddressPolicy: Sendable {
    private let isAllowed: @Sendable (CallTarget) -> Bool

    package init(_ isAllowed: @escaping @Sendable (CallTarget) -> Bool) { self.isAllowed = isAllowed }

    package func allows(_ target: CallTarget) -> Bool { isAllowed(target) }

    /// For addresses that a server gave.
    package static let publicOnly = AddressPolicy { $0.reach == .internet || $0.staysInPrivateNetwork }

    /// This server may be at any address.
    package static func server(_ host: String, port: Int) -> AddressPolicy {
        let server = AllowedHost(host, port: port)
        return AddressPolicy { publicOnly.allows($0) || server.matches($0) }
    }

    /// For an address that a person named, who may sit at this machine or not.
    package static func named(onThisMachine: Bool) -> AddressPolicy {
        AddressPolicy { target in
            if publicOnly.allows(target) { return true }
            guard target.way == .named else { return false }
            return onThisMachine || target.reach == .privateNetwork
        }
    }
}

/// A server that may be called wherever it is: the server of an account, or one that the owner allows.
package struct AllowedHost: Equatable, Sendable {
    /// In lower case; an IPv6 address in brackets.
    package let host: String
    /// `nil` for all of its ports.
    package let port: Int?

    package init(_ host: String, port: Int? = nil) {
        let lower = host.lowercased()
        self.host = lower.contains(":") && !lower.hasPrefix("[") ? "[\(lower)]" : lower
        self.port = port
    }

    /// `nas.home`, `nas.home:4533`, `[fd00::7]:4533`. `nil` for anything else.
    package init?(text: String) {
        let lower = text.lowercased()
        let colon = lower.hasPrefix("[") ? lower.range(ofLast: "]:") : lower.lastIndex(of: ":")
        let host = colon.map { lower[..<$0] } ?? lower[...]
        let port = colon.map { lower[lower.index(after: $0)...] }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 2
        guard !host.isEmpty, isBracketed || !host.contains(where: { ":[]".contains($0) }), host.utf8.allSatisfy(Self.mayStandInHost) else {
            return nil
        }
        guard let port else {
            self.init(String(host))
            return
        }
        guard let number = Int(port), 1...65_535 ~= number, port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        self.init(String(host), port: number)
    }

    private static func mayStandInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._:[]".utf8.contains(byte) || byte >= 0x80
        }
    }

    package var text: String { port.map { "\(host):\($0)" } ?? host }

    package func matches(_ target: CallTarget) -> Bool { target.host == host && (port.map { $0 == target.port } ?? true) }
}

extension String {
    /// The place of the last character of `pattern`.
    fileprivate func range(ofLast pattern: String) -> Index? {
        indices.last { self[$0...].hasPrefix(pattern) }.map { index($0, offsetBy: pattern.count - 1) }
    }
}

/// Where a request is about to go.
package struct CallTarget: Equatable, Sendable {
    /// How the address was come by.
    package enum Way: Equatable, Sendable {
        /// It is in the URL of the call.
        case named
        /// The server at this address redirected here; `nil` when its address is not known.
        case redirected(by: NetworkAddress?)
    }

    /// As the URL names it, in lower case; an IPv6 address in brackets.
    package var host: String
    package var port: Int
    package var address: NetworkAddress
    /// The address is one of this machine's own.
    package var isOwn: Bool
    package var way: Way

    package init(host: String, port: Int, address: NetworkAddress, isOwn: Bool = false, way: Way = .named) {
        self.host = host
        self.port = port
        self.address = address
        self.isOwn = isOwn
        self.way = way
    }

    package var reach: NetworkAddress.Reach { isOwn ? .thisMachine : address.reach }

    /// One server of a private network leads to another.
    var staysInPrivateNetwork: Bool {
        guard case .redirected(let server?) = way else { return false }
        return reach == .privateNetwork && server.reach == .privateNetwork
    }
}
