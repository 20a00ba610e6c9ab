/// Bookmarks of the account: where its person is in a spoken item, an episode or a part of a book. Servers give each song one at
/// most. One that was finished has none.
package import BatonCore
package import BatonSeams

extension SubsonicConnector {
    @concurrent
    package func place(of uri: ItemURI) async throws(SourceFault) -> ServerPlace? {
        do throws(SourceFault) {
            let id = try await bookmarked(uri)
            let list = try await server.ask("getBookmarks").record("bookmarks").list("bookmark")
            guard let mark = list.first(where: { $0.record("entry").text("id") == id }) else { return nil }
            let atMs = mark.text("changed", "created").flatMap { ServerTime.ms($0) }
            return ServerPlace(positionMs: min(max(mark.int("position") ?? 0, 0), 1 << 40), atMs: atMs)
        } catch {
            // A server without bookmarks keeps no places, which is no mistake.
            guard error.code == .unsupported else { throw error }
            return nil
        }
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
