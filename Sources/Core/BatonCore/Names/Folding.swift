/// Normalises names for search and sorting: spellings that differ only in case, accents, width or form become the same text.
///
/// The result is words of letters and digits with single spaces between them, and folding it again changes nothing. Folding the beginning of a word
/// gives the beginning of the folded word. Search while typing needs both. SQLite's own folding lacks ø and ß, and is not available for sorting
/// names.
package enum Folding {
    /// Longer names do not sort better, and would take space in every index.
    package static let mostBytes = 240

    /// The folded text; empty for a text without letters and digits.
    package static func fold(_ text: String) -> String { plain(text) ?? wide(text) }

    /// The quick path for ASCII, which most names are: several times faster, and a scan folds a dozen texts for each track.
    private static func plain(_ text: String) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(text.utf8.count, mostBytes))
        for letter in text.utf8 {
            if bytes.count >= mostBytes { break }
            switch letter {
            case 0x30...0x39, 0x61...0x7A: bytes.append(letter)
            case 0x41...0x5A: bytes.append(letter | 0x20)
            case 0x27, 0x60: continue
            case ..<0x80: separate(&bytes)
            default: return nil
            }
        }
        while bytes.last == space { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func wide(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(text.utf8.count, mostBytes) + 4)
        for scalar in text.unicodeScalars {
            if bytes.count >= mostBytes { break }
            append(scalar, to: &bytes)
        }
        while bytes.last == space { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The part of a folded text that decides its order.
    package static func short(_ text: String) -> String { cut(fold(text), to: mostShortBytes) }

    /// Length of the part of a folded name that decides its order.
    package static let mostShortBytes = 64

    /// The text cut between letters to at most `most` bytes.
    package static func cut(_ text: String, to most: Int) -> String {
        guard text.utf8.count > most else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: most)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }

    /// The words of a folded text.
    package static func words(_ folded: String) -> [Substring] { folded.split(separator: " ") }

    private static let space = UInt8(ascii: " ")

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A: bytes.append(UInt8(scalar.value))
        case 0x41...0x5A: bytes.append(UInt8(scalar.value) | 0x20)
        // Apostrophes are left out, so that “dont” finds “don’t”.
        case 0x27, 0x60, 0xB4, 0x2018, 0x2019, 0x02BC, 0x02B9: return
        case ..<0x80: separate(&bytes)
        default: appendWide(scalar, to: &bytes)
        }
    }

    private static func separate(_ bytes: inout [UInt8]) {
        if let last = bytes.last, last != space { bytes.append(space) }
    }

    private static func appendWide(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if let narrow = narrowed(scalar) { return append(narrow, to: &bytes) }
        if let base = FoldingTable.bases[scalar.value] {
            if isWord(scalar) { return appendWord(base, to: &bytes) }
            bytes += base.utf8
            return
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: return
        case .uppercaseLetter, .titlecaseLetter:
            let lower = scalar.properties.lowercaseMapping
            // A letter without a lower-case form stays as it is.
            guard lower.unicodeScalars.first != scalar else { return bytes.append(contentsOf: lower.utf8) }
            for part in lower.unicodeScalars { append(part, to: &bytes) }
        case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .letterNumber, .otherNumber:
            guard isWord(scalar) else { return bytes.append(contentsOf: String(scalar).utf8) }
            appendWord(String(scalar), to: &bytes)
        default: separate(&bytes)
        }
    }

    /// In scripts without spaces between words, each sign is a word.
    private static func appendWord(_ word: String, to bytes: inout [UInt8]) {
        separate(&bytes)
        bytes += word.utf8
        bytes.append(space)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }

    /// The plain form of full-width letters, and one kana for both kinds.
    private static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
        case 0x3000: " "
        case 0x30A1...0x30F6: Unicode.Scalar(scalar.value - 0x60)
        default: nil
        }
    }
}
