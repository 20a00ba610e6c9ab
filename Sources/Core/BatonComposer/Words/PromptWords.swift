/// A prompt, read word by word.
struct PromptWords {
    private(set) var meanings: [Meaning] = []
    /// Instruments that the prompt excludes.
    private(set) var refused: [Meaning] = []
    private(set) var tempo: Int?
    private(set) var key: Key?
    private(set) var metre: Metre?
    /// A seed from the words that have no meaning here.
    private(set) var seed: UInt64 = 0

    private static let negations: Set<String> = ["no", "without"]
    private static let roots: [String: Int] = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11]

    init(_ prompt: String) {
        let words = Self.words(of: prompt)
        var at = 0
        while at < words.count { at += read(words, at) }
    }

    /// Reads the words at a position, and returns how many were used.
    private mutating func read(_ words: [String], _ at: Int) -> Int {
        let word = words[at]
        let next = at + 1 < words.count ? words[at + 1] : ""
        if let beats = Self.tempo(word, next) {
            tempo = beats.tempo
            return beats.words
        }
        if let metre = Metre(rawValue: word) {
            self.metre = metre
            return 1
        }
        if let found = Self.key(words[at...]) {
            key = found.key
            return found.words
        }
        if Self.negations.contains(word), let unwanted = WordTable.meanings[next] {
            refused += unwanted
            return 2
        }
        if let known = WordTable.meanings[word] {
            meanings += known
        } else {
            seed = TopicRandom.mix(seed, TopicRandom.hash(word.utf8))
        }
        return 1
    }

    /// The words in lower case, without punctuation; `lo-fi` is one word, and so are `3/4` and `c#`.
    static func words(of prompt: String) -> [String] {
        prompt.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "/" || $0 == "#" || $0 == "-" || $0 == "'") }
            .map { word in String(word.filter { $0 != "-" && $0 != "'" }) }.filter { !$0.isEmpty }
    }

    private static func tempo(_ word: String, _ next: String) -> (tempo: Int, words: Int)? {
        if next == "bpm", let tempo = Int(word), Recipe.tempos.contains(tempo) { return (tempo, 2) }
        guard word.hasSuffix("bpm"), let tempo = Int(word.dropLast(3)), Recipe.tempos.contains(tempo) else { return nil }
        return (tempo, 1)
    }

    /// Reads a key: a letter, perhaps sharp or flat, and a mode, as in `f# minor` or `e flat major`.
    private static func key(_ words: ArraySlice<String>) -> (key: Key, words: Int)? {
        guard let first = words.first, let letter = first.first, let root = roots[String(letter)] else { return nil }
        var rest = words.dropFirst()
        var tonic = root
        switch first.dropFirst() {
        case "": break
        case "#": tonic += 1
        case "b": tonic -= 1
        default: return nil
        }
        if first.count == 1, let shift = ["sharp": 1, "flat": -1][rest.first ?? ""] {
            tonic += shift
            rest = rest.dropFirst()
        }
        guard let mode = rest.first.flatMap({ Key.Mode(rawValue: $0) }) else { return nil }
        return (Key(tonic, mode), words.count - rest.count + 1)
    }
}
