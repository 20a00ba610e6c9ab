/// What a search looks for, and in which order it shows what it finds.
///
/// Each word is the beginning of a word of what is found. All sources are ranked alike: the hub's library by the order of its
/// index, which follows the same rules, and rows of servers by `rank`.
package struct SearchTerms: Equatable, Sendable {
    package static let mostWords = 12
    /// A word's beginning that tells it from others well enough.
    package static let wordBytes = 40
    /// How many artists, albums and lists come before the tracks.
    package static let mostAhead = 12

    /// The whole text, for names that are exactly so.
    package let folded: String
    package let words: [String]

    package init(_ text: String) {
        folded = Folding.short(text)
        var met = Set<Substring>()
        let all = Folding.words(Folding.fold(text)).filter { met.insert($0).inserted }
        // A word that begins another says nothing more.
        words = all.filter { word in !all.contains { $0 != word && $0.hasPrefix(word) } }.prefix(Self.mostWords)
            .map { Folding.cut(String($0), to: Self.wordBytes) }
    }

    /// Where a row stands among what was found.
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

    /// The first of the texts that has all words, together with those before it.
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

    /// The rows of one answer of a server in the order of this search: containers first, at most so many, then tracks, then the
    /// other containers. Rows of one rank keep the server's order.
    package func ranked(_ rows: [ItemRow], ahead: Int = mostAhead) -> [RankedRow] {
        let all = rows.enumerated().map { RankedRow(row: $1, rank: rank(of: $1), place: $0) }.sorted()
        let containers = all.filter(\.rank.isContainer)
        var rest = containers.dropFirst(ahead)
        for index in rest.indices { rest[index].rank.isBehindTracks = true }
        return containers.prefix(ahead) + all.filter { !$0.rank.isContainer } + rest
    }
}

/// A row's place in the order of a search; the smaller one comes first.
package struct SearchRank: Comparable, Sendable {
    package var isContainer: Bool
    /// Of a container that found no room before the tracks.
    package var isBehindTracks = false
    /// How well its texts fit: 0 is best.
    package var tier: Int
    package var unplayed: Int
    package var sort: String

    private var stage: Int { isContainer ? (isBehindTracks ? 2 : 0) : 1 }

    package static func < (a: SearchRank, b: SearchRank) -> Bool {
        if a.stage != b.stage { return a.stage < b.stage }
        if a.tier != b.tier { return a.tier < b.tier }
        if a.unplayed != b.unplayed { return a.unplayed < b.unplayed }
        return a.sort.utf8.lexicographicallyPrecedes(b.sort.utf8)
    }
}

package struct RankedRow: Comparable, Sendable {
    package var row: ItemRow
    package var rank: SearchRank
    /// In the answer that it came in.
    package var place: Int

    package static func < (a: RankedRow, b: RankedRow) -> Bool {
        if a.rank < b.rank { return true }
        return b.rank < a.rank ? false : a.place < b.place
    }
}
