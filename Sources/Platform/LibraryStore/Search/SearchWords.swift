import BatonCore

/// The words of a search, folded, and how the index is asked for them.
struct SearchWords {
    var folded: String
    var words: [String]

    init(_ text: String) {
        let terms = SearchTerms(text)
        folded = terms.folded
        words = terms.words
    }

    var isEmpty: Bool { words.isEmpty }

    static let tiers: [SearchEntry.Mark] = [.title, .artist, .album, .file]

    /// How the words begin behind this mark.
    func marked(_ mark: SearchEntry.Mark) -> [[UInt8]] { words.map { Array((mark.rawValue + $0).utf8) } }

    /// Letters of a word, beside its mark, of which the index keeps the beginnings.
    private static let indexedLetters = 4

    /// The words as far as the index keeps their beginnings; `nil` where that is all of them.
    var beginnings: SearchWords? {
        var short = self
        short.words = words.map { String($0.unicodeScalars.prefix(Self.indexedLetters)) }
        return short.words == words ? nil : short
    }

    /// The first word at the beginning of a name.
    var beginning: String { words.first.map { "\"\(SearchEntry.Mark.beginning.rawValue)\($0)\"*" } ?? "" }

    /// All words, each with one of these marks. Folded words hold nothing but letters and digits, so
    /// nothing in them can end the quotes.
    func match(_ marks: [SearchEntry.Mark]) -> String {
        words.map { word in "(" + marks.map { "\"\($0.rawValue)\(word)\"*" }.joined(separator: " OR ") + ")" }.joined(separator: " AND ")
    }
}
