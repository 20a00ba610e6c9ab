/// Search, pictures and lyrics.
package import BatonCore
package import BatonSeams

extension SubsonicConnector {
    /// Artists, albums and songs share a page. Each kind continues at its own position, because the server counts
    /// them separately.
    @concurrent
    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        let kinds: [ItemKind] = query.kinds.isEmpty ? [.artist, .album, .track] : query.kinds
        let place = SearchPosition(query.window)
        // A numeric position is reached by skipping the rows before it.
        let limit = min(max(1, query.window.limit), 500)
        let most = min(limit + place.skipped, 500)
        let isWanted = { (kind: ItemKind) in kinds.contains(kind) && !place.ended.contains(kind) }
        func count(_ kind: ItemKind) -> String { isWanted(kind) ? String(most) : "0" }
        guard kinds.contains(where: { [.artist, .album, .track].contains($0) }) else { return ItemPage() }
        let parameters: Parameters = [
            "query": query.text, "artistCount": count(.artist), "artistOffset": String(place.artists), "albumCount": count(.album),
            "albumOffset": String(place.albums), "songCount": count(.track), "songOffset": String(place.songs),
        ]
        let answer = try await server.ask("search3", parameters).record("searchResult3")
        // Some servers also return kinds that were not requested.
        let artists = isWanted(.artist) ? answer.list("artist").prefix(most).compactMap(rows.artist) : []
        let albums = isWanted(.album) ? answer.list("album").prefix(most).compactMap(rows.album) : []
        let songs = isWanted(.track) ? await songRows(Array(answer.list("song").prefix(most))) : []
        let (page, next) = place.page([artists, albums, songs], asked: most)
        return ItemPage(Array(page.dropFirst(place.skipped)), cursor: next?.text)
    }

    func found3(_ text: String, songs count: Int, from: Int) async throws(SourceFault) -> [ItemRow] {
        let parameters: Parameters = [
            "query": text, "artistCount": "0", "albumCount": "0", "songCount": String(count), "songOffset": String(from),
        ]
        return await songRows(Array(try await server.ask("search3", parameters).record("searchResult3").list("song").prefix(count)))
    }

    // MARK: Pictures

    /// Size of a requested picture, enough for a screen; an original cover may be a scan of many megabytes.
    private static let pictureSize = 1_200

    @concurrent
    package func picture(_ name: String) async throws(SourceFault) -> PictureSource {
        var limits = HTTPCallLimits()
        limits.bodyBytes = 16 << 20
        let parameters: Parameters = ["id": CoverName.id(of: name), "size": String(Self.pictureSize)]
        let missing = SourceFault(.notFound, "The server “\(account.title)” has no such picture.")
        let answer: HTTPAnswer
        do throws(SourceFault) {
            answer = try await server.open("getCoverArt", parameters, limits: limits)
        } catch  where error.code == .failed || error.code == .notFound {
            throw missing
        }
        let bytes: [UInt8]
        do throws(HTTPCallFault) { bytes = try await answer.whole() } catch { throw error.asSourceFault }
        guard !bytes.isEmpty else { throw missing }
        return .bytes(bytes)
    }

    // MARK: Lyrics

    @concurrent
    package func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics? {
        guard case .track(let id) = try item(uri) else { return nil }
        try await server.probe()
        if server.memory.has("songLyrics"), let words = try await structured(id) { return words }
        let song = try await song(id)
        guard let title = song.text("title") else { return nil }
        var parameters: Parameters = ["title": title]
        parameters.add("artist", song.text("artist"))
        do throws(SourceFault) {
            return try await server.ask("getLyrics", parameters).record("lyrics").text("value").flatMap { Lyrics(text: $0) }
        } catch  where error.code == .unsupported || error.code == .notFound || error.code == .failed {
            return nil
        }
    }

    /// Structured lyrics, with preference for timed ones.
    private func structured(_ id: String) async throws(SourceFault) -> Lyrics? {
        let all = try await server.ask("getLyricsBySongId", ["id": id]).record("lyricsList").list("structuredLyrics")
        guard let best = all.first(where: { $0.flag("synced") }) ?? all.first else { return nil }
        // A positive offset means that lines come earlier than their stated times.
        let offset = min(max(best.int("offset") ?? 0, -600_000), 600_000)
        let lines = best.list("line").prefix(Lyrics.mostLines).map { line in
            let start = best.flag("synced") ? line.int("start").map { max(0, min(max($0, 0), 1 << 40) - offset) } : nil
            return Lyrics.Line(atMs: start.map { Milliseconds($0) }, text: rows.cut(line.text("value") ?? ""))
        }
        return lines.isEmpty ? nil : Lyrics(lines: lines)
    }
}
