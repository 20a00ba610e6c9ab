/// The order in which hits of servers are shown.
import BatonCore
import Testing

struct SearchTermsTests {
    private func row(
        _ title: String, _ artist: String = "", _ album: String = "", _ kind: ItemKind = .track, plays: Int = 0
    ) -> ItemRow {
        var tags = Tags(title: title, artists: [artist])
        tags.album = album
        tags.kind = kind
        return ItemRow(uri: ItemURI("far:\(title)/\(artist)/\(album)"), tags: tags, mark: ItemMark(plays: plays))
    }

    private func titles(_ rows: [ItemRow], for text: String, ahead: Int = SearchTerms.mostAhead) -> [String] {
        SearchTerms(text).ranked(rows, ahead: ahead).map(\.row.tags.title)
    }

    @Test func `words in the title come before words in the artist's name, and those before the album's`() {
        let rows = [row("c", "x", "blue note"), row("b", "Blue", "note"), row("a blue note"), row("d", "blue note"), row("no hit")]

        #expect(titles(rows, for: "BLUE nóte") == ["a blue note", "d", "b", "c", "no hit"])
    }

    @Test func `among equals the one that is played more comes first, then the one whose name sorts first`() {
        #expect(
            titles([row("blue c"), row("blue b"), row("blue a", plays: 0), row("blue z", plays: 3)], for: "blue")
                == ["blue z", "blue a", "blue b", "blue c"])
    }

    @Test func `containers stand before the tracks, the exact name first, and those beyond the bound behind them`() {
        let rows = [row("Blue song"), row("Blues", kind: .artist), row("Blue", kind: .album), row("Blue too", kind: .album)]

        #expect(titles(rows, for: "blue") == ["Blue", "Blue too", "Blues", "Blue song"])
        #expect(titles(rows, for: "blue", ahead: 2) == ["Blue", "Blue too", "Blue song", "Blues"])
    }

    private func row(_ title: String, kind: ItemKind) -> ItemRow { row(title, "", "", kind) }

    @Test(arguments: 0..<100) func `the order is one order: it does not depend on how rows arrive`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let words = ["blue", "bluer", "note", "Élan", "x"]
        let rows = (0..<40).map { number in
            let texts = (0..<3).map { _ in words.randomElement(using: &random) ?? "" }
            return row(
                texts[0] + " \(number)", texts[1], texts[2], Bool.random(using: &random) ? .track : .album,
                plays: Int.random(in: 0...1, using: &random))
        }

        let terms = SearchTerms("blu")
        #expect(terms.ranked(rows).map(\.row) == terms.ranked(rows.shuffled(using: &random)).map(\.row))
        let ranks = terms.ranked(rows).map(\.rank)
        #expect(!zip(ranks, ranks.dropFirst()).contains { $1 < $0 })
    }
}
