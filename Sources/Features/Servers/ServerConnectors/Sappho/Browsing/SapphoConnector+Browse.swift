/// Shelves and their items, page by page.
import BatonCore
import BatonJSON
package import BatonSeams

extension SapphoConnector {
    /// The server's limit for one answer.
    static let mostBooks = 2_000
    private static let mostOfHome = 100

    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        let window = query.window
        guard let node = query.node else { return ItemPage(of: SapphoItem.Shelf.allCases.map(rows.shelf), in: window) }
        switch try item(node) {
        case .shelf(let shelf): return try await browse(shelf, window)
        case .series(let name): return ItemPage(of: try await bookRows(books(ofSeries: name)), in: window)
        case .author(let name): return try await library([("author", name)], window)
        case .genre(let name): return try await library([("genre", name)], window)
        case .collection(let id):
            let collection = try await collection(id)
            var found = ItemPage(of: await bookRows(collection.books), in: window)
            found.version = collection.version
            return found
        case .similar(let id): return ItemPage(of: await bookRows(try await similarBooks(id)), in: window)
        // These items have no rows; their details hold the text.
        case .book, .account, .recap, .story: return ItemPage(of: [], in: window)
        }
    }

    private func browse(_ shelf: SapphoItem.Shelf, _ window: PageWindow) async throws(SourceFault) -> ItemPage {
        switch shelf {
        case .continue: ItemPage(of: await bookRows(try await home("in-progress")), in: window)
        case .next: ItemPage(of: await bookRows(try await home("up-next")), in: window)
        case .recent: ItemPage(of: await bookRows(try await home("recent")), in: window)
        case .again: ItemPage(of: await bookRows(try await home("finished").sorted { $0.id < $1.id }), in: window)
        case .books: try await library([], window)
        case .series: ItemPage(of: try await series().map(row), in: window)
        case .authors:
            ItemPage(of: try await groups("authors", of: "author").map { row(.author($0.name), kind: .author, of: $0) }, in: window)
        case .genres: ItemPage(of: try await groups("genres", of: "genre").map { row(.genre($0.name), kind: .genre, of: $0) }, in: window)
        case .collections: ItemPage(of: try await collections().map(rows.collection), in: window)
        case .favourites: ItemPage(of: await bookRows(try await favourites()), in: window)
        case .recaps: ItemPage(of: try await recapRows(), in: window)
        case .account:
            ItemPage(of: SapphoItem.AccountPage.allCases.map { rows.container(.account($0), kind: .folder, title: $0.title) }, in: window)
        }
    }

    // MARK: Pages

    /// A page of the books that match a query; the server does the paging.
    func library(_ query: SapphoServer.Query, _ window: PageWindow) async throws(SourceFault) -> ItemPage {
        let (from, limit) = (window.offset, min(max(1, window.limit), 500))
        let (books, total) = try await books(query, from: from, limit: limit)
        let end = from + limit
        return ItemPage(await bookRows(books), cursor: end < total ? String(end) : nil, total: total)
    }

    // MARK: Lists

    func books(_ query: SapphoServer.Query, from: Int = 0, limit: Int = mostBooks) async throws(SourceFault) -> (
        books: [SapphoBook], total: Int
    ) {
        let window = [("includeUnavailable", "true"), ("limit", String(limit)), ("offset", String(from))]
        let answer = try await server.ask("/api/audiobooks", query + window)
        guard let rows = answer["audiobooks"]?.array else {
            throw SourceFault(.failed, "“\(title)” answers with something that is no list of books.")
        }
        return (rows.compactMap { SapphoBook($0) }, answer.whole("total") ?? from + rows.count)
    }

    /// The books of a series in its order, since the server does not sort them.
    func books(ofSeries name: String) async throws(SourceFault) -> [SapphoBook] {
        try await books([("series", name)]).books.sorted { ($0.numberInSeries, $0.title) < ($1.numberInSeries, $1.title) }
    }

    func home(_ list: String) async throws(SourceFault) -> [SapphoBook] {
        try await server.list("/api/audiobooks/meta/\(list)", [("limit", String(Self.mostOfHome))]).compactMap { SapphoBook($0) }
    }

    func favourites() async throws(SourceFault) -> [SapphoBook] {
        try await server.list("/api/audiobooks/favorites").compactMap { SapphoBook($0) }
    }

    func similarBooks(_ id: Int) async throws(SourceFault) -> [SapphoBook] {
        let answer = try await server.ask("/api/audiobooks/\(id)/similar", [("limit", "20")])
        var found: [SapphoBook] = []
        for name in ["more_by_author", "more_by_narrator", "similar_audiobooks"] {
            for book in (answer[name]?.array ?? []).compactMap({ SapphoBook($0) }) where !found.contains(where: { $0.id == book.id }) {
                found.append(book)
            }
        }
        return found
    }

    // MARK: Groups

    /// A series, an author or a genre, with its number of books.
    struct Group: Equatable, Sendable {
        var name: String
        var count: Int?
        var cover: Int?
    }

    func groups(_ list: String, of name: String) async throws(SourceFault) -> [Group] {
        try await server.list("/api/audiobooks/meta/\(list)").compactMap { Self.group($0, name) }
    }

    /// A group from a row. Ids of covers are text in some lists and numbers in others.
    private static func group(_ row: JSON, _ name: String) -> Group? {
        guard let text = row[name]?.string, !text.isEmpty else { return nil }
        let cover = row["cover_ids"]?.array?.first.flatMap { $0.int.map { Int($0) } ?? $0.string.flatMap { Int($0) } }
        return Group(name: text, count: row.whole("book_count") ?? row.whole("count"), cover: cover)
    }

    /// All series. Servers with an older SQLite fail here, so the series are then collected from all books.
    func series() async throws(SourceFault) -> [Group] {
        let reply = try await server.reply(.get, "/api/audiobooks/meta/series")
        if reply.isWell, let list = reply.json?.array { return list.compactMap { Self.group($0, "series") } }
        guard reply.status == 500 else { throw await server.fault(reply) }
        var found: [String: Group] = [:]
        var from = 0
        while true {
            let (books, total) = try await books([], from: from)
            for book in books {
                guard let name = book.series else { continue }
                found[name, default: Group(name: name, count: 0)].count? += 1
                if book.hasCover, found[name]?.cover == nil { found[name]?.cover = book.id }
            }
            from += Self.mostBooks
            if books.isEmpty || from >= min(total, Self.mostBooks * 50) { break }
        }
        // Like the server's list, only series with two or more books.
        return found.values.filter { $0.count ?? 0 > 1 }.sorted { $0.name < $1.name }
    }

    func row(_ series: Group) -> ItemRow { row(.series(series.name), kind: .series, of: series) }

    func row(_ item: SapphoItem, kind: ItemKind, of group: Group) -> ItemRow {
        rows.container(item, kind: kind, title: group.name, count: group.count, cover: group.cover)
    }
}
