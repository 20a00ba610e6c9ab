/// The position of a search in artists, albums and songs, which the server counts separately. A value.
import BatonCore
import BatonSeams

struct SearchPosition: Equatable, Sendable {
    private(set) var artists = 0
    private(set) var albums = 0
    private(set) var songs = 0
    private(set) var ended: Set<ItemKind> = []
    /// Rows to skip, if the position is given as a number.
    private(set) var skipped = 0

    private static let kinds: [ItemKind] = [.artist, .album, .track]

    init(_ window: PageWindow) {
        guard let cursor = window.cursor else {
            skipped = min(max(0, window.from), 499)
            return
        }
        let parts = cursor.split(separator: ".").map { Int($0).map { min(max(0, $0), 10_000_000) } ?? 0 }
        guard parts.count == 4 else { return }
        (artists, albums, songs) = (parts[0], parts[1], parts[2])
        for (bit, kind) in Self.kinds.enumerated() where parts[3] >> bit & 1 == 1 { ended.insert(kind) }
    }

    var text: String {
        let bits = Self.kinds.enumerated().reduce(0) { $0 + (ended.contains($1.element) ? 1 << $1.offset : 0) }
        return "\(artists).\(albums).\(songs).\(bits)"
    }

    /// Cuts the lists of artists, albums and songs to one page, and returns the position of the next page. The kinds
    /// alternate in a fixed pattern, so that each page shows all of them and a longer page begins like a shorter one.
    func page(_ lists: [[ItemRow]], asked: Int) -> ([ItemRow], SearchPosition?) {
        var page: [ItemRow] = []
        var taken = [0, 0, 0]
        var turn = 0
        while page.count < asked, zip(lists, taken).contains(where: { $0.count > $1 }) {
            let list = [0, 1, 2, 2][turn % 4]
            turn += 1
            guard taken[list] < lists[list].count else { continue }
            page.append(lists[list][taken[list]])
            taken[list] += 1
        }
        var next = self
        next.skipped = 0
        next.artists += taken[0]
        next.albums += taken[1]
        next.songs += taken[2]
        for (at, kind) in Self.kinds.enumerated() where taken[at] == lists[at].count && lists[at].count < asked { next.ended.insert(kind) }
        return (page, page.isEmpty || next.ended.count == Self.kinds.count ? nil : next)
    }
}
