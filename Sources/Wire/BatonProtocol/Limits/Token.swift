/// Identifiers made of letters, digits, `-` and `_`, as in base64url.
///
/// Client ids, command keys, epochs and the hub's own id are tokens.
package enum Token {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// A random token with six random bits in each character. The first one is a letter or a digit, because people type tokens as arguments
    /// of commands, where a dash starts an option.
    package static func random(length: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        let letters = (0..<length).map { alphabet[Int.random(in: 0..<($0 == 0 ? 62 : 64), using: &generator)] }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Whether the text has an allowed length in bytes and no byte outside the alphabet.
    package static func isToken(_ text: String, length: ClosedRange<Int>) -> Bool {
        length.contains(text.utf8.count) && text.utf8.allSatisfy(isTokenByte)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
