/// Reads everything on the server for the hub's mirror: lists first, then collections, then all books page by page,
/// with each row in all places where it appears.
///
/// The cursor is the index of the next book.
import BatonCore
package import BatonSeams

extension SapphoConnector {
    private static let step = 500
    /// Shelves that are not mirrored: recaps change hourly, and pages of text have no rows.
    private static let unread: Set<SapphoItem.Shelf> = [.recaps, .account]

    package func mirror(after cursor: String?) async throws(SourceFault) -> MirrorPage {
        guard let cursor else { return try await mirrorLists() }
        guard let from = Int(cursor), 0...1_000_000_000 ~= from else {
            throw SourceFault(.badRequest, "This is no place in a pass over “\(title)”.")
        }
        let (books, total) = try await books([], from: from, limit: Self.step)
        let list = await bookRows(books)
        var found: [MirrorRow] = []
        for (at, (book, row)) in zip(books, list).enumerated() {
            let place = from + at
            found.append(MirrorRow(row, in: rows.uri(.shelf(.books)), at: place))
            if let author = book.author { found.append(MirrorRow(row, in: rows.uri(.author(author)), at: place)) }
            if let genre = book.genre { found.append(MirrorRow(row, in: rows.uri(.genre(genre)), at: place)) }
            guard let series = book.series else { continue }
            found.append(MirrorRow(row, in: rows.uri(.series(series)), at: min(book.numberInSeries, 1_000_000_000)))
        }
        let end = from + Self.step
        return MirrorPage(found, cursor: end < total && !books.isEmpty ? String(end) : nil, total: total)
    }

    /// The lists and collections. Each shelf includes its number of rows, so that an empty shelf differs from an
    /// unread one.
    private func mirrorLists() async throws(SourceFault) -> MirrorPage {
        var found: [MirrorRow] = []
        for (place, shelf) in SapphoItem.Shelf.allCases.enumerated() {
            var row = rows.shelf(shelf)
            if shelf != .books, !Self.unread.contains(shelf) {
                let list = try await browse(BrowseQuery(node: row.uri, window: PageWindow(limit: Self.mostBooks))).rows
                row.count = list.count
                found += placed(list, in: row.uri)
            }
            found.append(MirrorRow(row, in: nil, at: place))
        }
        for collection in try await collections() {
            let books = try await self.collection(collection.id).books
            found += placed(await bookRows(books), in: rows.uri(.collection(collection.id)))
        }
        return MirrorPage(found, cursor: "0")
    }

    private func placed(_ list: [ItemRow], in container: ItemURI) -> [MirrorRow] {
        list.enumerated().map { MirrorRow($0.element, in: container, at: $0.offset) }
    }
}
