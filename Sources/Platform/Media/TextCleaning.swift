/// Cleans text from a file of unknown origin: whatever its encoding, it becomes Unicode without control characters and without marks that
/// change the direction of other text.
enum TextCleaning {
    /// One line, for a title or a name.
    static func line(_ bytes: [UInt8]) -> String {
        if bytes.allSatisfy({ (0x21...0x7E).contains($0) || $0 == 0x20 }) { return trimmed(String(decoding: bytes, as: UTF8.self)) }
        return trimmed(clean(unicode(bytes), keepsLines: false))
    }

    /// Several lines, for lyrics or a cue sheet.
    static func lines(_ bytes: [UInt8]) -> String { clean(unicode(bytes), keepsLines: true) }

    /// Text that is not UTF-8 is taken for Windows 1252, the encoding of older programs in western Europe.
    private static func unicode(_ bytes: [UInt8]) -> String {
        let text = bytes.prefix { $0 != 0 }
        if let valid = String(validating: text, as: UTF8.self) { return valid }
        return String(String.UnicodeScalarView(text.map { $0 < 0x80 ? Unicode.Scalar($0) : western($0) }))
    }

    private static func western(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? windows[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    /// Windows 1252 from 0x80 to 0x9F. Latin 1 has control characters there, which tags do not use.
    private static let windows = Array("€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

    private static func clean(_ text: String, keepsLines: Bool) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where keepsLines, 0x0D where keepsLines: scalars.append(scalar)
            case 0x00..<0x20, 0x7F, 0x2028, 0x2029: scalars.append(" ")
            case 0x80...0x9F: scalars.append(windows[Int(scalar.value) - 0x80])
            // Direction marks, byte order marks, and codes without a character.
            case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF: continue
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        let utf8 = text.utf8
        guard let first = utf8.first, let last = text.unicodeScalars.last?.value else { return "" }
        // Fast path, since nearly every text begins and ends with a letter.
        if first > 0x20, last > 0x20, first < 0x80, last < 0x80 { return String(text) }
        guard let from = text.firstIndex(where: { !$0.isWhitespace }), let to = text.lastIndex(where: { !$0.isWhitespace }) else {
            return ""
        }
        return String(text[from...to])
    }
}
