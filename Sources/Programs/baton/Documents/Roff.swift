/// A manual page in the format of `man`.
struct Roff {
    private(set) var text: String
    /// Whether the last line is a heading, which starts a paragraph by itself.
    private var isBelowHeading = false

    init(_ name: String, section: Int, about: String) {
        text =
            ".\\\" Made by baton manual; do not edit.\n.TH \(Self.quoted(name)) \(section) \(BatonVersion.date) \(Self.quoted("Baton \(BatonVersion.text)")) Baton\n"
        heading("NAME")
        line("\(Self.escaped(name)) \\- \(Self.escaped(about))")
    }

    mutating func heading(_ title: String) {
        line(".SH \(Self.quoted(title.uppercased()))")
        isBelowHeading = true
    }

    mutating func part(_ title: String) {
        line(".SS \(Self.quoted(title))")
        isBelowHeading = true
    }

    mutating func paragraph(_ text: String) { lines((isBelowHeading ? [] : [".PP"]) + [Self.escaped(text)]) }

    /// Adds a term with its indented meaning.
    mutating func term(_ term: String, _ meaning: String) { lines([".TP", ".B \(Self.quoted(term))", Self.escaped(meaning)]) }

    /// Adds lines that keep their layout.
    mutating func example(_ rows: [String]) {
        lines([".PP", ".nf", ".RS 4"] + rows.map(Self.escaped) + [".RE", ".fi"])
    }

    private mutating func line(_ line: String) {
        text += line + "\n"
        isBelowHeading = false
    }
    private mutating func lines(_ lines: [String]) { for line in lines { self.line(line) } }

    /// Escapes text: backslash, hyphen and quotation mark have a meaning in roff, and so do a dot and an apostrophe
    /// at the start of a line.
    static func escaped(_ text: String) -> String {
        let marks: [Character: String] = ["\\": "\\e", "-": "\\-", "\n": " ", "`": "\\(ga", "~": "\\(ti", "^": "\\(ha", "…": "..."]
        let plain = text.reduce(into: "") { $0 += marks[$1] ?? String($1) }
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    private static func quoted(_ text: String) -> String {
        "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq") + "\""
    }
}
