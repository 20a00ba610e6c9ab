/// Where the account's person is in a book: read and written.
package import BatonCore
import BatonJSON
package import BatonSeams

extension SapphoConnector {
    /// Nearer to the beginning the server keeps no place.
    private static let leastMs = 5_000
    /// As what this hub's rooms show themselves at the server, beside their names.
    static let platform = "Baton"

    /// With the time of its change by this hub's clock, however wrong the server's is.
    package func place(of uri: ItemURI) async throws(SourceFault) -> ServerPlace? {
        let reply = try await server.tell(.get, "/api/audiobooks/\(try bookID(uri))/progress")
        guard let place = reply.json.flatMap({ SapphoPlace($0) }) else {
            throw SourceFault(.failed, "“\(title)” answers with something that is no place in a book.")
        }
        let aheadMs = reply.dateMs.map { $0 - clock.wallMs } ?? 0
        return place.updatedAtMs.map { ServerPlace(place, atMs: $0 - aheadMs) }
    }

    /// Of the books that were begun, the newest of each series. Their times are the server's.
    package func places() async throws(SourceFault) -> [ItemURI: ServerPlace] {
        var places: [ItemURI: ServerPlace] = [:]
        for book in try await home("in-progress") {
            if let place = book.place { places[rows.uri(.book(book.id))] = ServerPlace(place, atMs: place.updatedAtMs) }
        }
        return places
    }

    func keep(_ note: ServerPlaceNote) async throws(SourceFault) {
        let id = try bookID(note.uri)
        let path = "/api/audiobooks/\(id)/progress"
        let before = note.over ?? .none
        let isInside = note.place.positionMs >= Self.leastMs || note.place.isFinished
        // What is finished stays so at the server until it is deleted, and a place at the beginning is not taken.
        if before.isFinished && !note.place.isFinished || !isInside && before != .none {
            try await server.tell(.delete, path, allowing: [404])
        }
        guard isInside else { return }
        await own.note(note.device)
        do throws(SourceFault) { try await server.tell(.post, path, Self.body(note)) } catch {
            // The server fails at a book that it does not have any more.
            if error.code == .unavailable { _ = try await book(id) }
            throw error
        }
    }

    /// Whole seconds, rounded down: the apps for phones cannot read others. A book that was finished is heard from its beginning.
    private static func body(_ note: ServerPlaceNote) -> String {
        let isFinished = note.place.isFinished
        let client = JSONText.object([("name", JSONText.string(note.device)), ("platform", JSONText.string(platform))])
        return JSONText.object([
            ("position", String(isFinished ? 0 : note.place.positionMs / 1_000)), ("completed", isFinished ? "1" : "0"),
            ("state", JSONText.string((isFinished ? ServerPlaceNote.State.stopped : note.state).rawValue)), ("clientInfo", client),
        ])
    }
}

extension ServerPlace {
    init(_ place: SapphoPlace, atMs: Int64?) {
        self.init(positionMs: place.isFinished ? 0 : place.positionMs, isFinished: place.isFinished, atMs: atMs)
    }
}
