/// Sends changes made on the hub to the server: favourites, stars, plays, and the queue.
package import BatonCore
package import BatonSeams

extension SubsonicConnector {
    @concurrent
    package func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) {
        switch note {
        case .favourite(let uri, let isOn):
            _ = try await server.ask(isOn ? "star" : "unstar", try starred(uri))
            await cache.forget()
        case .stars(let uri, let stars):
            let id: String
            switch try item(uri) {
            case .track(let track): id = track
            case .album(let album): id = album
            case .artist(let artist): id = artist
            default: throw SourceFault(.unsupported, "\(uri.text) cannot be rated at its server.")
            }
            _ = try await server.ask("setRating", ["id": id, "rating": String(min(max(stars, 0), 5))])
            await cache.forget()
        case .played(let uri, let atMs):
            guard let id = try played(uri) else { return }
            _ = try await server.ask("scrobble", ["id": id, "time": String(atMs.count), "submission": "true"], once: true)
        case .nowPlaying(let uri):
            guard let id = try played(uri) else { return }
            _ = try await server.ask("scrobble", ["id": id, "submission": "false"])
        case .queue(let items, let current, let ms): try await save(items, current: current, atMs: ms)
        case .progress(let note): try await store(note)
        }
    }

    /// Whether a change whose answer was lost has reached the server. It is repeated only if it is missing there.
    @concurrent
    package func hasReached(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) -> Bool? {
        switch note {
        case .favourite(let uri, let isOn):
            guard let record = try await record(uri) else { return nil }
            return (record.text("starred") != nil) == isOn
        case .stars(let uri, let stars):
            guard let record = try await record(uri) else { return nil }
            return (record.int("userRating") ?? 0) == stars
        case .played(let uri, let atMs):
            guard case .track(let id) = try item(uri) else { return nil }
            let song = try await song(id)
            // Some servers round to seconds. A song that was never played has no time and a count of 0.
            if let played = song.text("played").flatMap({ ServerTime.ms($0) }) { return played.seconds >= atMs.seconds }
            return song.int("playCount") == 0 ? false : nil
        case .progress(let note): return try await place(of: note.uri).map { $0.isSame(as: note.place) }
        case .nowPlaying, .queue: return nil
        }
    }

    /// The id of a played song. Servers do not count plays of episodes.
    private func played(_ uri: ItemURI) throws(SourceFault) -> String? {
        switch try item(uri) {
        case .track(let id): id
        case .episode, .station: nil
        default: throw SourceFault(.unsupported, "\(uri.text) is nothing that is played itself.")
        }
    }

    private func starred(_ uri: ItemURI) throws(SourceFault) -> Parameters {
        switch try item(uri) {
        case .track(let id): ["id": id]
        case .folder(let id): ["id": id]
        case .album(let id): ["albumId": id]
        case .artist(let id): ["artistId": id]
        default: throw SourceFault(.unsupported, "\(uri.text) cannot be a favourite at its server.")
        }
    }

    private func record(_ uri: ItemURI) async throws(SourceFault) -> SubsonicRecord? {
        switch try item(uri) {
        case .track(let id): try await song(id)
        case .album(let id): try await server.ask("getAlbum", ["id": id]).record("album")
        case .artist(let id): try await server.ask("getArtist", ["id": id]).record("artist")
        default: nil
        }
    }
}
