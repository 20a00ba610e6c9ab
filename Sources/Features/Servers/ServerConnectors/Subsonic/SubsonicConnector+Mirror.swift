/// Reads everything on the server step by step for the hub's mirror.
import BatonCore
package import BatonSeams

/// The start of the next step: a part of the pass, and the position in it.
private struct MirrorPosition {
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
    /// Albums in one step, on servers that do not list all songs at once, so that each album takes a request.
    private static let albumStep = 20

    @concurrent
    package func mirror(after cursor: String?) async throws(SourceFault) -> MirrorPage {
        guard let place = cursor.map(MirrorPosition.init) ?? MirrorPosition(.shelves) else {
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

    private func page(_ rows: [MirrorRow], _ next: MirrorPosition?) -> MirrorPage { MirrorPage(rows, cursor: next?.text) }

    /// Lists that the server sends as a whole. A shelf that was read includes its number of rows, so that an empty
    /// shelf differs from one that is not mirrored, such as folders and random songs.
    private func mirrorShelves() async throws(SourceFault) -> MirrorPage {
        var read: [SubsonicItem.Shelf: [ItemRow]] = [:]
        let fetches: [(SubsonicItem.Shelf, @Sendable () async throws(SourceFault) -> AnswerCache.Answer)] = [
            (.artists, { () throws(SourceFault) in try await artists() }), (.genres, { () throws(SourceFault) in try await genres() }),
            (.playlists, { () throws(SourceFault) in try await playlists() }),
            (.stations, { () throws(SourceFault) in try await stations() }),
            (.podcasts, { () throws(SourceFault) in try await podcasts() }),
            (.starred, { () throws(SourceFault) in try await starred() }),
            (.newest, { () throws(SourceFault) in try await firstAlbums("newest") }),
            (.recent, { () throws(SourceFault) in try await firstAlbums("recent") }),
            (.frequent, { () throws(SourceFault) in try await firstAlbums("frequent") }),
        ]
        for (shelf, fetch) in fetches { read[shelf] = try await ifOffered { () throws(SourceFault) in try await fetch().rows } }
        let letters = try await ifOffered { () throws(SourceFault) in try await index() } ?? []
        read[.letters] = letters.compactMap { letter in letter.text("name").map { rows.letter($0) } }
        var list: [MirrorRow] = []
        for (place, shelf) in SubsonicItem.Shelf.allCases.enumerated() {
            var row = rows.shelf(shelf)
            row.count = read[shelf]?.count
            list.append(MirrorRow(row, in: nil, at: place))
            list += placed(read[shelf] ?? [], in: .shelf(shelf))
        }
        for letter in letters {
            guard let name = letter.text("name") else { continue }
            list += placed(letter.list("artist").compactMap(rows.artist), in: .letter(name))
        }
        return page(list, MirrorPosition(.albums))
    }

    private func placed(_ list: [ItemRow], in container: SubsonicItem) -> [MirrorRow] {
        list.enumerated().map { MirrorRow($0.element, in: rows.uri(container), at: $0.offset) }
    }

    /// The list; `nil` if the server lacks it or denies it to this user.
    private func ifOffered<List>(_ fetch: () async throws(SourceFault) -> List) async throws(SourceFault) -> List? {
        do throws(SourceFault) { return try await fetch() } catch  where [.unsupported, .failed, .forbidden].contains(error.code) {
            return nil
        }
    }

    /// The first 100 albums in this order, which is as many as people look through.
    private func firstAlbums(_ order: String) async throws(SourceFault) -> AnswerCache.Answer {
        let list = try await server.ask("getAlbumList2", ["type": order, "size": "100"]).record("albumList2").list("album")
        return AnswerCache.Answer(rows: list.prefix(100).compactMap(rows.album))
    }

    /// Albums in all places where they appear: the list of all albums, their artist, genres and decade.
    private func mirrorAlbums(_ from: Int) async throws(SourceFault) -> MirrorPage {
        let albums = try await albumRecords(from, Self.step)
        var list: [MirrorRow] = []
        var decades: Set<Int> = []
        for (at, record) in albums.enumerated() {
            guard let row = rows.album(record) else { continue }
            let year = row.tags.year
            list.append(MirrorRow(row, in: rows.uri(.shelf(.albums)), at: from + at))
            let byYear = (year ?? 9_999) * 1_000_000 + from + at
            if let artist = record.text("artistId") { list.append(MirrorRow(row, in: rows.uri(.artist(artist)), at: byYear)) }
            let genres = record.texts("genres", of: "name")
            for genre in genres.isEmpty ? [record.text("genre")].compactMap({ $0 }) : genres {
                list.append(MirrorRow(row, in: rows.uri(.genre(genre)), at: from + at))
            }
            guard let decade = year.map({ $0 / 10 * 10 }), 1_900...9_990 ~= decade else { continue }
            list.append(MirrorRow(row, in: rows.uri(.decade(decade)), at: byYear))
            decades.insert(decade)
        }
        // The latest decade comes first.
        list += decades.map { MirrorRow(rows.decade($0), in: rows.uri(.shelf(.years)), at: 9_990 - $0) }
        if from == 0, albums.isEmpty { list += [.albums, .years].map(emptyShelf) }
        return page(list, albums.count < Self.step ? MirrorPosition(.songs) : MirrorPosition(.albums, from + albums.count))
    }

    private func emptyShelf(_ shelf: SubsonicItem.Shelf) -> MirrorRow {
        var row = rows.shelf(shelf)
        row.count = 0
        return MirrorRow(row, in: nil, at: SubsonicItem.Shelf.allCases.firstIndex(of: shelf) ?? 0)
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
        if records.isEmpty { return page([], MirrorPosition(from == 0 ? .albumSongs : .lists)) }
        return page(songs(records), records.count < Self.step ? MirrorPosition(.lists) : MirrorPosition(.songs, from + records.count))
    }

    private func mirrorAlbumSongs(_ from: Int) async throws(SourceFault) -> MirrorPage {
        let albums = try await albumRecords(from, Self.albumStep)
        var list: [MirrorRow] = []
        for album in albums {
            guard let id = album.text("id") else { continue }
            list += songs(try await server.ask("getAlbum", ["id": id]).record("album").list("song"))
        }
        return page(list, albums.count < Self.albumStep ? MirrorPosition(.lists) : MirrorPosition(.albumSongs, from + albums.count))
    }

    private func songs(_ records: [SubsonicRecord]) -> [MirrorRow] {
        records.compactMap { record in
            guard let row = rows.song(record) else { return nil }
            let place = (row.tags.disc ?? 0) * 10_000 + (row.tags.track ?? 0)
            return MirrorRow(row, in: record.text("albumId").map { rows.uri(.album($0)) }, at: place)
        }
    }

    /// Reads one playlist.
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
            list = []  // Deleted during the pass.
        }
        return page(list, MirrorPosition(.lists, at + 1))
    }
}
