/// Words that a mistyped word may stand for.
import BatonCore
import Testing

struct VocabularyTests {
    private func vocabulary(_ words: some Sequence<String>) -> Vocabulary {
        var vocabulary = Vocabulary()
        for word in Set(words).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { vocabulary.append(word) }
        return vocabulary
    }

    @Test(arguments: ["radiohaed", "rdiohead", "raddiohead", "radiahead", "radioheadd", "radioheat", "adiohead", "tadiohead", "radiohed"])
    func `a letter too many, a missing, a changed or a swapped one is a mistake`(typed: String) {
        let neighbours = vocabulary(["airbag", "radio", "radiohead", "rain", "zebra"]).neighbours(of: typed)
        #expect(neighbours.map(\.text) == ["radiohead"])
    }

    @Test func `two mistakes are too many, and short words and numbers have none`() {
        let words = vocabulary(["1984", "airbag", "cat", "radiohead"])
        for typed in ["rdiohaed", "raidohaed", "cut", "1985", "airbag9"] { #expect(words.neighbours(of: typed).isEmpty, "\(typed)") }
    }

    @Test func `a word that is still being typed stands for the beginnings of others`() {
        let words = vocabulary(["beach", "beatles", "beaver", "boat", "elan", "élan"])
        #expect(words.neighbours(of: "baetl").map(\.text) == ["beatl"])
        // A wrong last letter may yet be corrected by the next one, and its beginning is that of many.
        #expect(words.neighbours(of: "beatk").isEmpty)
        #expect(words.neighbours(of: "elam").map(\.text) == ["elan"])
        #expect(words.neighbours(of: "élam") == [SoughtWord("élan", isWhole: true)])
    }

    @Test func `of several words each may have a mistake, and one that is right stays`() {
        let words = vocabulary(["creed", "creep", "radiohead"])
        #expect(
            words.meanings(of: ["creep", "radiohaed"]) == [
                [SoughtWord("creep"), SoughtWord("creed", isWhole: true)], [SoughtWord("radiohead")],
            ])
        #expect(words.meanings(of: ["xyz", "radiohaed"]) == nil && words.meanings(of: ["radiohead"]) == nil)
        #expect(words.knows(["creep", "99", "cr"]) && !words.knows(["creep", "radio"]))
        #expect(words.lacks("radioha") && !words.lacks("radioh") && !words.lacks("99"))
    }

    @Test(arguments: seeds) func `the neighbours are all words that are one mistake away, and no others`(seed: UInt64) {
        var random = SeededGenerator(seed)
        func word() -> String { String((0..<random.number(3..<8)).map { _ in random.one(of: ["a", "b", "c", "é"]) as Character }) }
        let words = (0..<60).map { _ in word() }
        let known = vocabulary(words)
        for typed in (0..<20).map({ _ in word() }) where typed.count >= 4 {
            let neighbours = known.neighbours(of: typed, most: .max)
            func means(_ word: String) -> Bool { neighbours.contains { $0.isWhole ? $0.text == word : word.hasPrefix($0.text) } }
            for word in words where Self.distance(word, typed) == 1 && !word.hasPrefix(typed) {
                #expect(means(word), "seed \(seed): \(typed) for \(word)")
            }
            for near in neighbours { #expect(Self.distance(near.text, typed) == 1 && words.contains { $0.hasPrefix(near.text) }) }
        }
    }

    @Test(arguments: seeds) func `words that come later stand among the others as if they had come with them`(seed: UInt64) {
        var random = SeededGenerator(seed)
        func word() -> String { String((0..<random.number(3..<8)).map { _ in random.one(of: ["a", "b", "c", "é"]) as Character }) }
        let first = Set((0..<random.number(0..<30)).map { _ in word() })
        let later = Set((0..<random.number(0..<30)).map { _ in word() }).subtracting(first)

        var words = vocabulary(first)
        words.add(later.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })

        #expect(words == vocabulary(first.union(later)) && words.count == first.count + later.count, "seed \(seed)")
    }

    /// Optimal string alignment: two swapped letters are one mistake.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
        var rows = [Array(0...b.count)]
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                var least = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { least = min(least, rows[i - 2][j - 2] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
