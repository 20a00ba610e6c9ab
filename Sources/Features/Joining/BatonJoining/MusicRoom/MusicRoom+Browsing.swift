/// Shelves, playlists and rooms, page by page, and search by title, artist and file name.
package import BatonCore
package import BatonSeams

extension MusicRoom {
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        guard let node = query.node else { return ItemPage(of: MusicRoomItem.Shelf.allCases.map(row), in: query.window) }
        switch try item(node) {
        case .shelf(.library): return try await libraryPage(query.window)
        case .shelf(.mine): return ItemPage(of: try await playlists().mine.map(row), in: query.window)
        case .shelf(.shared): return ItemPage(of: try await playlists().shared.map(row), in: query.window)
        case .shelf(.rooms): return ItemPage(of: try await channels().map(row), in: query.window)
        case .playlist(let id): return ItemPage(of: try await entries(ofPlaylist: id).map(row), in: query.window)
        case .room(let id): return ItemPage(of: try await entries(ofRoom: id).map(row), in: query.window)
        case .track: throw SourceFault(.unsupported, "A track holds nothing else.")
        }
    }

    /// A page of the library, with rows only for that page.
    private func libraryPage(_ window: PageWindow) async throws(SourceFault) -> ItemPage {
        let content = try await library.whole()
        let part = content.tracks.dropFirst(window.offset).prefix(max(1, window.limit))
        let end = window.offset + part.count
        return ItemPage(part.map(row), cursor: end < content.tracks.count ? String(end) : nil, total: content.tracks.count)
    }

    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        let words = Folding.words(Folding.fold(query.text)).map(String.init)
        guard !words.isEmpty, query.kinds.isEmpty || query.kinds.contains(.track) else { return ItemPage() }
        let content = try await library.whole()
        let wanted = query.window.offset + max(1, query.window.limit)
        var found: [ItemRow] = []
        for (place, text) in content.folded.enumerated() where words.allSatisfy({ text.contains($0) }) {
            found.append(row(content.tracks[place]))
            // One row more than the page shows that others follow.
            if found.count > wanted { break }
        }
        let part = Array(found.dropFirst(query.window.offset).prefix(max(1, query.window.limit)))
        return ItemPage(part, cursor: found.count > wanted ? String(wanted) : nil)
    }

    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        switch try item(uri) {
        case .track(let id): return ItemDetails(row: row(try await track(id)))
        case .shelf(let shelf): return ItemDetails(row: row(shelf))
        case .playlist(let id): return ItemDetails(row: row(try await playlist(id)))
        case .room(let id):
            guard let room = try await channels().first(where: { $0.id == id }) else {
                throw SourceFault(.notFound, "“\(title)” has no such room any more.")
            }
            var details = ItemDetails(row: row(room))
            details.about = room.about.isEmpty ? nil : room.about
            return details
        }
    }

    func track(_ id: String) async throws(SourceFault) -> MusicRoomTrack {
        if let known = await library.known(id) { return known }
        guard let track = try await library.whole().track(id) else {
            throw SourceFault(.notFound, "“\(title)” does not have this track any more.")
        }
        return track
    }

    // MARK: Entries

    func entries(ofPlaylist id: String) async throws(SourceFault) -> [NewEntry] {
        let list = try await playlist(id)
        let content = try await library.whole()
        return list.tracks.compactMap { content.track($0).map(answers.entry) }
    }

    func entries(ofRoom id: String) async throws(SourceFault) -> [NewEntry] { try await state(of: id).queue?.entries ?? [] }

    // MARK: Rows

    func row(_ track: MusicRoomTrack) -> ItemRow {
        var row = ItemRow(uri: answers.uri(track.id), tags: answers.tags(track))
        row.isAway = !track.isAvailable
        row.quality = FileName.suffix(of: track.filename).map { SoundQuality(suffix: $0) }
        return row
    }

    private func row(_ entry: NewEntry) -> ItemRow { ItemRow(uri: entry.uri, tags: entry.tags) }

    private func row(_ list: MusicRoomPlaylist) -> ItemRow {
        container(.playlist(list.id), kind: .playlist, title: list.name, by: list.owner, count: list.tracks.count)
    }

    private func row(_ room: ServerRoom) -> ItemRow { container(.room(room.id), kind: .playlist, title: room.name, count: room.trackCount) }

    private func row(_ shelf: MusicRoomItem.Shelf) -> ItemRow { container(.shelf(shelf), kind: .shelf, title: shelf.title) }

    private func container(_ item: MusicRoomItem, kind: ItemKind, title: String, by owner: String = "", count: Int? = nil) -> ItemRow {
        var tags = Tags(title: title, artists: owner.isEmpty ? [] : [owner])
        tags.kind = kind
        return ItemRow(uri: uri(item), tags: tags, count: count)
    }
}
