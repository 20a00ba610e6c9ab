import BatonSeams

/// A parsed `ws` or `wss` URL. A user in front of the host, a fragment and characters that a request line cannot contain are refused.
struct WebSocketURL: Equatable, Sendable {
    let isSecure: Bool
    /// In lower case, without brackets.
    let host: String
    let port: UInt16
    /// Path and query, in the form for the request.
    let target: String

    init(_ text: String) throws(WebSocketFault) {
        guard let parts = Self.parts(of: text) else {
            throw WebSocketFault(.badRequest, "A WebSocket needs an address such as wss://host/path, without a user and a fragment.")
        }
        guard !parts.isSecure || Self.isChecked(parts.host) else {
            throw WebSocketFault(
                .badRequest,
                "\(parts.name) cannot be called: a certificate is checked for names of at most \(Self.longestHost) bytes, and not for IPv6 addresses."
            )
        }
        self = parts
    }

    /// Number of bytes of the host that libwebsockets compares with the certificate, up to a colon.
    private static let longestHost = 127

    private static func isChecked(_ host: String) -> Bool {
        host.utf8.count <= longestHost && !host.contains(":")
    }

    private init(isSecure: Bool, host: String, port: UInt16, target: String) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
        self.target = target
    }

    private static func parts(of text: String) -> WebSocketURL? {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\\") }),
            let mark = text.firstIndex(of: ":"), text[mark...].hasPrefix("://")
        else { return nil }
        let scheme = text[..<mark].lowercased()
        guard scheme == "ws" || scheme == "wss" else { return nil }
        let rest = text[text.index(mark, offsetBy: 3)...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let (host, port) = place(rest[..<end], usual: scheme == "wss" ? 443 : 80) else { return nil }
        let target = rest[end...]
        return WebSocketURL(
            isSecure: scheme == "wss", host: host, port: port, target: target.hasPrefix("/") ? String(target) : "/" + target)
    }

    private static func place(_ text: Substring, usual: UInt16) -> (host: String, port: UInt16)? {
        var host = text
        var port = usual
        let nameEnd =
            text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":") ?? text.endIndex
        guard let nameEnd else { return nil }
        if nameEnd < text.endIndex {
            let digits = text[nameEnd...].dropFirst()
            guard text[nameEnd] == ":", digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt16(digits), number > 0 else {
                return nil
            }
            port = number
            host = text[..<nameEnd]
        }
        if host.hasPrefix("[") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains("@"), !host.contains("[") else { return nil }
        return (host.lowercased(), port)
    }

    var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    /// The server's name in sentences and in the header `Host`.
    var name: String { port == (isSecure ? 443 : 80) ? bracketedHost : "\(bracketedHost):\(port)" }
}
