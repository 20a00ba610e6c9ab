package import BatonCore
import BatonProtocol
package import BatonSeams

/// What one source found, in the order of the search; made off the loop.
package struct FoundPage: Sendable {
    package var page: ItemPage
    /// By row.
    var ranks: [SearchRank]
    package var keys: [FoldKey?]

    /// Rows of a server are put into the order of the search. The hub's own library answers in that order.
    init(_ page: ItemPage, for terms: SearchTerms, isRanked: Bool, folds: Bool, ahead: Int) {
        self.page = page
        if isRanked {
            let ranked = terms.ranked(page.rows, ahead: ahead)
            self.page.rows = ranked.map(\.row)
            ranks = ranked.map(\.rank)
        } else {
            ranks = page.rows.map(terms.rank(of:))
        }
        keys = folds ? self.page.rows.map(FoldKey.init) : []
    }
}

/// One page of what several sources found: by rank, each source's rows in its own order, the same track of two sources once.
struct MergedPage {
    package struct Part {
        package let share: PageShares.Part
        package let found: FoundPage
        package let origin: FoldedRows.Origin

        fileprivate func key(_ index: Int) -> FoldKey? { found.keys.isEmpty ? nil : found.keys[index] }
    }

    private let parts: [Part]
    /// How many rows of each part were taken.
    private var taken: [Int]
    /// The same before each row of the page was taken, for rows that do not fit.
    private var before: [[Int]] = []
    package private(set) var rows: [ItemRow] = []
    package private(set) var joined: [ItemList.Joined] = []
    private var places: [ItemURI: Int] = [:]
    private var joinedBytes = 0

    init(_ parts: [Part]) {
        self.parts = parts
        taken = parts.map { _ in 0 }
    }

    /// Takes rows until the page is full. What joined earlier rows takes at most half of its bytes.
    package mutating func fill(limit: Int, bytes: Int, _ folded: inout FoldedRows) {
        while let (at, index) = next {
            let part = parts[at]
            let row = part.found.page.rows[index]
            switch folded.add(row, from: part.origin, part.key(index)) {
            case .row(let row):
                guard rows.count < limit else { return }
                before.append(taken)
                places[row.uri] = rows.count
                rows.append(row)
            case .joined(let head, let places):
                if let here = self.places[head] {
                    rows[here].places = places
                } else {
                    guard note(head, places, upTo: bytes / 2) else { return }
                }
            }
            taken[at] += 1
        }
    }

    /// The part whose next row comes first, and where that is in the part's page.
    private var next: (part: Int, index: Int)? {
        var best: (part: Int, index: Int)?
        for at in parts.indices where taken[at] < parts[at].share.rows.count {
            let index = parts[at].share.rows.startIndex + taken[at]
            if let found = best, parts[found.part].found.ranks[found.index] <= parts[at].found.ranks[index] { continue }
            best = (at, index)
        }
        return best
    }

    /// False when there is no room for it.
    private mutating func note(_ head: ItemURI, _ places: [ItemURI], upTo bytes: Int) -> Bool {
        let joined = ItemList.Joined(uri: head, places: places)
        if let at = self.joined.firstIndex(where: { $0.uri == head }) {
            self.joined[at] = joined
            return true
        }
        joinedBytes += 40 + 6 * places.reduce(head.text.utf8.count) { $0 + 4 + $1.text.utf8.count }
        guard self.joined.isEmpty || (joinedBytes <= bytes && self.joined.count < PageCursor.Place.mostRows) else { return false }
        self.joined.append(joined)
        return true
    }

    /// Gives back the rows behind the first so many.
    package mutating func cut(to count: Int) {
        guard count < rows.count else { return }
        taken = before[count]
        rows.removeLast(rows.count - count)
    }

    /// Where each source goes on.
    var nextPlaces: [(source: String, place: PageCursor.Place)] {
        zip(parts, taken).compactMap { part, taken in part.share.next(after: taken).map { (part.share.source, $0) } }
    }

    var bytesLeft: (Int) -> Int { { [joinedBytes] in max(1, $0 - joinedBytes) } }
}
