import BatonCore

/// The words of a search, folded, and how the index is asked for them.
struct SearchWords {
    var folded: String
    /// The words that were typed.
    let words: [String]
    /// For each of them those that are looked for, of which one must be there: itself, or what it may stand for.
    private(set) var sought: [[SoughtWord]]

    init(_ text: String) {
        let terms = SearchTerms(text)
        folded = terms.folded
        words = terms.words
        sought = words.map { [SoughtWord($0)] }
    }

    var isEmpty: Bool { words.isEmpty }

    /// The same with words that these may stand for; `nil` where there are none.
    func mistaken(in vocabulary: Vocabulary, most: Int) -> SearchWords? {
        guard let meanings = vocabulary.meanings(of: words, most: most) else { return nil }
        var meant = self
        meant.sought = meanings
        let likely = Dictionary(zip(words, meanings.compactMap { $0.first?.text }), uniquingKeysWith: { first, _ in first })
        meant.folded = Folding.words(folded).map { likely[String($0)] ?? String($0) }.joined(separator: " ")
        return meant
    }

    static let tiers: [SearchEntry.Mark] = [.title, .artist, .album, .file]

    /// How the words begin behind this mark. A whole one has the space behind it, too.
    func marked(_ mark: SearchEntry.Mark) -> [[[UInt8]]] {
        sought.map { $0.map { Array((mark.rawValue + $0.text + ($0.isWhole ? " " : "")).utf8) } }
    }

    /// Letters of a word, beside its mark, of which the index keeps the beginnings.
    private static let indexedLetters = 4

    /// The words as far as the index keeps their beginnings; `nil` where that is all of them.
    var beginnings: SearchWords? {
        guard sought.allSatisfy({ $0.count == 1 && !$0[0].isWhole }) else { return nil }
        var short = self
        short.sought = sought.map { [SoughtWord(String($0[0].text.unicodeScalars.prefix(Self.indexedLetters)))] }
        return short.sought == sought ? nil : short
    }

    /// The first word at the beginning of a name.
    var beginning: String { sought.first.map { Self.question($0, [.beginning]) } ?? "" }

    /// All words, each with one of these marks.
    func match(_ marks: [SearchEntry.Mark]) -> String {
        sought.map { "(" + Self.question($0, marks) + ")" }.joined(separator: " AND ")
    }

    /// Folded words hold nothing but letters and digits, so nothing in them can end the quotes.
    private static func question(_ words: [SoughtWord], _ marks: [SearchEntry.Mark]) -> String {
        words.flatMap { word in marks.map { "\"\($0.rawValue)\(word.text)\"" + (word.isWhole ? "" : "*") } }.joined(separator: " OR ")
    }
}
