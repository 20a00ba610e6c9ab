/// The address at which a hub listens.
public enum Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// A local socket, without encryption or proof: the file's permissions decide who may connect.
    case unix(path: String)
    /// A WebSocket without encryption, on which neither side proves its identity.
    case tcp(host: String, port: UInt16)
    /// TLS. With a pin, only a hub with this key is accepted; the pin is the SHA-256 of its public key.
    case tls(host: String, port: UInt16, pin: [UInt8]?)

    /// Port of an address that names none, without TLS.
    public static let defaultPort: UInt16 = 9442
    /// Port of an address that names none, with TLS; an address with this port means TLS, too.
    public static let defaultSecurePort: UInt16 = 9443

    /// Parses `wss://host:port`, `ws://host:port`, `https://...`, `http://...`, `host:port`, `[v6]:port`, a bare
    /// host, `unix:/path` or `/path`. Without a scheme, port 9443 means TLS, and so does another machine without a
    /// port.
    public init?(text: String) {
        var rest = text[...]
        if rest.hasPrefix("unix:") { rest = rest.dropFirst(5) }
        if rest.hasPrefix("/") {
            self = .unix(path: String(rest))
            return
        }
        guard rest.count == text.count else { return nil }
        var isSecure: Bool?
        for (scheme, secure) in [("wss://", true), ("https://", true), ("ws://", false), ("http://", false)] where text.hasPrefix(scheme) {
            rest = text.dropFirst(scheme.count)
            isSecure = secure
            break
        }
        guard !rest.contains("://") else { return nil }
        rest = rest.prefix { $0 != "/" }
        guard let (host, port) = Self.split(rest) else { return nil }
        let wantsTLS = isSecure ?? (port.map { $0 == Self.defaultSecurePort } ?? !Endpoint.tcp(host: host, port: 0).isLocal)
        self =
            wantsTLS
            ? .tls(host: host, port: port ?? Self.defaultSecurePort, pin: nil) : .tcp(host: host, port: port ?? Self.defaultPort)
    }

    /// Whether the connection is encrypted. Only then does the hub have to prove its identity.
    public var isSecure: Bool { if case .tls = self { true } else { false } }

    /// The same address, restricted to the hub with this key.
    public func pinned(to key: [UInt8]) -> Endpoint {
        if case .tls(let host, let port, _) = self { .tls(host: host, port: port, pin: key) } else { self }
    }

    /// Splits host and port; the port is `nil` if none is named.
    private static func split(_ text: Substring) -> (host: String, port: UInt16?)? {
        var host = text
        var port = text[text.endIndex...]
        if text.hasPrefix("["), let close = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<close]
            port = text[text.index(after: close)...]
            guard port.isEmpty || port.hasPrefix(":") else { return nil }
            port = port.dropFirst()
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "/") }) else { return nil }
        if port.isEmpty { return (String(host), nil) }
        guard let number = UInt16(port), number > 0 else { return nil }
        return (String(host), number)
    }

    /// The text form that is stored and used in addresses.
    public var text: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp: "ws://\(self)"
        case .tls: "wss://\(self)"
        }
    }

    /// The text form for sentences.
    public var description: String {
        switch self {
        case .unix(let path): path
        case .tcp(let host, let port), .tls(let host, let port, _): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }

    /// Whether the hub is certain to run on this machine.
    public var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _), .tls(let host, _, _): host.lowercased() == "localhost" || host == "::1" || Self.isLoopback(host)
        }
    }

    /// Whether the host is an IPv4 address in `127.0.0.0/8`. A name that merely begins with `127.` may be any machine.
    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
