/// The words of a search, and the ranking of its results.
///
/// Each search word matches the beginning of a word in a row. All sources are ranked alike: the hub's library by the order of its index, which
/// follows the same rules, and rows of servers by `rank`.
package struct SearchTerms: Equatable, Sendable {
    /// Number of words that are searched; further ones are ignored.
    package static let mostWords = 12
    /// Length to which words are cut; enough to tell them apart.
    package static let wordBytes = 40
    /// Number of artists, albums and lists that come before the tracks.
    package static let mostAhead = 12

    /// The whole text, for names that match exactly.
    package let folded: String
    /// The folded words without repetitions, and without those that begin another one.
    package let words: [String]

    /// The terms of a text as a person typed it.
    package init(_ text: String) {
        folded = Folding.short(text)
        var met = Set<Substring>()
        let all = Folding.words(Folding.fold(text)).filter { met.insert($0).inserted }
        // A word that begins another search word adds nothing.
        words = all.filter { word in !all.contains { $0 != word && $0.hasPrefix(word) } }.prefix(Self.mostWords)
            .map { Folding.cut(String($0), to: Self.wordBytes) }
    }

    /// The rank of a server's row, by the same rules as the library's index.
    package func rank(of row: ItemRow) -> SearchRank {
        let tags = row.tags
        let title = Folding.fold(tags.title)
        let tier: Int
        if tags.kind.isContainer {
            if Folding.cut(title, to: Folding.mostShortBytes) == folded {
                tier = 0
            } else if missing(in: title, of: words).isEmpty {
                tier = 1
            } else {
                tier = 2
            }
        } else {
            tier = self.tier(of: [title, Folding.fold(tags.artists.joined(separator: " ")), Folding.fold(tags.album)])
        }
        return SearchRank(
            isContainer: tags.kind.isContainer, tier: tier, unplayed: -row.mark.plays, sort: Folding.cut(title, to: Folding.mostShortBytes))
    }

    /// The index of the first text that completes the words, together with those before it.
    private func tier(of texts: [String]) -> Int {
        var left = words
        for (tier, text) in texts.enumerated() {
            left = missing(in: text, of: left)
            if left.isEmpty { return tier }
        }
        return texts.count
    }

    private func missing(in folded: String, of words: [String]) -> [String] {
        let there = Folding.words(folded)
        return words.filter { word in !there.contains { $0.hasPrefix(word) } }
    }

    /// Sorts the rows of one server's answer: at most `ahead` containers, then tracks, then the other containers. Rows of one rank keep the server's
    /// order.
    package func ranked(_ rows: [ItemRow], ahead: Int = mostAhead) -> [RankedRow] {
        let all = rows.enumerated().map { RankedRow(row: $1, rank: rank(of: $1), index: $0) }.sorted()
        let containers = all.filter(\.rank.isContainer)
        var rest = containers.dropFirst(ahead)
        for index in rest.indices { rest[index].rank.isBehindTracks = true }
        return containers.prefix(ahead) + all.filter { !$0.rank.isContainer } + rest
    }
}

/// The position of a row in search results; the smaller rank comes first.
package struct SearchRank: Comparable, Sendable {
    /// True for containers, which come in a group of their own.
    package var isContainer: Bool
    /// True for a container that comes after the tracks, since the limit before them is reached.
    package var isBehindTracks = false
    /// The quality of the match: 0 is best.
    package var tier: Int
    /// Number of plays, negated, so that items that were played often come first.
    package var unplayed: Int
    /// The folded title, which decides between equals.
    package var sort: String

    private var stage: Int { isContainer ? (isBehindTracks ? 2 : 0) : 1 }

    package static func < (a: SearchRank, b: SearchRank) -> Bool {
        if a.stage != b.stage { return a.stage < b.stage }
        if a.tier != b.tier { return a.tier < b.tier }
        if a.unplayed != b.unplayed { return a.unplayed < b.unplayed }
        return a.sort.utf8.lexicographicallyPrecedes(b.sort.utf8)
    }
}

/// A row with its rank. Rows of equal rank keep the order of the server.
package struct RankedRow: Comparable, Sendable {
    package var row: ItemRow
    package var rank: SearchRank
    /// The index in the server's answer.
    package var index: Int

    package static func < (a: RankedRow, b: RankedRow) -> Bool {
        if a.rank < b.rank { return true }
        return b.rank < a.rank ? false : a.index < b.index
    }
}
