/// Where a hub listens.
package enum Endpoint: Hashable, Sendable, CustomStringConvertible {
    case unix(path: String)
    case tcp(host: String, port: UInt16)

    package static let defaultPort: UInt16 = 9442

    /// Reads `ws://host:port`, `http://host:port/`, `host:port`, `[v6]:port`, a bare host, `unix:/path` or `/path`.
    package init?(text: String) {
        var rest = text[...]
        if rest.hasPrefix("unix:") { rest = rest.dropFirst(5) }
        if rest.hasPrefix("/") {
            self = .unix(path: String(rest))
            return
        }
        guard rest.count == text.count else { return nil }
        for scheme in ["ws://", "http://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
        guard !rest.contains("://") else { return nil }
        rest = rest.prefix { $0 != "/" }
        guard let (host, port) = Self.split(rest) else { return nil }
        self = .tcp(host: host, port: port)
    }

    private static func split(_ text: Substring) -> (host: String, port: UInt16)? {
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
        if port.isEmpty { return (String(host), defaultPort) }
        guard let number = UInt16(port), number > 0 else { return nil }
        return (String(host), number)
    }

    /// As it is written in addresses and remembered.
    package var text: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "ws://[\(host)]:\(port)" : "ws://\(host):\(port)"
        }
    }

    /// As sentences say it.
    package var description: String {
        switch self {
        case .unix(let path): path
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }

    /// Whether the hub runs on this machine for certain.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _): host.lowercased() == "localhost" || host == "::1" || Self.isLoopback(host)
        }
    }

    /// `127.` and three more numbers; a name may begin so and be anywhere.
    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
