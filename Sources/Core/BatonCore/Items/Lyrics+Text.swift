/// Song texts in the usual forms: lines of text, or lines with a time in brackets before them (`[01:23.45]`), as in `.lrc` files and many tags.
extension Lyrics {
    /// Reads such a text; `nil` when it has no words.
    public init?(text: String) {
        var timed: [Line] = []
        var plain: [Line] = []
        var shiftMs: Milliseconds = 0
        for row in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(Self.mostLines) {
            let line = Stamped(row)
            if let shift = line.shiftMs { shiftMs = shift }
            if line.isHeading { continue }
            plain.append(Line(text: line.words))
            timed += line.momentsMs.map { Line(atMs: $0, text: line.words) }
        }
        guard plain.contains(where: { !$0.text.isEmpty }) else { return nil }
        if timed.isEmpty {
            self.init(lines: Self.trimmed(plain))
        } else {
            // A chorus is written once, with all its times before it.
            let ordered = timed.enumerated().sorted { ($0.element.atMs!, $0.offset) < ($1.element.atMs!, $1.offset) }
            // A positive offset means that the text was shown too late, so all lines come earlier.
            self.init(lines: ordered.map { Line(atMs: max(0, $0.element.atMs!.minus(shiftMs)), text: $0.element.text) })
        }
    }

    /// Number of lines that are read; the rest of a longer text is left out.
    public static let mostLines = 5_000

    private static func trimmed(_ lines: [Line]) -> [Line] {
        let first = lines.firstIndex { !$0.text.isEmpty } ?? 0
        let last = lines.lastIndex { !$0.text.isEmpty } ?? 0
        return Array(lines[first...last])
    }

    /// One row: the stamps in brackets before the words, and the words.
    private struct Stamped {
        var momentsMs: [Milliseconds] = []
        var shiftMs: Milliseconds?
        /// True for a line about the text (`[ar:…]`), which is no part of it.
        var isHeading = false
        var words = ""

        init(_ row: Substring) {
            var rest = row.drop { $0.isWhitespace }
            while rest.first == "[", let end = rest.firstIndex(of: "]") {
                let inside = rest[rest.index(after: rest.startIndex)..<end]
                if let moment = Self.moment(inside) {
                    momentsMs.append(moment)
                } else if Self.isHeading(inside), momentsMs.isEmpty {
                    isHeading = true
                    shiftMs = Self.shift(inside)
                } else {
                    break  // “[Chorus]” belongs to the words.
                }
                rest = rest[rest.index(after: end)...].drop { $0.isWhitespace }
            }
            if isHeading, !rest.isEmpty { isHeading = false }
            words = Self.withoutWordTimes(rest)
        }

        /// `mm:ss`, `mm:ss.x` to `mm:ss.xxx`, or with a second colon before the fraction.
        private static func moment(_ text: Substring) -> Milliseconds? {
            let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." || $0 == "," }
            guard (2...3).contains(parts.count), parts.allSatisfy({ (1...4).contains($0.utf8.count) }) else { return nil }
            guard parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return nil }
            guard let minutes = Int(parts[0]), let seconds = Int(parts[1]), seconds < 60 else { return nil }
            let fraction = parts.count == 3 ? Int((parts[2] + "00").prefix(3)) ?? 0 : 0
            return Milliseconds((minutes * 60 + seconds) * 1_000 + fraction)
        }

        private static let headings: Set<String> = [
            "al", "ar", "au", "by", "id", "la", "length", "lr", "offset", "re", "ti", "tool", "ve", "#",
        ]

        private static func isHeading(_ text: Substring) -> Bool {
            guard let colon = text.firstIndex(of: ":") else { return false }
            return headings.contains(text[..<colon].lowercased())
        }

        private static func shift(_ text: Substring) -> Milliseconds? {
            guard text.lowercased().hasPrefix("offset:") else { return nil }
            let figure = text.dropFirst("offset:".count).filter { !$0.isWhitespace }
            return Milliseconds(figure.hasPrefix("+") ? figure.dropFirst() : figure[...]).map { min(max($0, -600_000), 600_000) }
        }

        /// Removes the times of single words, such as `<01:23.45>`.
        private static func withoutWordTimes(_ text: Substring) -> String {
            var words = ""
            var rest = text
            while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
                words += rest[..<start]
                let inside = rest[rest.index(after: start)..<end]
                if moment(inside) == nil { words += rest[start...end] }
                rest = rest[rest.index(after: end)...]
            }
            words += rest
            return words.trimmingSpaces
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[first...last])
    }
}
