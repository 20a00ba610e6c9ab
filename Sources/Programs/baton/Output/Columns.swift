import Glibc

/// The width of text on a terminal, where some characters take two columns and some none.
enum Columns {
    /// The width of the terminal; 80 if it is not known.
    static var available: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    static func count(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + count($1) } }

    /// Ranges that Unicode defines as wide or full width. Emoji are recognised by their properties instead.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]

    private static let asEmoji: Unicode.Scalar = "\u{FE0F}"

    /// A character is as wide as its widest scalar; combining marks take no column.
    private static func count(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        return scalars.contains(asEmoji) ? 2 : scalars.reduce(0) { max($0, count($1)) }
    }

    static func count(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// The text, or the part of it that fits, with an ellipsis.
    static func cut(_ text: String, to limit: Int) -> String {
        guard count(text) > limit else { return text }
        var taken = ""
        var width = 0
        for character in text {
            width += count(character)
            if width > limit - 1 { break }
            taken.append(character)
        }
        return taken + "…"
    }

    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - count(text)))
    }
}
