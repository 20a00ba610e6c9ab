/// Basic authentication of HTTP (RFC 7617): user and password in base64 with padding.
enum BasicLogin {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    static func header(_ user: String, _ password: String) -> String { "Basic " + base64(Array("\(user):\(password)".utf8)) }

    private static func base64(_ bytes: [UInt8]) -> String {
        var text = ""
        for at in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[at..<min(at + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 { text.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : "=") }
        }
        return text
    }
}
