/// Percent-encoding (RFC 3986): text as a part of a URI, and back.
package enum PercentText {
    /// Encodes all but letters, digits, the other unreserved characters of RFC 3986, and those in `keeping`.
    package static func encoded(_ text: String, keeping: String = "") -> String {
        var result = ""
        for byte in text.utf8 {
            if isPlain(byte) || keeping.utf8.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + hex(byte >> 4) + hex(byte & 15)
            }
        }
        return result
    }

    /// The decoded text; `nil` when an escape is broken, or the bytes are not UTF-8.
    package static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~".utf8.contains(byte)
        }
    }

    private static func value(_ digit: UInt8) -> UInt8? { Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) } }

    private static func hex(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }
}
