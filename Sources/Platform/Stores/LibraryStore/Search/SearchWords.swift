import BatonCore

/// The folded words of a search, and its queries to the index.
struct SearchWords {
    var folded: String
    /// The typed words.
    let words: [String]
    /// Alternatives for each typed word, of which one must match: the word itself, or words that it may be a misspelling of.
    private(set) var sought: [[SoughtWord]]

    init(_ text: String) {
        let terms = SearchTerms(text)
        folded = terms.folded
        words = terms.words
        sought = words.map { [SoughtWord($0)] }
    }

    var isEmpty: Bool { words.isEmpty }

    /// The search with likely meanings of misspelt words; `nil` if there are none.
    func mistaken(in vocabulary: Vocabulary, most: Int) -> SearchWords? {
        guard let meanings = vocabulary.meanings(of: words, most: most) else { return nil }
        var meant = self
        meant.sought = meanings
        let likely = Dictionary(zip(words, meanings.compactMap { $0.first?.text }), uniquingKeysWith: { first, _ in first })
        meant.folded = Folding.words(folded).map { likely[String($0)] ?? String($0) }.joined(separator: " ")
        return meant
    }

    static let tiers: [SearchEntry.Mark] = [.title, .artist, .album, .file]

    /// The words behind this mark. A whole word includes the space after it.
    func marked(_ mark: SearchEntry.Mark) -> [[[UInt8]]] {
        sought.map { $0.map { Array((mark.rawValue + $0.text + ($0.isWhole ? " " : "")).utf8) } }
    }

    /// Number of letters of a word, without its mark, whose beginnings are indexed.
    private static let indexedLetters = 4

    /// The words cut to their indexed beginnings; `nil` if none is longer.
    var beginnings: SearchWords? {
        guard sought.allSatisfy({ $0.count == 1 && !$0[0].isWhole }) else { return nil }
        var short = self
        short.sought = sought.map { [SoughtWord(String($0[0].text.unicodeScalars.prefix(Self.indexedLetters)))] }
        return short.sought == sought ? nil : short
    }

    /// A query for the first word at the beginning of a name.
    var beginning: String { sought.first.map { Self.question($0, [.beginning]) } ?? "" }

    /// A query for all words, each with one of these marks.
    func match(_ marks: [SearchEntry.Mark]) -> String {
        sought.map { "(" + Self.question($0, marks) + ")" }.joined(separator: " AND ")
    }

    /// Folded words contain only letters and digits, so they cannot end the quotes.
    private static func question(_ words: [SoughtWord], _ marks: [SearchEntry.Mark]) -> String {
        words.flatMap { word in marks.map { "\"\($0.rawValue)\(word.text)\"" + (word.isWhole ? "" : "*") } }.joined(separator: " OR ")
    }
}
