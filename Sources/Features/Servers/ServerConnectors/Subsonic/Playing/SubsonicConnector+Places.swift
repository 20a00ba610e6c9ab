/// Bookmarks of the account, which hold positions in audiobooks and episodes. A server keeps at most one for each
/// song, and none for finished ones.
package import BatonCore
package import BatonSeams

extension SubsonicConnector {
    @concurrent
    package func place(of uri: ItemURI) async throws(SourceFault) -> ServerPlace? {
        do throws(SourceFault) {
            let id = try await bookmarked(uri)
            let mark = try await bookmarks().first { $0.record("entry").text("id") == id }
            let aheadMs = await server.aheadMs
            return mark.map { ServerPlace(bookmark: $0, aheadMs: aheadMs) }
        } catch {
            // A server without bookmarks stores no positions, which is no error.
            guard error.code == .unsupported else { throw error }
            return nil
        }
    }

    /// Positions from the bookmarks of songs. An episode's bookmark belongs to the song that streams it, which does
    /// not name the episode, so it is left out.
    @concurrent
    package func places() async throws(SourceFault) -> [ItemURI: ServerPlace] {
        var places: [ItemURI: ServerPlace] = [:]
        let marks = try await bookmarks()
        let aheadMs = await server.aheadMs
        for mark in marks {
            let song = mark.record("entry")
            if song.text("type") != "podcast", let id = song.text("id") {
                places[rows.uri(.track(id))] = ServerPlace(bookmark: mark, aheadMs: aheadMs)
            }
        }
        return places
    }

    private func bookmarks() async throws(SourceFault) -> [SubsonicRecord] {
        try await server.ask("getBookmarks").record("bookmarks").list("bookmark")
    }

    func store(_ note: ServerPlaceNote) async throws(SourceFault) {
        let id = try await bookmarked(note.uri)
        do throws(SourceFault) {
            guard note.place.isFinished || note.place.positionMs == 0 else {
                let mark: Parameters = ["id": id, "position": String(note.place.positionMs.count), "comment": note.device]
                _ = try await server.ask("createBookmark", mark)
                return
            }
            if note.over != nil, note.over != ServerPlace.none { _ = try await server.ask("deleteBookmark", ["id": id]) }
        } catch {
            guard error.code == .unsupported || (error.code == .notFound && note.place.isFinished) else { throw error }
        }
    }

    /// The id of the song to bookmark. An episode is bookmarked by the song that streams it.
    private func bookmarked(_ uri: ItemURI) async throws(SourceFault) -> String {
        switch try item(uri) {
        case .track(let id): return id
        case .episode(let podcast, let id):
            guard let song = try await episode(id, of: podcast).text("streamId") else {
                throw SourceFault(.unsupported, "The server “\(account.title)” has not fetched this episode.")
            }
            return song
        default: throw SourceFault(.unsupported, "\(uri.text) has no place.")
        }
    }
}
