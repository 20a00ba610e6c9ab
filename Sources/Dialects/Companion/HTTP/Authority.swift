/// A host and perhaps a port, as `Host` names them (RFC 9110, 7.2; RFC 3986, 3.2).
///
/// The text is accepted as a whole or not at all. A name cut out of a text that other programs parse differently would let
/// `127.0.0.1:9442@evil.example` pass for this machine. Texts with a user, a path, a zone or an invalid port are refused.
struct Authority: Equatable, Sendable {
    enum Kind: Equatable, Sendable { case name, ipv4, ipv6 }

    /// In lower case, without brackets.
    let host: String
    let kind: Kind
    let port: UInt16?

    init?(_ text: String) {
        let lower = text.lowercased()
        guard lower.utf8.count <= 300, lower.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let rest: Substring
        if lower.hasPrefix("[") {
            guard let end = lower.firstIndex(of: "]") else { return nil }
            host = String(lower[lower.index(after: lower.startIndex)..<end])
            rest = lower[lower.index(after: end)...]
            guard Self.isIPv6(host) else { return nil }
            kind = .ipv6
        } else {
            let end = lower.firstIndex(of: ":") ?? lower.endIndex
            host = String(lower[..<end])
            rest = lower[end...]
            guard Self.isName(host) else { return nil }
            kind = Self.isIPv4(host) ? .ipv4 : .name
        }
        guard !rest.isEmpty else {
            port = nil
            return
        }
        let digits = rest.dropFirst()
        guard rest.first == ":", (1...5).contains(digits.utf8.count), Self.areDigits(digits), let number = UInt16(digits), number > 0 else {
            return nil
        }
        port = number
    }

    /// True for names that always mean the machine that received the request.
    var isLoopback: Bool { host == "localhost" || (kind == .ipv6 && host == "::1") || (kind == .ipv4 && host.hasPrefix("127.")) }
    var isAddress: Bool { kind != .name }

    private static func areDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Labels of letters, digits, hyphens and underscores, with an optional dot at the end.
    private static func isName(_ text: String) -> Bool {
        let labels = (text.hasSuffix(".") ? text.dropLast() : text[...]).split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                }
        }
    }

    /// Four decimal numbers. A leading zero is refused, since some programs read such a number as octal.
    private static func isIPv4(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                let digits = Substring(part)
                return !digits.isEmpty && areDigits(digits) && (digits.count == 1 || !digits.hasPrefix("0")) && UInt8(digits) != nil
            }
    }

    /// Eight groups of hexadecimal digits, or fewer around one `::`; the last two may be written as IPv4.
    private static func isIPv6(_ text: String) -> Bool {
        let halves = Self.halves(of: text)
        guard halves.count <= 2 else { return false }
        var groups = 0
        for (place, half) in halves.enumerated() where !half.isEmpty {
            let parts = half.split(separator: ":", omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                let isLast = place == halves.count - 1 && index == parts.count - 1
                if isLast, part.contains(".") {
                    guard isIPv4(part) else { return false }
                    groups += 2
                } else {
                    guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit) else { return false }
                    groups += 1
                }
            }
        }
        return halves.count == 2 ? groups <= 7 : groups == 8
    }

    /// The texts around each `::`.
    private static func halves(of text: String) -> [Substring] {
        var halves: [Substring] = []
        var rest = text[...]
        while let mark = rest.indices.first(where: { rest[$0...].hasPrefix("::") }) {
            halves.append(rest[..<mark])
            rest = rest[mark...].dropFirst(2)
        }
        return halves + [rest]
    }
}
