/// All words that a search can find, and the lookup of words that a word with one typing mistake may mean.
///
/// A mistake is an extra, a missing or a wrong letter, or two neighbouring letters swapped. Words with the same beginning are adjacent, so a typed
/// word is followed letter by letter, and at each letter the few words that continue differently are tried with the rest of the typed word. The
/// alternative, a table on disk of all words with one letter left out, needs 30 rows per word to find words while they are still being typed.
package struct Vocabulary: Equatable, Sendable {
    /// The bytes of all words, one word after the other.
    private var bytes: [UInt8] = []
    /// The end of each word in `bytes`.
    private var ends: [Int32] = []

    /// A vocabulary without words, which finds nothing.
    package init() {}

    package var count: Int { ends.count }

    /// Appends a word. Words come in ascending order of their bytes, each once.
    package mutating func append(_ word: String) {
        bytes += word.utf8
        ends.append(Int32(bytes.count))
    }

    /// Inserts the words that are missing. They are in the same order, each once.
    package mutating func add(_ words: [String]) {
        guard !words.isEmpty else { return }
        var together = Vocabulary()
        var next = 0
        for word in words {
            let letters = Array(word.utf8)
            let place = partition(next..<ends.count) { order(of: $0, from: 0, beside: letters[...]) < 0 }
            together.append(next..<place, of: self)
            together.append(word)
            next = place
        }
        together.append(next..<ends.count, of: self)
        self = together
    }

    private mutating func append(_ words: Range<Int>, of other: Vocabulary) {
        guard !words.isEmpty else { return }
        let from = other.start(of: words.lowerBound)
        let moved = Int32(bytes.count - from)
        bytes += other.bytes[from..<Int(other.ends[words.upperBound - 1])]
        ends += other.ends[words].lazy.map { $0 + moved }
    }

    /// True for words that a vocabulary stores. Others are numbers, or shorter than any typed word with a mistake.
    package static func keeps(_ word: Substring) -> Bool {
        guard let first = word.utf8.first, !isDigit(first) else { return false }
        return word.unicodeScalars.prefix(shortest).count == shortest
    }

    private static let shortest = 3
    /// Shorter words become other words too often when one letter changes.
    private static let shortestTyped = 4
    /// Maximum number of words tried instead of one.
    package static let mostNeighbours = 5

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// True when no stored word begins like this.
    package func lacks(_ beginning: String) -> Bool {
        Self.keeps(beginning[...]) && first(of: Array(beginning.utf8)[...], from: 0, in: all) == nil
    }

    /// True when each is a complete word, or one in which mistakes are not tolerated: then the search found what was meant.
    package func knows(_ words: [String]) -> Bool {
        words.allSatisfy { word in
            guard Self.mayBeMistaken(word) else { return true }
            let beginning = Array(word.utf8)
            return first(of: beginning[...], from: 0, in: all).map { isWhole($0, length: beginning.count) } ?? false
        }
    }

    /// True for words in which mistakes are tolerated. A search of other words alone needs no vocabulary.
    package static func mayBeMistaken(_ word: String) -> Bool {
        !word.utf8.contains(where: isDigit) && word.unicodeScalars.prefix(shortestTyped).count == shortestTyped
    }

    /// For each word, the words that it may mean, the likely ones first: itself, unless it is the only one or begins no word, and its neighbours.
    /// `nil` where a word means nothing, or no word has a neighbour.
    package func meanings(of words: [String], most: Int = mostNeighbours) -> [[SoughtWord]]? {
        var meanings: [[SoughtWord]] = []
        var areMistaken = false
        for word in words {
            let near = neighbours(of: word, most: most)
            areMistaken = areMistaken || !near.isEmpty
            let own = words.count > 1 && !lacks(word) ? [SoughtWord(word)] : []
            guard !own.isEmpty || !near.isEmpty else { return nil }
            meanings.append(own + near)
        }
        return areMistaken ? meanings : nil
    }

    /// The words and beginnings of words that are one mistake away.
    package func neighbours(of word: String, most: Int = mostNeighbours) -> [SoughtWord] {
        guard Self.mayBeMistaken(word) else { return [] }
        let letters = word.unicodeScalars.map { Array(String($0).utf8) }
        var search = NeighbourSearch(vocabulary: self, typed: Array(word.utf8))
        var here = all
        for place in letters.indices {
            let own = letters[place]
            search.isFirst = place == 0
            search.isLast = place == letters.count - 1
            let rest = search.typed[search.offset...]
            let after = rest.dropFirst(own.count)
            search.look(for: after, in: here, as: .tooMany)
            if !search.isLast, own != letters[place + 1] {
                let next = letters[place + 1]
                search.look(for: (next + own + after.dropFirst(next.count))[...], in: here, as: .swapped)
            }
            var at = here.lowerBound
            while at < here.upperBound {
                guard let letter = letter(of: at, from: search.offset) else {
                    at += 1
                    continue
                }
                let alike = range(of: letter, from: search.offset, in: at..<here.upperBound)
                if !letter.elementsEqual(own) {
                    search.look(for: after, behind: letter, in: alike, as: .other)
                    search.look(for: rest, behind: letter, in: alike, as: .missing)
                }
                at = alike.upperBound
            }
            here = range(of: own[...], from: search.offset, in: here)
            search.offset += own.count
            // No word of the vocabulary begins like the typed word.
            if here.isEmpty { break }
        }
        return search.best(most)
    }

    // MARK: - Words

    fileprivate var all: Range<Int> { 0..<ends.count }

    private func start(of word: Int) -> Int { word == 0 ? 0 : Int(ends[word - 1]) }

    private func letter(of word: Int, from offset: Int) -> ArraySlice<UInt8>? {
        let from = start(of: word) + offset
        let end = Int(ends[word])
        guard from < end else { return nil }
        var next = from + 1
        while next < end, bytes[next] & 0xC0 == 0x80 { next += 1 }
        return bytes[from..<next]
    }

    fileprivate func isWhole(_ word: Int, length: Int) -> Bool { Int(ends[word]) - start(of: word) == length }

    /// The first index of `range`, found in half the time.
    fileprivate func first(of part: ArraySlice<UInt8>, from offset: Int, in words: Range<Int>) -> Int? {
        let first = partition(words) { order(of: $0, from: offset, beside: part) < 0 }
        return first < words.upperBound && order(of: first, from: offset, beside: part) == 0 ? first : nil
    }

    /// Words that continue with `part` at this offset; up to there all are equal.
    private func range(of part: ArraySlice<UInt8>, from offset: Int, in words: Range<Int>) -> Range<Int> {
        let first = partition(words) { order(of: $0, from: offset, beside: part) < 0 }
        return first..<partition(first..<words.upperBound) { order(of: $0, from: offset, beside: part) == 0 }
    }

    /// The first word for which `isBefore` is false; it is true for all earlier words.
    private func partition(_ words: Range<Int>, _ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (words.lowerBound, words.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Negative for a word before all that continue with `part`, 0 for one that does, positive for one behind them.
    private func order(of word: Int, from offset: Int, beside part: ArraySlice<UInt8>) -> Int {
        var at = start(of: word) + offset
        let end = Int(ends[word])
        for byte in part {
            if at == end { return -1 }
            if bytes[at] != byte { return bytes[at] < byte ? -1 : 1 }
            at += 1
        }
        return 0
    }
}

/// A word for an index lookup.
package struct SoughtWord: Equatable, Sendable {
    /// The folded word, or the beginning of one.
    package var text: String
    /// False when the text is the beginning of a word.
    package var isWhole: Bool

    package init(_ text: String, isWhole: Bool = false) {
        self.text = text
        self.isWhole = isWhole
    }
}

/// The search for the neighbours of one word.
private struct NeighbourSearch {
    let vocabulary: Vocabulary
    let typed: [UInt8]
    /// The offset of the letter that is tried as the mistake.
    var offset = 0
    var isFirst = true
    var isLast = false

    private var found: [[UInt8]: Candidate] = [:]

    enum Mistake: Int {
        case swapped, missing, tooMany, other
    }

    private struct Candidate {
        var word: SoughtWord
        var rank: [Int]
    }

    init(vocabulary: Vocabulary, typed: [UInt8]) {
        self.vocabulary = vocabulary
        self.typed = typed
    }

    /// Looks among words that begin like the typed one up to the offset, followed by `letter`. A mistake in the last letter counts in whole words
    /// only: too many words begin with the letters before it.
    mutating func look(for part: ArraySlice<UInt8>, behind letter: ArraySlice<UInt8> = [], in words: Range<Int>, as mistake: Mistake) {
        guard let first = vocabulary.first(of: part, from: offset + letter.count, in: words) else { return }
        let beginning = typed[..<offset] + letter + part
        let isWord = vocabulary.isWhole(first, length: beginning.count)
        let mustBeWhole = isLast && (mistake == .tooMany || mistake == .other)
        guard isWord || !mustBeWhole, !beginning.starts(with: typed), found[Array(beginning)] == nil else { return }
        // People rarely mistake the first letter.
        let rank = [isWord ? 0 : 1, isFirst && mistake != .swapped ? 1 : 0, mistake.rawValue]
        let word = SoughtWord(String(decoding: beginning, as: UTF8.self), isWhole: mustBeWhole)
        found[Array(beginning)] = Candidate(word: word, rank: rank)
    }

    func best(_ most: Int) -> [SoughtWord] {
        let ranked = found.values.sorted { a, b in
            a.rank == b.rank ? a.word.text < b.word.text : a.rank.lexicographicallyPrecedes(b.rank)
        }
        return ranked.prefix(most).map(\.word)
    }
}
