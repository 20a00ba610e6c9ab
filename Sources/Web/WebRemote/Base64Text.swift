/// Decodes embedded base64 (RFC 4648, 4). The text comes from `PageEmbedder`, so it is not checked.
enum Base64Text {
    static func bytes(of text: StaticString) -> [UInt8] {
        text.withUTF8Buffer { text in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.count / 4 * 3)
            var bits = 0, held = 0
            for digit in text where digit != UInt8(ascii: "=") {
                bits = bits << 6 | value(of: digit)
                held += 6
                guard held >= 8 else { continue }
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> held))
                bits &= 1 << held - 1
            }
            return bytes
        }
    }

    private static func value(of digit: UInt8) -> Int {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        default: 63
        }
    }
}
