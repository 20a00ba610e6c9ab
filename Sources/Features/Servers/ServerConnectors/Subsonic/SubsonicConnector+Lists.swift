/// Lists that the server sends as a whole, as rows.
import BatonCore
import BatonSeams

extension SubsonicConnector {
    func album(_ id: String) async throws(SourceFault) -> AnswerCache.Answer {
        let album = try await server.ask("getAlbum", ["id": id]).record("album")
        return AnswerCache.Answer(rows: await songRows(album.list("song")), head: rows.album(album))
    }

    /// The artist's albums, with shelves of top songs and related artists.
    func artist(_ id: String) async throws(SourceFault) -> AnswerCache.Answer {
        let artist = try await server.ask("getArtist", ["id": id]).record("artist")
        var list = artist.list("album").compactMap(rows.album)
        if !server.memory.lacking.contains("getTopSongs") { list.append(rows.container(.top(id), kind: .shelf, title: "Top songs")) }
        return AnswerCache.Answer(rows: list, head: rows.artist(artist))
    }

    func artists() async throws(SourceFault) -> AnswerCache.Answer {
        AnswerCache.Answer(rows: try await index().flatMap { $0.list("artist") }.compactMap(rows.artist))
    }

    func letters() async throws(SourceFault) -> AnswerCache.Answer {
        let letters = try await index().compactMap { letter in
            letter.text("name").map { rows.letter($0) }
        }
        return AnswerCache.Answer(rows: letters)
    }

    func letter(_ name: String) async throws(SourceFault) -> AnswerCache.Answer {
        let letters = try await index().filter { $0.text("name") == name }
        return AnswerCache.Answer(rows: letters.flatMap { $0.list("artist") }.compactMap(rows.artist))
    }

    func index() async throws(SourceFault) -> [SubsonicRecord] {
        try await server.ask("getArtists").record("artists").list("index")
    }

    func starred() async throws(SourceFault) -> AnswerCache.Answer {
        let starred = try await server.ask("getStarred2").record("starred2")
        let containers = starred.list("artist").compactMap(rows.artist) + starred.list("album").compactMap(rows.album)
        return AnswerCache.Answer(rows: containers + (await songRows(starred.list("song"))))
    }

    func genres() async throws(SourceFault) -> AnswerCache.Answer {
        let genres = try await server.ask("getGenres").record("genres").list("genre")
        return AnswerCache.Answer(
            rows: genres.compactMap { genre in
                genre.text("value", "name").map { rows.container(.genre($0), kind: .genre, title: $0, count: genre.int("songCount")) }
            })
    }

    // MARK: Folders

    func folders() async throws(SourceFault) -> AnswerCache.Answer {
        let folders = try await server.ask("getMusicFolders").record("musicFolders").list("musicFolder")
        return AnswerCache.Answer(
            rows: folders.compactMap { folder in
                folder.text("id").map { rows.container(.root($0), kind: .folder, title: folder.text("name") ?? "Music") }
            })
    }

    func root(_ id: String) async throws(SourceFault) -> AnswerCache.Answer {
        let indexes = try await server.ask("getIndexes", ["musicFolderId": id]).record("indexes")
        let below = indexes.list("index").flatMap { $0.list("artist") }.compactMap { folder in
            folder.text("id").map {
                rows.container(.folder($0), kind: .folder, title: folder.text("name") ?? "Folder", art: rows.art(folder))
            }
        }
        return AnswerCache.Answer(rows: below + (await children(indexes.list("child"))))
    }

    func folder(_ id: String) async throws(SourceFault) -> AnswerCache.Answer {
        let directory = try await server.ask("getMusicDirectory", ["id": id]).record("directory")
        let head = rows.container(.folder(id), kind: .folder, title: directory.text("name") ?? "Folder")
        return AnswerCache.Answer(rows: await children(directory.list("child")), head: head)
    }

    private func children(_ records: [SubsonicRecord]) async -> [ItemRow] {
        await songs.note(records.filter { !$0.flag("isDir") }.compactMap(SongFacts.init))
        return records.compactMap(rows.child)
    }

    // MARK: Playlists, stations, podcasts

    func playlists() async throws(SourceFault) -> AnswerCache.Answer {
        let lists = try await server.ask("getPlaylists").record("playlists").list("playlist")
        return AnswerCache.Answer(rows: lists.compactMap(rows.playlist))
    }

