import BatonCore
import BatonProtocol
import BatonSeams

/// One page from the rows of several sources. Each gets a share of the rows, and the unused rows of one go to the others. It
/// also knows the place at which each source continues.
struct PageShares {
    struct Part {
        let source: String
        let position: PageCursor.Position
        /// The source's own page, from its beginning.
        let page: ItemPage

        var rows: ArraySlice<ItemRow> {
            switch position {
            case .page(_, let skipped), .ranked(_, let skipped, _): page.rows.dropFirst(skipped)
            case .from, .waiting: page.rows[...]
            }
        }

        /// The place after this number of `rows`; `nil` at the end.
        func next(after taken: Int) -> PageCursor.Position? {
            if taken == rows.count { return page.cursor.map { .page($0, skipping: 0) } }
            switch position {
            case .from(let count): return .from(count + taken)
            case .page(let word, let skipped): return .page(word, skipping: skipped + taken)
            case .ranked(let size, let skipped, let begin): return .ranked(size: size, skipping: skipped + taken, begin)
            case .waiting: return .waiting
            }
        }
    }

    let parts: [Part]

    init(_ parts: [Part]) { self.parts = parts }

    /// Makes the page. `fitting` returns the number of rows that fit.
    func page(limit: Int, _ fitting: (ItemList) -> Int) -> ItemList {
        var taken = shares(of: limit)
        var list = ItemList(zip(parts, taken).flatMap { $0.rows.prefix($1) })
        var over = list.rows.count - fitting(list)
        // Rows that do not fit are taken from the last sources.
        for index in taken.indices.reversed() where over > 0 {
            let less = min(over, taken[index])
            taken[index] -= less
            over -= less
        }
        list.rows = zip(parts, taken).flatMap { $0.rows.prefix($1) }
        let positions = zip(parts, taken).compactMap { part, taken in part.next(after: taken).map { (part.source, $0) } }
        list.cursor = positions.isEmpty ? nil : PageCursor(positions).text
        let totals = parts.map(\.page.total)
        list.total = totals.contains(nil) || totals.isEmpty ? nil : totals.reduce(0) { $0 + ($1 ?? 0) }
        return list
    }

    private func shares(of limit: Int) -> [Int] {
        var taken = parts.map { _ in 0 }
        var left = limit
        while left > 0 {
            let hungry = parts.indices.filter { taken[$0] < parts[$0].rows.count }
            guard !hungry.isEmpty else { return taken }
            let share = max(1, left / hungry.count)
            for index in hungry where left > 0 {
                let more = min(share, left, parts[index].rows.count - taken[index])
                taken[index] += more
                left -= more
            }
        }
        return taken
    }
}
