import BatonCore
import BatonProtocol
import BatonSeams

/// The rows that one source found, in the order of the search; computed off the loop.
package struct FoundPage: Sendable {
    var page: ItemPage
    /// The rank of each row.
    var ranks: [SearchRank]
    var keys: [FoldKey?]

    /// Makes a page. The rows of a server are sorted for the search; the hub's own library sorts them itself.
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

/// One page from the rows of several sources, by rank. Each source's rows keep their order, and a track of two sources is one
/// row.
struct MergedPage {
    struct Part {
        let share: PageShares.Part
        let found: FoundPage
        let origin: FoldedRows.Origin

        fileprivate func key(_ index: Int) -> FoldKey? { found.keys.isEmpty ? nil : found.keys[index] }
    }

    private let parts: [Part]
    /// Number of rows that were taken from each part.
    private var taken: [Int]
    /// The value of `taken` before each row of the page, for rows that do not fit.
    private var before: [[Int]] = []
    private(set) var rows: [ItemRow] = []
    private(set) var joined: [ItemList.Joined] = []
    private var places: [ItemURI: Int] = [:]
    private var joinedBytes = 0

    init(_ parts: [Part]) {
        self.parts = parts
        taken = parts.map { _ in 0 }
    }

    /// Takes rows until the page is full. Places of joined rows take at most half of its bytes.
    mutating func fill(limit: Int, bytes: Int, _ folded: inout FoldedRows) {
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
                    rows[here].variants = places
                } else {
                    guard note(head, places, upTo: bytes / 2) else { return }
                }
            }
            taken[at] += 1
        }
    }

    /// The part with the best next row, and the row's index in it.
    private var next: (part: Int, index: Int)? {
        var best: (part: Int, index: Int)?
        for at in parts.indices where taken[at] < parts[at].share.rows.count {
            let index = parts[at].share.rows.startIndex + taken[at]
            if let found = best, parts[found.part].found.ranks[found.index] <= parts[at].found.ranks[index] { continue }
            best = (at, index)
        }
        return best
    }

    /// Joins places to a row. False when there is no space for them.
    private mutating func note(_ head: ItemURI, _ places: [ItemURI], upTo bytes: Int) -> Bool {
        let joined = ItemList.Joined(uri: head, places: places)
        if let at = self.joined.firstIndex(where: { $0.uri == head }) {
            self.joined[at] = joined
            return true
        }
        joinedBytes += 40 + 6 * places.reduce(head.text.utf8.count) { $0 + 4 + $1.text.utf8.count }
        guard self.joined.isEmpty || (joinedBytes <= bytes && self.joined.count < PageCursor.Position.mostRows) else { return false }
        self.joined.append(joined)
        return true
    }

    /// Returns the rows after `count` to their parts.
    mutating func cut(to count: Int) {
        guard count < rows.count else { return }
        taken = before[count]
        rows.removeLast(rows.count - count)
    }

    /// The place at which each source continues.
    var nextPositions: [(source: String, position: PageCursor.Position)] {
        zip(parts, taken).compactMap { part, taken in part.share.next(after: taken).map { (part.share.source, $0) } }
    }

    var bytesLeft: (Int) -> Int { { [joinedBytes] in max(1, $0 - joinedBytes) } }
}
