/// Queue entries, files and pictures of items.
package import BatonCore
package import BatonSeams

extension ChadMusic {
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        let entries: [NewEntry]
        switch try item(uri) {
        case .track(let name): entries = [NewEntry(uri: uri, tags: tags(try await track(name), in: name.album))]
        case .album(let id): entries = try await self.entries(of: [id])
        case .value(let category, let value): entries = try await self.entries(of: try await albums(of: value, in: category))
        case .shelf(.album): entries = try await self.entries(of: try await albums(of: nil))
        case .shelf(let category):
            throw SourceFault(.unsupported, "\(category.title) are not played all at once: choose one of them.")
        }
        guard !entries.isEmpty else { throw SourceFault(.notFound, "There is no music in \(uri.text).") }
        return entries
    }

    /// Limit of pages, because a server may send pages without albums and never mark the last one.
    private static let mostPages = 100

    /// The ids of all albums of one value, or of all albums, in the server's order.
    private func albums(of value: String, in category: ChadCategory) async throws(SourceFault) -> [String] {
        try await albums(of: uri(.value(category, value)))
    }

    private func albums(of node: ItemURI?) async throws(SourceFault) -> [String] {
        var ids: [String] = []
        var window = PageWindow(limit: 500)
        var pages = 0
        repeat {
            let page = try await browse(BrowseQuery(node: node ?? uri(.shelf(.album)), window: window))
            for row in page.rows { if case .album(let id)? = ChadItem(row.uri, of: source) { ids.append(id) } }
            window.cursor = page.cursor
            pages += 1
        } while window.cursor != nil && ids.count < Self.most && pages < Self.mostPages
        return ids
    }

    /// The entries of these albums, up to the capacity of a queue.
    private func entries(of albums: [String]) async throws(SourceFault) -> [NewEntry] {
        var entries: [NewEntry] = []
        var rest = albums[...]
        while !rest.isEmpty, entries.count < Self.most {
            let next = Array(rest.prefix(32))
            rest = rest.dropFirst(next.count)
            let lists = try await Self.each(next) { id async throws(SourceFault) in
                try await tracks(of: id).map { NewEntry(uri: uri(.track(name(of: $0, in: id))), tags: tags($0, in: id)) }
            }
            entries += lists.flatMap { $0 }
        }
        return Array(entries.prefix(Self.most))
    }

    // MARK: Files

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.bytes(try await file(uri, trust: trust, limits: .stream)))
    }

    package func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes {
        try await file(uri, trust: .musicFolders, limits: .copy)
    }

    /// Opens a track's file. The path in the URI is used if the user may name addresses or the server has just listed
    /// that path. Otherwise, or if the file is missing there, the server's list tells the current path.
    private func file(_ uri: ItemURI, trust: Trust, limits: HTTPCallLimits) async throws(SourceFault) -> NamedBytes {
        guard case .track(let name) = try item(uri) else {
            throw SourceFault(.unsupported, "\(uri.text) is no track of “\(server.title)”.")
        }
        if let path = name.path, await isTrusted(name, trust) {
            do throws(SourceFault) { return try await open(.own(path), limits) } catch {
                guard error.code == .notFound || error.code == .gone else { throw error }
                await memory.forgetTracks(of: name.album)
            }
        }
        let track = try await track(name)
        guard let written = track.place, let place = server.place(written, isPath: track.isPath) else {
            throw SourceFault(.unreadable, "“\(server.title)” does not say where “\(track.title)” is.")
        }
        return try await open(place, limits)
    }

    private func isTrusted(_ name: ChadTrackName, _ trust: Trust) async -> Bool {
        if trust >= .musicFolders { return true }
        guard let track = await memory.tracks(of: name.album)?.first(where: { $0.id == name.id }) else { return false }
        return self.name(of: track, in: name.album) == name
    }

    private func open(_ place: ChadLocation, _ limits: HTTPCallLimits) async throws(SourceFault) -> NamedBytes {
        NamedBytes(place.name, try await ServerFile.open(place, at: server, limits: limits))
    }

    // MARK: Pictures

    private static let mostPictureBytes: Int64 = 16 << 20

    package func picture(_ name: String) async throws(SourceFault) -> PictureSource {
        let album = try await album(name)
        guard let written = album.cover, let place = server.place(written, isPath: false) else {
            throw SourceFault(.notFound, "“\(server.title)” has no picture of this album.")
        }
        var limits = HTTPCallLimits()
        limits.bodyBytes = Self.mostPictureBytes
        let reply = try await server.answer(to: server.call(place, limits: limits))
        guard reply.status == 200, reply.json == nil, !reply.body.isEmpty else {
            throw reply.status == 200
                ? SourceFault(.notFound, "“\(server.title)” has no picture of this album.") : server.fault(reply)
        }
        return .bytes(reply.body)
    }
}
