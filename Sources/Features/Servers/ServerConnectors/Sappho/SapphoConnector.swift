/// An account at a Sappho server as a source of audiobooks: its shelves, its books with their chapters, and its collections.
///
/// URIs contain the account's name and the server's ids. Answers are not cached, because the account's other devices
/// change them all the time. Only the user's ratings are cached for a minute, because most rows lack them.
import BatonCore
import BatonJSON
package import BatonSeams

package struct SapphoConnector: Connector {
    package let source: String
    let title: String
    let server: SapphoServer
    let rows: SapphoRows
    let ratings: OwnRatings
    let own = OwnDevices()
    let clock: Clock
    let sockets: (any WebSocketClient)?

    package init(_ account: SourceAccount, secrets: SourceSecrets, parts: SourceParts) throws(SourceFault) {
        if let missing = SapphoKind.missing(secrets) { throw SourceFault(.badRequest, missing) }
        source = account.name
        title = account.title
        server = try SapphoServer(account, secrets: secrets, parts: parts)
        rows = SapphoRows(source: account.name)
        ratings = OwnRatings(parts.clock)
        clock = parts.clock
        sockets = parts.sockets
    }

    package var about: SourceAbout {
        let shelves = SapphoItem.Shelf.allCases.map { shelf in
            SourceAbout.Shelf(name: shelf.rawValue, uri: rows.uri(.shelf(shelf)), isEverything: shelf == .books)
        }
        return SourceAbout(
            name: title, shelves: shelves,
            abilities: [
                .browse, .search, .pictures, .favourites, .stars, .marks, .similar, .mirror, .download, .lists, .progress, .sessions,
                .remote,
            ])
    }

    package func check() async throws(SourceFault) {
        let health = try await server.ask("/api/health", isPublic: true)
        guard health["status"]?.string != nil else {
            throw SourceFault(.failed, "“\(title)” answers, but not as a Sappho server does.")
        }
        _ = try await server.ask("/api/profile")
    }

    func item(_ uri: ItemURI) throws(SourceFault) -> SapphoItem {
        guard let item = SapphoItem(uri, of: source) else {
            throw SourceFault(.notFound, "“\(title)” has nothing called \(uri.text).")
        }
        return item
    }

    func book(_ id: Int) async throws(SourceFault) -> SapphoBook {
        guard let book = SapphoBook(try await server.ask("/api/audiobooks/\(id)")) else {
            throw SourceFault(.failed, "“\(title)” answers with something that is no book.")
        }
        return book
    }

    /// Rows of books, with the user's ratings.
    func bookRows(_ books: [SapphoBook]) async -> [ItemRow] {
        let stars = await ratings.all { try? await server.list("/api/ratings/my-ratings") }
        return books.map { rows.book($0, stars: stars[$0.id] ?? 0) }
    }
}

/// The user's ratings, cached for a minute.
actor OwnRatings {
    private let clock: Clock
    private var known: [Int: Int] = [:]
    private var readMs: Milliseconds?
    private static let freshMs: Milliseconds = 60_000

    init(_ clock: Clock) { self.clock = clock }

    /// All ratings by book. After a failed request the previous ones remain, because books are shown in any case.
    func all(_ read: @Sendable () async -> [JSON]?) async -> [Int: Int] {
        if let readMs, clock.nowMs - readMs < Self.freshMs { return known }
        readMs = clock.nowMs
        guard let rows = await read() else { return known }
        known = [:]
        for row in rows {
            if let id = row.whole("audiobook_id"), let stars = row.whole("rating"), 1...5 ~= stars { known[id] = stars }
        }
        return known
    }

    func forget() { readMs = nil }
}
