/// What a station says that it plays, and which tracks are that song. A value.
///
/// Stations say `Artist - Title`, some the other way round, and many add words in brackets. So a track fits when its title is one side
/// and its artists have the words of the other; without brackets on both it fits less well.
package struct SongTitle: Equatable, Sendable {
    package let text: String
    /// The artist, then the title; only the title where nothing parts them.
    private let sides: [String]

    package init(_ text: String) {
        self.text = text
        if let dash = text.firstRange(of: " - ") {
            sides = [String(text[..<dash.lowerBound]), String(text[dash.upperBound...])]
        } else {
            sides = [text]
        }
    }

    /// What a source is asked for. Some servers look for a whole text in titles alone, so the artist is left out; the second question
    /// is for stations that say the title first.
    package var questions: [String] { [sides.last, sides.count > 1 ? sides.first : nil].compactMap { $0 }.map(Self.plain) }

    /// How well a track fits, 0 best; `nil` for another one.
    package func rank(of tags: Tags) -> Int? {
        guard tags.kind == .track else { return nil }
        let forms: [(String) -> String] = [{ $0 }, Self.plain]
        for (rank, form) in forms.enumerated() {
            let title = Self.words(form(tags.title))
            let artists = Set(Self.words(tags.artists.joined(separator: " ")))
            let pairs = sides.count > 1 ? [(sides[0], sides[1]), (sides[1], sides[0])] : [("", sides[0])]
            if pairs.contains(where: { Self.words(form($1)) == title && artists.isSuperset(of: Self.words(form($0))) }) { return rank }
        }
        return nil
    }

    /// The tracks that fit, best first: those that can be played now, then those that fit best, then those of this machine.
    package func matches(among rows: [ItemRow], isOwn: (ItemRow) -> Bool) -> [ItemRow] {
        let fitting = rows.enumerated().compactMap { place, row in
            rank(of: row.tags).map { (order: [row.isAway ? 1 : 0, $0, isOwn(row) ? 0 : 1, place], row: row) }
        }
        return fitting.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.row)
    }

    private static func words(_ text: String) -> [String] { Folding.words(Folding.fold(text)).map { String($0) } }

    /// Without what stands in brackets, unless nothing else is there.
    private static func plain(_ text: String) -> String {
        var (kept, depth) = ("", 0)
        for character in text {
            if "([".contains(character) {
                depth += 1
            } else if ")]".contains(character) {
                depth = max(0, depth - 1)
            } else if depth == 0 {
                kept.append(character)
            }
        }
        return words(kept).isEmpty ? text : kept
    }
}
