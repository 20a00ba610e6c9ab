/// Plain text of descriptions in HTML: without tags, and with a line for each paragraph.
package enum PlainText {
    /// The text, cut between characters to at most `most` bytes.
    package static func of(markup: String, bytes most: Int) -> String {
        var text = PlainTextMaker(most)
        var rest = Substring(markup)
        while let first = rest.first, !text.isFull {
            switch first {
            case "<":
                guard let end = rest.firstIndex(of: ">") else { return text.finished }
                tag(rest[rest.index(after: rest.startIndex)..<end], &text)
                rest = rest[rest.index(after: end)...]
            case "&": text.take(entity(&rest))
            default:
                text.take(String(first))
                rest.removeFirst()
            }
        }
        return text.finished
    }

    private static let breaks: Set<String> = ["br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "ul", "ol", "blockquote"]

    private static func tag(_ inside: Substring, _ text: inout PlainTextMaker) {
        let name = inside.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
        if breaks.contains(name) { text.breakLine() }
        if name == "li", inside.first != "/" { text.take("• ") }
    }

    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—", "hellip": "…", "lsquo": "‘",
        "rsquo": "’", "ldquo": "“", "rdquo": "”", "bull": "•", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü",
        "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "copy": "©", "reg": "®", "trade": "™", "euro": "€",
    ]
    private static let longestEntity = 10

    /// Takes an entity (`&…;`) from the front. Unknown entities stay as they are.
    private static func entity(_ rest: inout Substring) -> String {
        let inside = rest.dropFirst().prefix(longestEntity)
        guard let end = inside.firstIndex(of: ";"), let text = character(inside[..<end]) else {
            rest.removeFirst()
            return "&"
        }
        rest = rest[rest.index(after: end)...]
        return text
    }

    private static func character(_ name: Substring) -> String? {
        guard name.first == "#" else { return entities[String(name)] }
        let digits = name.dropFirst()
        let number = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String($0) }
    }
}

/// Builds a text in which runs of spaces become one space, and runs of line breaks one break.
private struct PlainTextMaker {
    private var text = ""
    private var hasSpace = false
    private var hasBreak = false
    private(set) var isFull = false
    private let most: Int

    init(_ most: Int) { self.most = most }

    var finished: String { text }

    mutating func breakLine() { hasBreak = !text.isEmpty }

    mutating func take(_ piece: String) {
        for character in piece where !isFull {
            if character.isNewline || character.isWhitespace
                || character.unicodeScalars.allSatisfy({ $0.properties.generalCategory == .control })
            {
                hasSpace = !text.isEmpty
                continue
            }
            let whole = (hasBreak ? "\n" : hasSpace ? " " : "") + String(character)
            guard text.utf8.count + whole.utf8.count <= most else {
                isFull = true
                return
            }
            text += whole
            (hasSpace, hasBreak) = (false, false)
        }
    }
}
