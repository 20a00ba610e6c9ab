/// Bookmarks of the account: where its person is in a spoken item, an episode or a part of a book. Servers give each song one at
/// most. One that was finished has none.
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
            // A server without bookmarks keeps no places, which is no mistake.
            guard error.code == .unsupported else { throw error }
            return nil
        }
    }

    /// Bookmarks of songs. That of an episode stands at the song that is streamed of it, which does not name the episode.
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

    func keep(_ note: ServerPlaceNote) async throws(SourceFault) {
        let id = try await bookmarked(note.uri)
        do throws(SourceFault) {
            guard note.place.isFinished || note.place.positionMs == 0 else {
                let mark: Parameters = ["id": id, "position": String(note.place.positionMs), "comment": note.device]
                _ = try await server.ask("createBookmark", mark)
                return
            }
            if note.over != nil, note.over != ServerPlace.none { _ = try await server.ask("deleteBookmark", ["id": id]) }
        } catch {
            guard error.code == .unsupported || (error.code == .notFound && note.place.isFinished) else { throw error }
        }
    }

    /// An episode is bookmarked as the song that is streamed of it.
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
