/// Shelves and their items, page by page. A page of a long list costs one request, wherever it begins.
import BatonCore
package import BatonSeams

extension SubsonicConnector {
    @concurrent
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        let window = query.window
        guard let node = query.node else { return ItemPage(of: SubsonicItem.Shelf.allCases.map(rows.shelf), in: window) }
        switch try item(node) {
        case .shelf(let shelf): return try await browse(shelf, sort: query.sort, window: window)
        case .album(let id): return try await whole("album/\(id)", window: window) { () throws(SourceFault) in try await album(id) }
        case .artist(let id): return try await whole("artist/\(id)", window: window) { () throws(SourceFault) in try await artist(id) }
        case .playlist(let id):
            return try await whole("playlist/\(id)", window: window) { () throws(SourceFault) in try await playlist(id) }
        case .podcast(let id): return try await whole("podcast/\(id)", window: window) { () throws(SourceFault) in try await podcast(id) }
        case .root(let id): return try await whole("root/\(id)", window: window) { () throws(SourceFault) in try await root(id) }
        case .folder(let id): return try await whole("folder/\(id)", window: window) { () throws(SourceFault) in try await folder(id) }
        case .letter(let name):
            return try await whole("letter/\(name)", window: window) { () throws(SourceFault) in try await letter(name) }
        case .similar(let id):
            return try await whole("similar/\(id)", window: window) { () throws(SourceFault) in
                AnswerCache.Answer(rows: try await similarRows(id, count: 50))
            }
        case .top(let id):
            return try await whole("top/\(id)", window: window) { () throws(SourceFault) in AnswerCache.Answer(rows: try await top(id)) }
        case .related(let id):
            return try await whole("related/\(id)", window: window) { () throws(SourceFault) in
                AnswerCache.Answer(rows: relatedArtists(try await server.ask("getArtistInfo2", ["id": id])))
            }
        case .genre(let name): return try await albums(["type": "byGenre", "genre": name], window)
        case .decade(let year): return try await albums(byYear(year, year + 9), window)
        case .track, .episode, .station: throw SourceFault(.unsupported, "There is nothing inside of \(node.text).")
        }
    }

    private func browse(
        _ shelf: SubsonicItem.Shelf, sort: BrowseQuery.Sort?, window: PageWindow
    ) async throws(SourceFault) -> ItemPage {
        switch shelf {
        case .albums: return try await albums(order(sort), window)
        case .newest: return try await albums(["type": "newest"], window)
        case .recent: return try await albums(["type": "recent"], window)
        case .frequent: return try await albums(["type": "frequent"], window)
        case .artists: return try await whole("artists", window: window) { () throws(SourceFault) in try await artists() }
        case .letters: return try await whole("letters", window: window) { () throws(SourceFault) in try await letters() }
        case .starred: return try await whole("starred", window: window) { () throws(SourceFault) in try await starred() }
        case .genres: return try await whole("genres", window: window) { () throws(SourceFault) in try await genres() }
        case .folders: return try await whole("folders", window: window) { () throws(SourceFault) in try await folders() }
        case .playlists: return try await whole("playlists", window: window) { () throws(SourceFault) in try await playlists() }
        case .stations: return try await whole("stations", window: window) { () throws(SourceFault) in try await stations() }
        case .podcasts: return try await whole("podcasts", window: window) { () throws(SourceFault) in try await podcasts() }
        case .years: return ItemPage(of: decades, in: window, version: nil)
        case .random:
            // Each visit from the beginning shows another random choice.
            if window.offset == 0 { await cache.forget("random") }
            return try await whole("random", window: window) { () throws(SourceFault) in
                let answer = try await server.ask("getRandomSongs", ["size": "100"])
                return AnswerCache.Answer(rows: await songRows(answer.record("randomSongs").list("song")))
            }
        }
    }

    // MARK: Pages

    /// A page of a list that the server sends as a whole.
    private func whole(
        _ name: String, window: PageWindow, fetch: @Sendable () async throws(SourceFault) -> AnswerCache.Answer
    ) async throws(SourceFault) -> ItemPage {
        let answer = try await cache.answer(name, fetch)
        return ItemPage(of: answer.rows, in: window, version: answer.version)
    }

    /// A page of a list of albums; the server does the paging.
    private func albums(_ parameters: Parameters, _ window: PageWindow) async throws(SourceFault) -> ItemPage {
        let (from, limit) = (window.offset, min(max(1, window.limit), 500))
        let question = parameters + ["size": String(limit), "offset": String(from)]
        let answer = try await cache.answer("albums?\(question.encoded)") { () throws(SourceFault) in
            let list = try await server.ask("getAlbumList2", question).record("albumList2").list("album")
            return AnswerCache.Answer(rows: list.prefix(limit).compactMap(rows.album), isFull: list.count >= limit)
        }
        return ItemPage(answer.rows, cursor: answer.isFull ? String(from + limit) : nil)
    }

    private func order(_ sort: BrowseQuery.Sort?) -> Parameters {
        switch sort {
        case .artist: ["type": "alphabeticalByArtist"]
        case .added: ["type": "newest"]
        case .played: ["type": "recent"]
        case .plays: ["type": "frequent"]
        case .stars: ["type": "highest"]
        case .year: byYear(0, 9_999)
        case .name, .track, nil: ["type": "alphabeticalByName"]
        }
    }

    private func byYear(_ first: Int, _ last: Int) -> Parameters { ["type": "byYear", "fromYear": String(first), "toYear": String(last)] }

    /// Decades from the current one down to the first years of recorded music.
    private var decades: [ItemRow] {
        let year = 1970 + Int(clock.wallMs / 31_556_952_000)
        return stride(from: max(1_970, year / 10 * 10), through: 1_900, by: -10).map {
            rows.decade($0)
        }
    }
}
