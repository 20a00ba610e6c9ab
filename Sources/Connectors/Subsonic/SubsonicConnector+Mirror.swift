/// A pass over everything that the server has, step by step, for the hub's mirror of it.
import BatonCore
package import BatonSeams

/// Where the next step begins: one of the parts of the pass, and how far it has come there.
private struct MirrorPlace {
    enum Part: String {
        case shelves, albums, songs, albumSongs, lists
    }

    var part: Part
    var from: Int

    init(_ part: Part, _ from: Int = 0) {
        self.part = part
        self.from = from
    }

    init?(_ text: String) {
        let words = text.split(separator: ".")
        guard words.count == 2, let part = Part(rawValue: String(words[0])), let from = Int(words[1]), 0...1_000_000_000 ~= from else {
            return nil
        }
        self.init(part, from)
    }

    var text: String { "\(part.rawValue).\(from)" }
}

extension SubsonicConnector {
    private static let step = 500
    /// Of servers that list no songs without a question, albums are fetched one by one: so many in one step.
    private static let albumStep = 20

    @concurrent
    package func mirror(after cursor: String?) async throws(SourceFault) -> MirrorPage {
        guard let place = cursor.map(MirrorPlace.init) ?? MirrorPlace(.shelves) else {
            throw SourceFault(.badRequest, "This is no place in a pass over “\(account.title)”.")
        }
        switch place.part {
        case .shelves: return try await mirrorShelves()
        case .albums: return try await mirrorAlbums(place.from)
        case .songs: return try await mirrorSongs(place.from)
        case .albumSongs: return try await mirrorAlbumSongs(place.from)
        case .lists: return try await mirrorList(place.from)
        }
    }

    private func page(_ rows: [MirrorRow], _ next: MirrorPlace?) -> MirrorPage { MirrorPage(rows, cursor: next?.text) }

    private func mirrorShelves() async throws(SourceFault) -> MirrorPage {
        var list = SubsonicItem.Shelf.allCases.enumerated().map { MirrorRow(rows.shelf($0.element), in: nil, at: $0.offset) }
        let fetches: [(SubsonicItem.Shelf, @Sendable () async throws(SourceFault) -> AnswerCache.Answer)] = [
            (.artists, { () throws(SourceFault) in try await artists() }), (.genres, { () throws(SourceFault) in try await genres() }),
            (.playlists, { () throws(SourceFault) in try await playlists() }),
            (.stations, { () throws(SourceFault) in try await stations() }),
            (.starred, { () throws(SourceFault) in try await starred() }),
        ]
        for (shelf, fetch) in fetches {
            do throws(SourceFault) {
                list += try await fetch().rows.enumerated().map { MirrorRow($0.element, in: rows.uri(.shelf(shelf)), at: $0.offset) }
            } catch  where error.code == .unsupported || error.code == .failed || error.code == .forbidden {
                continue
            }
        }
        return page(list, MirrorPlace(.albums))
    }

    private func mirrorAlbums(_ from: Int) async throws(SourceFault) -> MirrorPage {
        let albums = try await albumRecords(from, Self.step)
        var list: [MirrorRow] = []
        for (at, record) in albums.enumerated() {
            guard let row = rows.album(record) else { continue }
            list.append(MirrorRow(row, in: rows.uri(.shelf(.albums)), at: from + at))
            if let artist = record.text("artistId") {
                list.append(MirrorRow(row, in: rows.uri(.artist(artist)), at: (row.tags.year ?? 9_999) * 1_000 + at))
            }
        }
        return page(list, albums.count < Self.step ? MirrorPlace(.songs) : MirrorPlace(.albums, from + albums.count))
    }

    private func albumRecords(_ from: Int, _ count: Int) async throws(SourceFault) -> [SubsonicRecord] {
        let parameters: Parameters = ["type": "alphabeticalByName", "size": String(count), "offset": String(from)]
        return Array(try await server.ask("getAlbumList2", parameters).record("albumList2").list("album").prefix(count))
    }

    private func mirrorSongs(_ from: Int) async throws(SourceFault) -> MirrorPage {
        let parameters: Parameters = [
            "query": "", "artistCount": "0", "albumCount": "0", "songCount": String(Self.step), "songOffset": String(from),
        ]
        let records = Array(try await server.ask("search3", parameters).record("searchResult3").list("song").prefix(Self.step))
        if records.isEmpty { return page([], MirrorPlace(from == 0 ? .albumSongs : .lists)) }
        return page(songs(records), records.count < Self.step ? MirrorPlace(.lists) : MirrorPlace(.songs, from + records.count))
    }

    private func mirrorAlbumSongs(_ from: Int) async throws(SourceFault) -> MirrorPage {
        let albums = try await albumRecords(from, Self.albumStep)
        var list: [MirrorRow] = []
        for album in albums {
            guard let id = album.text("id") else { continue }
            list += songs(try await server.ask("getAlbum", ["id": id]).record("album").list("song"))
        }
        return page(list, albums.count < Self.albumStep ? MirrorPlace(.lists) : MirrorPlace(.albumSongs, from + albums.count))
    }

    private func songs(_ records: [SubsonicRecord]) -> [MirrorRow] {
        records.compactMap { record in
            guard let row = rows.song(record) else { return nil }
            let place = (row.tags.disc ?? 0) * 10_000 + (row.tags.track ?? 0)
            return MirrorRow(row, in: record.text("albumId").map { rows.uri(.album($0)) }, at: place)
        }
    }

    /// One playlist in a step.
    private func mirrorList(_ at: Int) async throws(SourceFault) -> MirrorPage {
        let lists: [String]
        do throws(SourceFault) {
            lists = try await server.ask("getPlaylists").record("playlists").list("playlist").compactMap { $0.text("id") }
        } catch  where error.code == .unsupported || error.code == .forbidden {
            return page([], nil)
        }
        guard lists.indices.contains(at) else { return page([], nil) }
        var list: [MirrorRow] = []
        do throws(SourceFault) {
            let uri = rows.uri(.playlist(lists[at]))
            list = try await playlist(lists[at]).rows.enumerated().map { MirrorRow($0.element, in: uri, at: $0.offset) }
        } catch  where error.code == .notFound || error.code == .forbidden {
            list = []  // Deleted while the pass was under way.
        }
        return page(list, MirrorPlace(.lists, at + 1))
    }
}
