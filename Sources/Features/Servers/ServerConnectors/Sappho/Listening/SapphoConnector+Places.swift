/// Reads and writes the user's position in a book.
package import BatonCore
import BatonJSON
package import BatonSeams

extension SapphoConnector {
    /// The server stores no position before this one.
    private static let leastMs: Milliseconds = 5_000
    /// The platform that the server shows for this hub's rooms, next to their names.
    static let platform = "Baton"

    /// The position in a book. Its time is converted to this hub's clock, because the server's may be wrong.
    package func place(of uri: ItemURI) async throws(SourceFault) -> ServerPlace? {
        let reply = try await server.tell(.get, "/api/audiobooks/\(try bookID(uri))/progress")
        guard let place = reply.json.flatMap({ SapphoPlace($0) }) else {
            throw SourceFault(.failed, "“\(title)” answers with something that is no place in a book.")
        }
        let aheadMs = reply.dateMs.map { $0 - clock.wallMs } ?? 0
        return place.updatedAtMs.map { ServerPlace(place, atMs: $0 - aheadMs) }
    }

    /// Positions in begun books, for each series in the newest one. Their times are by the server's clock.
    package func places() async throws(SourceFault) -> [ItemURI: ServerPlace] {
        var places: [ItemURI: ServerPlace] = [:]
        for book in try await home("in-progress") {
            if let place = book.place { places[rows.uri(.book(book.id))] = ServerPlace(place, atMs: place.updatedAtMs) }
        }
        return places
    }

    func store(_ note: ServerPlaceNote) async throws(SourceFault) {
        let id = try bookID(note.uri)
        let path = "/api/audiobooks/\(id)/progress"
        let before = note.over ?? .none
        let isInside = note.place.positionMs >= Self.leastMs || note.place.isFinished
        // The server keeps a book finished until its progress is deleted, and refuses a position near the beginning.
        if before.isFinished && !note.place.isFinished || !isInside && before != .none {
            try await server.tell(.delete, path, allowing: [404])
        }
        guard isInside else { return }
        await own.note(note.device)
        do throws(SourceFault) { try await server.tell(.post, path, body: Self.body(note)) } catch {
            // The server answers with an internal error for a deleted book.
            if error.code == .unavailable { _ = try await book(id) }
            throw error
        }
    }

    /// The request body. Positions are whole seconds, rounded down, because the phone apps cannot read fractions. A
    /// finished book starts at its beginning next time.
    private static func body(_ note: ServerPlaceNote) -> String {
        let isFinished = note.place.isFinished
        let client = JSONText.object([("name", JSONText.string(note.device)), ("platform", JSONText.string(platform))])
        return JSONText.object([
            ("position", String(isFinished ? 0 : note.place.positionMs.seconds)), ("completed", isFinished ? "1" : "0"),
            ("state", JSONText.string((isFinished ? ServerPlaceNote.State.stopped : note.state).rawValue)), ("clientInfo", client),
        ])
    }
}

extension ServerPlace {
    init(_ place: SapphoPlace, atMs: Milliseconds?) {
        self.init(positionMs: place.isFinished ? 0 : place.positionMs, isFinished: place.isFinished, atMs: atMs)
    }
}
