/// File and folder names from a station's texts, which may contain anything.
enum RecordingNames {
    private static let mostBytes = 120
    /// Characters that some file systems and programs refuse in names.
    private static let refused: Set<Character> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]

    /// A safe name: never empty, hidden, or a path to another folder.
    static func safe(_ text: String, or other: String = "Radio") -> String {
        var name = ""
        for character in text {
            let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control || $0.value == 0xFFFD }
            let piece: Character = isControl || refused.contains(character) ? "-" : character.isWhitespace ? " " : character
            if name.isEmpty, piece == "." || piece == " " { continue }
            guard name.utf8.count + String(piece).utf8.count <= mostBytes else { break }
            name.append(piece)
        }
        while let last = name.last, last == " " || last == "." { name.removeLast() }
        return name.isEmpty ? other : name
    }

    /// A file extension of a few letters and digits.
    static func suffix(_ text: String) -> String {
        let letters = text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(8)
        return letters.isEmpty ? "bin" : String(letters)
    }
}
