/// The title that a station streams, and the search for tracks that are that song. A value.
///
/// Stations send `Artist - Title`, some the other way round, and many add words in brackets. So a track matches when its title is one side and its
/// artists contain the words of the other. A match that ignores brackets ranks lower.
package struct SongTitle: Equatable, Sendable {
    /// The title as the station sent it.
    package let text: String
    /// The artist, then the title; only the title where nothing separates them.
    private let sides: [String]

    package init(_ text: String) {
        self.text = text
        if let dash = text.firstRange(of: " - ") {
            sides = [String(text[..<dash.lowerBound]), String(text[dash.upperBound...])]
        } else {
            sides = [text]
        }
    }

    /// Search texts for a source. Some servers search a whole text in titles alone, so the artist is left out; the second text is for stations that
    /// put the title first.
    package var questions: [String] { [sides.last, sides.count > 1 ? sides.first : nil].compactMap { $0 }.map(Self.plain) }

    /// The quality of a match, 0 is best; `nil` for another song.
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

    /// The matching tracks, best first: available ones, then the closest matches, then those of this machine.
    package func matches(among rows: [ItemRow], isOwn: (ItemRow) -> Bool) -> [ItemRow] {
        let fitting = rows.enumerated().compactMap { place, row in
            rank(of: row.tags).map { (order: [row.isAway ? 1 : 0, $0, isOwn(row) ? 0 : 1, place], row: row) }
        }
        return fitting.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.row)
    }

    private static func words(_ text: String) -> [String] { Folding.words(Folding.fold(text)).map { String($0) } }

    /// The text without parts in brackets, unless nothing else is left.
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
