/// Sends changes made on the hub to the server: favourites, stars and positions.
package import BatonCore
import BatonJSON
package import BatonSeams

extension SapphoConnector {
    package func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) {
        switch note {
        case .favourite(let uri, let isOn): try await server.tell(isOn ? .post : .delete, "/api/audiobooks/\(try bookID(uri))/favorite")
        case .stars(let uri, let stars):
            let path = "/api/ratings/audiobook/\(try bookID(uri))"
            // A book without a rating answers 404.
            if stars == 0 {
                try await server.tell(.delete, path, allowing: [404])
            } else {
                try await server.tell(.post, path, body: JSONText.object([("rating", String(min(stars, 5)))]))
            }
            await ratings.forget()
        case .progress(let note): try await store(note)
        case .played, .nowPlaying, .queue: return
        }
    }

    /// Whether a change whose answer was lost has reached the server.
    package func hasReached(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) -> Bool? {
        switch note {
        case .favourite(let uri, let isOn):
            try await server.ask("/api/audiobooks/\(try bookID(uri))/favorite").flag("is_favorite") == isOn
        case .stars(let uri, let stars):
            (try await server.ask("/api/ratings/audiobook/\(try bookID(uri))").whole("rating") ?? 0) == stars
        case .progress(let note): (try await place(of: note.uri) ?? .none).isSame(as: note.place)
        case .played, .nowPlaying, .queue: nil
        }
    }

    func bookID(_ uri: ItemURI) throws(SourceFault) -> Int {
        guard case .book(let id) = try item(uri) else { throw SourceFault(.unsupported, "\(uri.text) is no book of “\(title)”.") }
        return id
    }
}
