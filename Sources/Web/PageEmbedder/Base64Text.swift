/// Encodes bytes as base64 text (RFC 4648, 4). The compiler copies string literals into the binary as they are, but
/// takes half a minute for a byte array of this size.
func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        for place in 0..<4 { text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "=")) }
    }
    return String(decoding: text, as: UTF8.self)
}
