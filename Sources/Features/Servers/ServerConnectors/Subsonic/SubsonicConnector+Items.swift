/// Queue entries and details of items.
package import BatonCore
package import BatonSeams

extension SubsonicConnector {
    /// The capacity of a queue.
    private static let mostEntries = 10_000
    /// Limit of albums when a whole shelf is queued.
    private static let mostAlbums = 50
    private static let deepestFolder = 16

    @concurrent
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        let list = try await tracks(in: try item(uri))
        guard !list.isEmpty else { throw SourceFault(.notFound, "There is no music in \(uri.text).") }
        return entries(Array(list.prefix(Self.mostEntries)))
    }

    private func tracks(in item: SubsonicItem) async throws(SourceFault) -> [ItemRow] {
        switch item {
        case .track(let id): return await songRows([try await song(id)])
        case .episode(let podcast, let id):
            let channel = try await channel(podcast)
            let record = try await episode(id, of: podcast)
            return [rows.episode(record, of: podcast, titled: channel.text("title") ?? "Podcast")].compactMap { $0 }
        case .station(let id): return [rows.station(try await station(id))].compactMap { $0 }
        case .album(let id): return try await album(id).rows
        case .playlist(let id): return try await playlist(id).rows
        case .podcast(let id): return try await podcast(id).rows.filter { !$0.isAway }
        case .similar(let id): return try await similarRows(id, count: 50)
        case .top(let id): return try await top(id)
        case .artist(let id): return try await tracks(ofAlbums: try await artist(id).rows)
        case .related(let id):
            var found: [ItemRow] = []
            for row in relatedArtists(try await server.ask("getArtistInfo2", ["id": id])) where found.count < Self.mostEntries {
                if let artist = SubsonicItem(row.uri, of: source) { found += try await tracks(in: artist) }
            }
            return found
        case .genre(let name):
            let answer = try await server.ask("getSongsByGenre", ["genre": name, "count": "500"])
            return await songRows(answer.record("songsByGenre").list("song"))
        case .root(let id):
            var seen: Set<ItemURI> = []
            return try await tracks(below: try await root(id).rows, depth: 0, &seen)
        case .folder(let id):
            var seen: Set<ItemURI> = []
            return try await tracks(below: try await folder(id).rows, depth: 0, &seen)
        case .shelf(.random), .shelf(.starred):
            let page = try await browse(BrowseQuery(node: rows.uri(item), window: PageWindow(limit: 500)))
            return page.rows.filter { !$0.tags.kind.isContainer }
        case .shelf(.albums): return try await everything()
        case .shelf, .decade, .letter:
            let page = try await browse(BrowseQuery(node: rows.uri(item), window: PageWindow(limit: Self.mostAlbums)))
            return try await tracks(ofAlbums: page.rows)
        }
    }

    private func tracks(ofAlbums list: [ItemRow]) async throws(SourceFault) -> [ItemRow] {
        var found: [ItemRow] = []
        for row in list where row.tags.kind == .album && found.count < Self.mostEntries {
            guard case .album(let id)? = SubsonicItem(row.uri, of: source) else { continue }
            found += try await album(id).rows
        }
        return found
    }

    /// The tracks below these rows. Visited directories are skipped, because directories can form a cycle.
    private func tracks(below list: [ItemRow], depth: Int, _ seen: inout Set<ItemURI>) async throws(SourceFault) -> [ItemRow] {
        var found: [ItemRow] = []
        for row in list where found.count < Self.mostEntries {
            guard case .folder(let id)? = SubsonicItem(row.uri, of: source) else {
                found.append(row)
                continue
            }
            guard depth < Self.deepestFolder, seen.count < Self.mostEntries, seen.insert(row.uri).inserted else { continue }
            found += try await tracks(below: try await folder(id).rows, depth: depth + 1, &seen)
        }
        return found
    }

    private func everything() async throws(SourceFault) -> [ItemRow] {
        var found: [ItemRow] = []
        while found.count < Self.mostEntries {
            let page = try await found3("", songs: 500, from: found.count)
            found += page
            if page.count < 500 { break }
        }
        if !found.isEmpty { return found }
        let page = try await browse(BrowseQuery(node: rows.uri(.shelf(.albums)), window: PageWindow(limit: Self.mostAlbums)))
        return try await tracks(ofAlbums: page.rows)
    }

    func song(_ id: String) async throws(SourceFault) -> SubsonicRecord {
        let song = try await server.ask("getSong", ["id": id]).record("song")
        guard song.text("id") != nil else { throw SourceFault(.notFound, "The server “\(account.title)” has no such song any more.") }
        return song
    }

    // MARK: Details

    @concurrent
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        let item = try item(uri)
        switch item {
        case .track(let id):
            let record = try await song(id)
            guard let row = await songRows([record]).first else { break }
            return details(row, record)
        case .album(let id):
            if let head = try await cached("album/\(id)", { () throws(SourceFault) in try await album(id) }).head {
                return ItemDetails(row: head)
            }
        case .artist(let id):
            if let head = try await cached("artist/\(id)", { () throws(SourceFault) in try await artist(id) }).head {
                return await describe(id, ItemDetails(row: head))
            }
        case .playlist(let id):
            if let head = try await cached("playlist/\(id)", { () throws(SourceFault) in try await playlist(id) }).head {
                return ItemDetails(row: head)
            }
        case .podcast(let id):
            if let head = try await cached("podcast/\(id)", { () throws(SourceFault) in try await podcast(id) }).head {
                return ItemDetails(row: head)
            }
        case .folder(let id):
            if let head = try await cached("folder/\(id)", { () throws(SourceFault) in try await folder(id) }).head {
                return ItemDetails(row: head)
            }
        case .episode(let podcast, let id):
            let record = try await episode(id, of: podcast)
            if let row = rows.episode(record, of: podcast, titled: record.text("album") ?? "") { return details(row, record) }
        case .station(let id):
            if let row = rows.station(try await station(id)) { return ItemDetails(row: row) }
        case .shelf(let shelf): return ItemDetails(row: rows.shelf(shelf))
        // These items consist of their name, so that no request is needed.
        case .genre(let name): return ItemDetails(row: rows.container(item, kind: .genre, title: name))
        case .letter(let name): return ItemDetails(row: rows.container(item, kind: .shelf, title: name))
        case .decade(let year): return ItemDetails(row: rows.container(item, kind: .shelf, title: "\(year)–\(year + 9)"))
        case .similar: return ItemDetails(row: rows.container(item, kind: .shelf, title: "Similar songs"))
        case .top: return ItemDetails(row: rows.container(item, kind: .shelf, title: "Top songs"))
        case .related: return ItemDetails(row: rows.container(item, kind: .shelf, title: "Similar artists"))
        case .root(let id):
            let row = try await cached("folders", { () throws(SourceFault) in try await folders() }).rows.first { $0.uri == uri }
            return ItemDetails(row: row ?? rows.container(.root(id), kind: .folder, title: "Music"))
        }
        throw SourceFault(.notFound, "The server “\(account.title)” has no such item any more.")
    }

    /// Adds a description to the artist. Servers query other services for it, which may take long; after a time limit
    /// it is left out.
    private func describe(_ id: String, _ artist: ItemDetails) async -> ItemDetails {
        var details = artist
        if !server.memory.lacking.contains("getTopSongs") { details.top = rows.uri(.top(id)) }
        guard let answer = try? await server.ask("getArtistInfo2", ["id": id], within: .seconds(1)) else { return details }
        details.about = biography(answer.record("artistInfo2"))
        if !relatedArtists(answer).isEmpty { details.related = rows.uri(.related(id)) }
        return details
    }

    private func biography(_ info: SubsonicRecord) -> String? {
        guard let text = info.text("biography") else { return nil }
        // Some descriptions contain links in HTML.
        var words = ""
        var isInTag = false
        for character in text.prefix(8_000) {
            if character == "<" { isInTag = true }
            if !isInTag { words.append(character) }
            if character == ">" { isInTag = false }
        }
        return String(words.prefix(2_000))
    }

    private func cached(
        _ name: String, _ fetch: @Sendable () async throws(SourceFault) -> AnswerCache.Answer
    ) async throws(SourceFault) -> AnswerCache.Answer {
        try await cache.answer(name, fetch)
    }

    private func details(_ row: ItemRow, _ record: SubsonicRecord) -> ItemDetails {
        var details = ItemDetails(row: row)
        let genres = record.texts("genres", of: "name")
        details.genres = Array((genres.isEmpty ? [record.text("genre")].compactMap { $0 } : genres).prefix(20)).map(rows.cut)
        details.composers = [record.text("displayComposer")].compactMap { $0 }.map(rows.cut)
        details.hasLyrics = !server.memory.lacking.contains("getLyrics") || server.memory.has("songLyrics")
        details.similar = row.tags.kind == .track ? SubsonicItem(row.uri, of: source).flatMap(similar) : nil
        details.addedAtMs = record.text("created").flatMap { ServerTime.ms($0) }
        details.gain = gain(record.record("replayGain"))
        if let rate = record.int("samplingRate"), rate > 0, let codec = record.text("suffix") {
            details.format = SoundFormat(
                codec: rows.cut(codec), rate: min(rate, 1_000_000), bits: record.int("bitDepth").flatMap { 1...64 ~= $0 ? $0 : nil },
                channels: min(max(record.int("channelCount") ?? 2, 1), 64))
        }
        return details
    }

    /// The shelf of similar songs. Episodes have none.
    private func similar(_ item: SubsonicItem) -> ItemURI? {
        guard case .track(let id) = item else { return nil }
        return rows.uri(.similar(id))
    }

    private func gain(_ record: SubsonicRecord) -> ReplayGain? {
        func whole(_ name: String, unit: Double, most: Double) -> Int? {
            record.double(name).flatMap { $0.magnitude <= most ? Int($0 * unit) : nil }
        }
        let gain = ReplayGain(
            track: whole("trackGain", unit: 100, most: 100), album: whole("albumGain", unit: 100, most: 100),
            trackPeak: whole("trackPeak", unit: 1_000_000, most: 100),
            albumPeak: whole("albumPeak", unit: 1_000_000, most: 100))
        return gain == ReplayGain() ? nil : gain
    }
}
