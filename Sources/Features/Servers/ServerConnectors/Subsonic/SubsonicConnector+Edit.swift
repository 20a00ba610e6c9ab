/// Edits of playlists and stations on the server. A list is read again before each change, and a change for an
/// outdated version is refused.
package import BatonCore
package import BatonSeams

extension SubsonicConnector {
    /// Ids in one request, well below the limits of servers.
    private static let mostIDs = 200

    @concurrent
    package func edit(_ edit: SourceListEdit) async throws(SourceFault) -> ItemURI {
        let edited: ItemURI
        do throws(SourceFault) { edited = try await apply(edit) } catch {
            await cache.forget()
            throw error
        }
        await cache.forget()
        return edited
    }

    private func apply(_ edit: SourceListEdit) async throws(SourceFault) -> ItemURI {
        guard let list = edit.list else { return try await create(edit.changes) }
        switch try item(list) {
        case .playlist(let id):
            try await change(id, edit)
            return list
        case .shelf(.stations): return try await createStation(edit.changes)
        case .station(let id):
            try await changeStation(id, edit.changes)
            return list
        default: throw SourceFault(.unsupported, "\(list.text) is no list that can be edited.")
        }
    }

    // MARK: Playlists

    private func create(_ changes: [SourceListEdit.Change]) async throws(SourceFault) -> ItemURI {
        var name: String?
        var items: [ItemURI] = []
        for change in changes {
            switch change {
            case .create(let called): name = called
            case .insert(let more, _): items += more
            default: continue
            }
        }
        guard let name, !name.isEmpty else { throw SourceFault(.badRequest, "A new playlist needs a name.") }
        var ids: [String] = []
        for item in items { ids.append(try songID(item)) }
        let before = Set(try await listIDs())
        let first = Parameters("songId", each: Array(ids.prefix(Self.mostIDs)))
        let answer = try await server.ask("createPlaylist", ["name": name] + first, once: true)
        // Older servers do not return the new list, so it is found by comparison.
        var id = answer.record("playlist").text("id")
        if id == nil { id = try await listIDs().first { !before.contains($0) } }
        guard let id else { throw SourceFault(.failed, "The server “\(account.title)” does not show the playlist that it made.") }
        try await append(Array(ids.dropFirst(Self.mostIDs)), to: id)
        let rest = changes.filter { change in
            switch change {
            case .describe, .setPublic: true
            default: false
            }
        }
        for change in rest { try await describe(id, change) }
        return rows.uri(.playlist(id))
    }

    private func listIDs() async throws(SourceFault) -> [String] {
        try await server.ask("getPlaylists").record("playlists").list("playlist").compactMap { $0.text("id") }
    }

    private func change(_ id: String, _ edit: SourceListEdit) async throws(SourceFault) {
        var state = ListState(try await server.ask("getPlaylist", ["id": id]).record("playlist"))
        if let base = edit.base, base != state.version {
            throw SourceFault(.conflict, "The playlist “\(state.name)” was changed at the server meanwhile.")
        }
        for change in edit.changes {
            if change == .delete {
                _ = try await server.ask("deletePlaylist", ["id": id])
                return
            }
            guard let songs = try state.songs(after: change, songID) else {
                try await describe(id, change)
                continue
            }
            try await write(songs, over: state, as: change, id: id)
            if edit.changes.count > 1 { state = ListState(try await server.ask("getPlaylist", ["id": id]).record("playlist")) }
        }
    }

    private func describe(_ id: String, _ change: SourceListEdit.Change) async throws(SourceFault) {
        var parameters: Parameters = ["playlistId": id]
        switch change {
        case .rename(let name): parameters.add("name", name)
        case .describe(let text): parameters.add("comment", text)
        case .setPublic(let isPublic): parameters.add("public", isPublic ? "true" : "false")
        default: return
        }
        _ = try await server.ask("updatePlaylist", parameters)
    }

    /// Sends the smallest request for a change. Additions at the end and removals name only their songs, so that two
    /// people can add to a list at once; any other change replaces the whole list.
    private func write(
        _ songs: [String], over state: ListState, as change: SourceListEdit.Change, id: String
    ) async throws(SourceFault) {
        switch change {
        case .insert(_, let place) where place >= state.songs.count:
            try await append(Array(songs.dropFirst(state.songs.count)), to: id)
        case .remove(let gone):
            // The indices refer to the list before the request, so all of them must be in one request.
            let places = Set(gone).sorted().map { String(state.place($0)) }
            _ = try await server.ask("updatePlaylist", ["playlistId": id] + Parameters("songIndexToRemove", each: places), once: true)
        default:
            _ = try await server.ask("createPlaylist", ["playlistId": id, "name": state.name] + Parameters("songId", each: songs))
        }
    }

    private func append(_ songs: [String], to id: String) async throws(SourceFault) {
        for start in stride(from: 0, to: songs.count, by: Self.mostIDs) {
            let part = Array(songs[start..<min(songs.count, start + Self.mostIDs)])
            _ = try await server.ask("updatePlaylist", ["playlistId": id] + Parameters("songIdToAdd", each: part), once: true)
        }
    }

    func songID(_ uri: ItemURI) throws(SourceFault) -> String {
        guard case .track(let id)? = SubsonicItem(uri, of: source) else {
            throw SourceFault(.badRequest, "\(uri.text) is no song of “\(account.title)”, so its playlists cannot hold it.")
        }
        return id
    }

    // MARK: Stations

    private func createStation(_ changes: [SourceListEdit.Change]) async throws(SourceFault) -> ItemURI {
        var name: String?
        var url: String?
        for change in changes {
            switch change {
            case .create(let called): name = called
            case .insert(let items, _): url = try items.first.map(address)
            default: continue
            }
        }
        guard let name, !name.isEmpty, let url else {
            throw SourceFault(.badRequest, "A new station needs a name and an http or https address.")
        }
        let stations = try await stationRecords()
        // Servers accept duplicate stations, so an existing one is reused.
        if let same = stations.first(where: { $0.text("streamUrl") == url })?.text("id") { return rows.uri(.station(same)) }
        let before = Set(stations.compactMap { $0.text("id") })
        _ = try await server.ask("createInternetRadioStation", ["streamUrl": url, "name": name], once: true)
        guard let made = try await stationRecords().compactMap({ $0.text("id") }).first(where: { !before.contains($0) }) else {
            throw SourceFault(.failed, "The server “\(account.title)” does not show the station that it made.")
        }
        return rows.uri(.station(made))
    }

    private func changeStation(_ id: String, _ changes: [SourceListEdit.Change]) async throws(SourceFault) {
        if changes.contains(.delete) {
            _ = try await server.ask("deleteInternetRadioStation", ["id": id])
            return
        }
        let old = try await station(id)
        var name = old.text("name") ?? "Station"
        var url = old.text("streamUrl") ?? ""
        for change in changes {
            switch change {
            case .rename(let called): name = called
            case .insert(let items, _): url = try items.first.map(address) ?? url
            default: throw SourceFault(.unsupported, "A station has a name and an address, and nothing else that could be edited.")
            }
        }
        var parameters: Parameters = ["id": id, "streamUrl": url, "name": name]
        // The server replaces all fields of the station, so the unchanged ones are sent, too.
        parameters.add("homepageUrl", old.text("homePageUrl", "homepageUrl"))
        _ = try await server.ask("updateInternetRadioStation", parameters)
    }

    private func address(_ uri: ItemURI) throws(SourceFault) -> String {
        guard let address = WebAddress(uri.text) else { throw SourceFault(.badRequest, "\(uri.text) is no http or https address.") }
        return address.text
    }
}
