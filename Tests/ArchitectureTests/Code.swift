/// What remains of a Swift file without its comments and the text of its strings.
///
/// Line breaks stay, so that a line keeps its number; what is interpolated into a string is code and
/// stays too. Enough of the grammar for rules that look for words, not a parser.
struct Code {
    private let input: [Character]
    private var at = 0
    private var output = ""

    static func only(of text: String) -> String {
        var reader = Code(input: Array(text))
        reader.code(until: nil)
        return reader.output
    }

    private init(input: [Character]) { self.input = input }

    private func sees(_ text: String) -> Bool {
        // Most characters begin nothing, and are told by their first one.
        guard at < input.count, input[at] == text.first else { return false }
        return at + text.count <= input.count && zip(text, input[at...]).allSatisfy { $0 == $1 }
    }

    /// Passes over `count` characters, of which only line breaks stay.
    private mutating func blank(_ count: Int) {
        for _ in 0..<count where at < input.count {
            if input[at].isNewline { output.append("\n") }
            at += 1
        }
    }

    private mutating func store() {
        output.append(input[at])
        at += 1
    }

    /// Copies code up to the parenthesis that closes an interpolation, or to the end.
    private mutating func code(until closing: Character?) {
        var depth = 0
        while at < input.count {
            if sees("//") {
                while at < input.count, !input[at].isNewline { at += 1 }
            } else if sees("/*") {
                comment()
            } else if let quote = openingQuote() {
                string(quote)
            } else if input[at] == closing, depth == 0 {
                return
            } else {
                if input[at] == "(" { depth += 1 }
                if input[at] == ")" { depth -= 1 }
                store()
            }
        }
    }

    private mutating func comment() {
        var depth = 0
        repeat {
            if sees("/*") {
                depth += 1
                blank(2)
            } else if sees("*/") {
                depth -= 1
                blank(2)
            } else {
                blank(1)
            }
        } while depth > 0 && at < input.count
    }

    private struct Quote {
        let hashes: String
        let marks: String
    }

    private func openingQuote() -> Quote? {
        guard input[at] == "#" || input[at] == "\"" else { return nil }
        let hashes = String(input[at...].prefix { $0 == "#" })
        guard at + hashes.count < input.count, input[at + hashes.count] == "\"" else { return nil }
        let marks = input[(at + hashes.count)...].starts(with: ["\"", "\"", "\""]) ? "\"\"\"" : "\""
        return Quote(hashes: hashes, marks: marks)
    }

    private mutating func string(_ quote: Quote) {
        let end = quote.marks + quote.hashes
        blank(end.count)
        while at < input.count, !sees(end) {
            if sees("\\" + quote.hashes + "(") {
                blank(2 + quote.hashes.count)
                code(until: ")")
                blank(1)
            } else if sees("\\" + quote.hashes) {
                blank(2 + quote.hashes.count)
            } else {
                blank(1)
            }
        }
        blank(end.count)
    }
}