    /// The songs of a playlist. Other entries, such as the playlist itself on some servers, are left out.
    func playlist(_ id: String) async throws(SourceFault) -> AnswerCache.Answer {
        let list = try await server.ask("getPlaylist", ["id": id]).record("playlist")
        let state = ListState(list)
        return AnswerCache.Answer(
            rows: await songRows(list.list("entry")), version: state.version, head: rows.playlist(list))
    }

    func stations() async throws(SourceFault) -> AnswerCache.Answer {
        AnswerCache.Answer(rows: try await stationRecords().compactMap(rows.station))
    }

    func stationRecords() async throws(SourceFault) -> [SubsonicRecord] {
        try await server.ask("getInternetRadioStations").record("internetRadioStations").list("internetRadioStation")
    }

    func station(_ id: String) async throws(SourceFault) -> SubsonicRecord {
        guard let station = try await stationRecords().first(where: { $0.text("id") == id }) else {
            throw SourceFault(.notFound, "The server “\(account.title)” has no such station any more.")
        }
        return station
    }

    func podcasts() async throws(SourceFault) -> AnswerCache.Answer {
        let channels = try await server.ask("getPodcasts", ["includeEpisodes": "false"]).record("podcasts").list("channel")
        return AnswerCache.Answer(rows: channels.compactMap(rows.podcast))
    }

    func podcast(_ id: String) async throws(SourceFault) -> AnswerCache.Answer {
        let channel = try await channel(id)
        let title = channel.text("title") ?? "Podcast"
        let episodes = channel.list("episode").compactMap { rows.episode($0, of: id, titled: title) }
        return AnswerCache.Answer(rows: episodes, head: rows.podcast(channel))
    }

    func channel(_ id: String) async throws(SourceFault) -> SubsonicRecord {
        let channels = try await server.ask("getPodcasts", ["includeEpisodes": "true", "id": id]).record("podcasts").list("channel")
        guard let channel = channels.first(where: { $0.text("id") == id }) else {
            throw SourceFault(.notFound, "The server “\(account.title)” has no such podcast any more.")
        }
        return channel
    }

    func episode(_ id: String, of podcast: String) async throws(SourceFault) -> SubsonicRecord {
        guard let episode = try await channel(podcast).list("episode").first(where: { $0.text("id") == id }) else {
            throw SourceFault(.notFound, "The podcast has no such episode any more.")
        }
        return episode
    }

    // MARK: Similar items

    func top(_ artist: String) async throws(SourceFault) -> [ItemRow] {
        var parameters: Parameters = ["count": "50"]
        if server.memory.has("topSongsByArtistId") { parameters.add("id", artist) }
        // Servers without that extension find the artist only by name.
        parameters.add("artist", try await server.ask("getArtist", ["id": artist]).record("artist").text("name"))
        return await songRows(try await server.ask("getTopSongs", parameters).record("topSongs").list("song"))
    }

    /// Similar artists that are on the server.
    func relatedArtists(_ answer: SubsonicRecord) -> [ItemRow] {
        answer.record("artistInfo2").list("similarArtist").compactMap(rows.artist)
    }

    /// Similar songs according to the server, else songs of the same genre.
    func similarRows(_ id: String, count: Int) async throws(SourceFault) -> [ItemRow] {
        let song = try await server.ask("getSong", ["id": id]).record("song")
        // One more, because the song itself may be among them.
        let size = String(min(max(1, count) + 1, 500))
        var records: [SubsonicRecord] = []
        for (method, key) in [("getSimilarSongs2", "similarSongs2"), ("getSimilarSongs", "similarSongs")] where records.isEmpty {
            do throws(SourceFault) {
                let about = method == "getSimilarSongs2" ? song.text("artistId") ?? id : id
                records = try await server.ask(method, ["id": about, "count": size]).record(key).list("song")
            } catch {
                // A server without a source of recommendations answers with varying errors.
                guard [.unsupported, .failed, .notFound].contains(error.code) else { throw error }
            }
        }
        if records.isEmpty, let genre = song.text("genre") ?? song.texts("genres", of: "name").first {
            records = try await server.ask("getRandomSongs", ["genre": genre, "size": size]).record("randomSongs").list("song")
        }
        return await songRows(records.filter { $0.text("id") != id }.prefix(count).map { $0 })
    }
}
