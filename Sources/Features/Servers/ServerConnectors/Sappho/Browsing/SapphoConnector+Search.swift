/// Searches books with the server's search, and series, authors and genres by name.
import BatonCore
package import BatonSeams

extension SapphoConnector {
    /// Limit of names that one filter may match, because each combination costs a request.
    private static let mostNames = 4

    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        let search = SapphoSearch(query.text)
        guard !search.isEmpty else { return ItemPage() }
        var found: [ItemRow] = []
        for (kind, list) in [(ItemKind.series, SapphoItem.Shelf.series), (.author, .authors), (.genre, .genres)]
        where search.names.isEmpty && isWanted(kind, query) {
            let rows = try await browse(BrowseQuery(node: rows.uri(.shelf(list)), window: PageWindow(limit: Self.mostBooks))).rows
            found += rows.filter { search.finds($0.tags.title) }
        }
        guard isWanted(.book, query) else { return ItemPage(of: found, in: query.window) }
        let limit = min(query.window.offset + max(1, query.window.limit) + 1, Self.mostBooks)
        var books: [SapphoBook] = []
        for filters in try await questions(search) {
            let words: SapphoServer.Query = search.words.isEmpty ? [] : [("search", search.words)]
            books += try await self.books(filters + words, limit: limit).books
        }
        return ItemPage(of: found + (await bookRows(books)), in: query.window)
    }

    private func isWanted(_ kind: ItemKind, _ query: SearchQuery) -> Bool { query.kinds.isEmpty || query.kinds.contains(kind) }

    /// The requests for a search. The server's filters need whole names, so matching names are looked up first.
    private func questions(_ search: SapphoSearch) async throws(SourceFault) -> [SapphoServer.Query] {
        var questions: [SapphoServer.Query] = [[]]
        for (filter, part) in search.names.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let names = try await names(filter).filter { $0.lowercased().contains(part.lowercased()) }.prefix(Self.mostNames)
            questions = questions.flatMap { question in names.map { question + [(filter.rawValue, $0)] } }
        }
        return questions
    }

    private func names(_ filter: SapphoSearch.Filter) async throws(SourceFault) -> [String] {
        switch filter {
        case .author: try await groups("authors", of: "author").map(\.name)
        case .series: try await series().map(\.name)
        case .genre: try await groups("genres", of: "genre").map(\.name)
        }
    }
}
