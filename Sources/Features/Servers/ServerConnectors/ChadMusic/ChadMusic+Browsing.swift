/// Categories, their values, albums and tracks, page by page, and search.
package import BatonCore
package import BatonSeams

extension ChadMusic {
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        guard let node = query.node else { return ItemPage(of: try await categories().map { row($0) }, in: query.window) }
        switch try item(node) {
        case .shelf(let category): return try await shelf(category, query.window)
        case .value(let category, let value): return try await albums(of: value, in: category, query.window)
        case .album(let id):
            let tracks = try await tracks(of: id)
            return ItemPage(of: tracks.map { row($0, in: id) }, in: query.window)
        case .track: throw SourceFault(.unsupported, "A track holds nothing else.")
        }
    }

    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        switch try item(uri) {
        case .shelf(let category): return ItemDetails(row: row(category))
        case .value(let category, let value):
            return ItemDetails(row: ItemRow(uri: uri, tags: row(ChadValue(value), in: category).tags))
        case .album(let id):
            let album = try await album(id)
            var details = ItemDetails(row: row(album))
            details.genres = album.genre.map { [$0] } ?? []
            return details
        case .track(let name):
            let track = try await track(name)
            var row = row(track, in: name.album)
            row.uri = uri
            return ItemDetails(row: row)
        }
    }

    func album(_ id: String) async throws(SourceFault) -> ChadAlbum {
        if let known = await memory.album(id) { return known }
        let tracks = try await tracks(of: id)
        guard !tracks.isEmpty else { throw SourceFault(.notFound, "“\(server.title)” has no such album.") }
        return ChadAlbum(id: id, tracks: tracks)
    }

    func track(_ name: ChadTrackName) async throws(SourceFault) -> ChadTrack {
        guard let track = try await tracks(of: name.album).first(where: { $0.id == name.id }) else {
            throw SourceFault(.notFound, "“\(server.title)” does not have this track any more.")
        }
        return track
    }

    // MARK: Pages

    private static let mostRows = 500

    private func shelf(_ category: ChadCategory, _ window: PageWindow) async throws(SourceFault) -> ItemPage {
        let (from, limit) = (window.offset, min(max(1, window.limit), Self.mostRows))
        guard category != .album else {
            let (albums, read, total) = try await albums(from: from, limit: limit)
            return ItemPage(albums.map { row($0) }, cursor: Self.next(from: from, read: read, limit: limit, total: total), total: total)
        }
        let (values, total) = try await rows(category, from: from, limit: limit)
        return ItemPage(
            values.compactMap { ChadValue($0) }.map { row($0, in: category) },
            cursor: Self.next(from: from, read: values.count, limit: limit, total: total),
            total: total)
    }

    /// The cursor of the next page. A page that is not full is the last one, unless the server tells the total.
    private static func next(from: Int, read: Int, limit: Int, total: Int?) -> String? {
        guard read > 0 else { return nil }
        let isMore = total.map { from + read < $0 } ?? (read >= limit)
        return isMore ? String(from + read) : nil
    }

    // MARK: Albums of one value

    private func albums(of value: String, in category: ChadCategory, _ window: PageWindow) async throws(SourceFault) -> ItemPage {
        let (from, limit) = (window.offset, min(max(1, window.limit), Self.mostRows))
        if let known = await memory.matches(value, in: category) { return ItemPage(of: known.map { row($0) }, in: window) }
        let (rows, total) = try await rows(.album, from: from, limit: limit, of: (category, value))
        let albums = rows.compactMap { ChadAlbum($0) }
        guard albums.allSatisfy({ $0.isOf(value, in: category) }) else {
            return ItemPage(of: try await allAlbums(of: value, in: category).map { row($0) }, in: window)
        }
        await memory.store(albums)
        return ItemPage(albums.map { row($0) }, cursor: Self.next(from: from, read: rows.count, limit: limit, total: total), total: total)
    }

    /// The albums with this value, for a server without such a filter: all of its albums are searched.
    func allAlbums(of value: String, in category: ChadCategory) async throws(SourceFault) -> [ChadAlbum] {
        if let known = await memory.matches(value, in: category) { return known }
        var found: [ChadAlbum] = []
        var from = 0
        while from < Self.most * 4 {
            let (albums, read, total) = try await albums(from: from, limit: Self.mostRows)
            found += albums.filter { $0.values[category] == value }
            guard let next = Self.next(from: from, read: read, limit: Self.mostRows, total: total).flatMap({ Int($0) }) else { break }
            from = next
        }
        await memory.store(found, of: value, in: category)
        return found
    }

    // MARK: Search

    /// Finds values and albums whose names contain all words, and matching tracks of these albums. The server has no
    /// search for track titles; the mirror finds those (`mirrorSearch`).
    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        let words = query.text.lowercased().split { $0.isWhitespace }.map(String.init)
        guard !words.isEmpty else { return ItemPage() }
        let limit = min(query.window.offset + max(1, query.window.limit), Self.mostRows)
        func isWanted(_ kind: ItemKind) -> Bool { query.kinds.isEmpty || query.kinds.contains(kind) }
        let parts = [SearchPart.values(.artist), .albums, .values(.genre)].filter { part in
            switch part {
            case .values(let category): isWanted(category.kind)
            case .albums: isWanted(.album) || isWanted(.track)
            }
        }
        let lists = try await Self.each(parts) { part async throws(SourceFault) in
            try await rows(of: part, for: query.text, words: words, limit: limit)
        }
        var found = lists.flatMap { $0 }
        if isWanted(.track) {
            let albums = found.filter { $0.tags.kind == .album }.prefix(Self.mostLookedInto).map(\.uri)
            let tracks = try await Self.each(Array(albums)) { uri async throws(SourceFault) in try await self.tracks(in: uri, words) }
            found += tracks.flatMap { $0 }
        }
        return ItemPage(of: found.filter { isWanted($0.tags.kind) }, in: query.window)
    }

    private enum SearchPart: Sendable {
        case values(ChadCategory)
        case albums
    }

    /// Limit of albums whose tracks are searched, because each costs a request.
    private static let mostLookedInto = 12

    private func rows(of part: SearchPart, for text: String, words: [String], limit: Int) async throws(SourceFault) -> [ItemRow] {
        switch part {
        case .values(let category):
            let found = try await rows(category, from: 0, limit: limit, filter: text).rows.compactMap { ChadValue($0) }
            return found.filter { Self.has(words, [$0.value]) }.map { row($0, in: category) }
        case .albums:
            let found = try await albums(from: 0, limit: limit, filter: text).albums
            return found.filter { Self.has(words, [$0.title, $0.artist]) }.map { row($0) }
        }
    }

    private func tracks(in album: ItemURI, _ words: [String]) async throws(SourceFault) -> [ItemRow] {
        guard case .album(let id) = try item(album) else { return [] }
        return try await tracks(of: id).filter { Self.has(words, [$0.title, $0.artist, $0.album]) }.map { row($0, in: id) }
    }

    private static func has(_ words: [String], _ texts: [String]) -> Bool {
        let text = texts.joined(separator: " ").lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}

extension ChadAlbum {
    /// Whether the album has this value, or its row does not tell.
    fileprivate func isOf(_ value: String, in category: ChadCategory) -> Bool { values[category].map { $0 == value } ?? true }
}
