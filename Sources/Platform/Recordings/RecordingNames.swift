/// Names of files and folders made of what a station says, which may be anything.
enum RecordingNames {
    private static let mostBytes = 120
    /// What file systems and other people's programs do not take in a name.
    private static let refused: Set<Character> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]

    /// One name: never empty, hidden, or a way to another folder.
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

    /// An ending is a few letters and digits.
    static func suffix(_ text: String) -> String {
        let letters = text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(8)
        return letters.isEmpty ? "bin" : String(letters)
    }
}
