/// Browsing: the content of a container, a page at a time.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    func browse(_ query: BrowseQuery) throws(SourceFault) -> ItemPage {
        guard let node = query.node else { return ItemPage(try shelves()) }
        if let mix = LibraryMix(node) { return ItemPage(of: try rows(of: mix, for: .home), in: query.window) }
        let name = try LibraryName(node)
        if name.kind == .shelf, name.id == "random" { return try randomPage(query.window) }
        if name.facet == .related { return ItemPage(Array(try relatedArtists(of: name).prefix(query.window.limit))) }
        let parts = try listings(of: name, sortedBy: query.sort)
        return try page(of: parts, query.window)
    }

    /// The lists that make up the container, one after the other.
    func listings(of name: LibraryName, sortedBy sort: BrowseQuery.Sort?) throws(SourceFault) -> [Listing] {
        if name.kind == .shelf {
            guard let shelf = Shelf.all[name.id] else { throw name.unknown }
            var listing = shelf.listing(sort)
            listing.total = total(ofShelf: name.id)
            return [listing]
        }
        let id = try number(of: name)
        if name.facet == .top { return [.tracks(mostHeardOf: id)] }
        switch name.kind {
        case .album:
            return [
                .tracks(
                    where: "track.holder = ? AND track.holder > 0", values: [.int(id)], sort: sort,
                    own: ["track.disc", "track.track", "track.id"])
            ]
        case .artist, .label: return [.albums(ofMembers: id, sort), .tracks(ofMembersWithoutAlbum: id, sort)]
        case .composer, .genre: return [.tracks(ofMembers: id, sort)]
        case .series, .author, .narrator: return [.books(of: id, sort)]
        case .year: return [.albums(ofYear: id, sort), .tracks(ofYearWithoutAlbum: id, sort)]
        case .folder: return [.folders(in: id), .tracks(inFolder: id, sort)]
        case .track: throw SourceFault(.unsupported, "This is a single item, which holds nothing else.")
        default: throw name.unknown
        }
    }

    /// The row number behind one of our names.
    func number(of name: LibraryName) throws(SourceFault) -> Int64 {
        var found: Int64?
        switch name.kind {
        case .track:
            found = try first("SELECT id FROM track WHERE name = ?", [.text(name.id)]) { $0.int64(0) }
        case .folder:
            found = try first("SELECT id FROM folder WHERE hash = ?", [.int(name.hash)]) { $0.int64(0) }
        case .year:
            found = try first("SELECT id FROM release_year WHERE id = ?", [.int(Int64(name.id) ?? 0)]) { $0.int64(0) }
        case .album, .artist, .composer, .genre, .label, .series, .author, .narrator:
            found = try first("SELECT id FROM holder WHERE kind = ? AND hash = ?", [.text(name.kind.rawValue), .int(name.hash)]) {
                $0.int64(0)
            }
        default: break
        }
        guard let found else { throw name.unknown }
        return found
    }

    private func shelves() throws(SourceFault) -> [ItemRow] {
        var rows: [ItemRow] = []
        for (name, title) in Shelf.order where try isShown(name) { rows.append(RowShape.shelf(name, title, count: tracks(onShelf: name))) }
        return rows
    }

    /// Condition for rows of `track` that are music; the table also holds books.
    static let isMusic = "track.is_gone = 0 AND track.kind = 'track'"

    /// Labels and books are rare in libraries, so their shelves are hidden while they are empty.
    private func isShown(_ shelf: String) throws(SourceFault) -> Bool {
        guard let question = Self.mayBeEmpty[shelf] else { return true }
        return try first(question) { _ in true } ?? false
    }

    private static let mayBeEmpty = [
        "composers": "SELECT 1 FROM holder WHERE kind = 'composer' LIMIT 1", "labels": "SELECT 1 FROM holder WHERE kind = 'label' LIMIT 1",
        "years": "SELECT 1 FROM track WHERE \(isMusic) AND year > 0 LIMIT 1",
        "books": "SELECT 1 FROM track INDEXED BY book_by_title WHERE is_gone = 0 AND kind = 'book' LIMIT 1",
        "series": "SELECT 1 FROM holder WHERE kind = 'series' LIMIT 1", "authors": "SELECT 1 FROM holder WHERE kind = 'author' LIMIT 1",
        "narrators": "SELECT 1 FROM holder WHERE kind = 'narrator' LIMIT 1",
    ]

    /// Number of tracks on shelves whose rows are tracks. `nil` for other shelves, whose rows are not tracks.
    private func tracks(onShelf name: String) -> Int? { name == "tracks" || name == "added" ? libraryCounts.tracks : nil }

    private func total(ofShelf name: String) -> Int? {
        switch name {
        case "tracks", "added": libraryCounts.tracks
        case "albums": libraryCounts.albums
        case "artists": libraryCounts.artists
        case "playlists": libraryCounts.playlists
        default: nil
        }
    }

    /// Random tracks of the whole library. There is no next page, because each request draws anew.
    private func randomPage(_ window: PageWindow) throws(SourceFault) -> ItemPage {
        ItemPage(try randomTracks(window.limit), total: libraryCounts.tracks)
    }

    func randomTracks(_ count: Int) throws(SourceFault) -> [ItemRow] {
        // Numbers are drawn, not rows sorted: that would read all of them.
        try rows(try randomNumbers(count).map { SearchEntryKey(.track, $0) })
    }

    func randomNumbers(_ count: Int) throws(SourceFault) -> [Int64] {
        guard count > 0, libraryCounts.tracks > 0 else { return [] }
        if libraryCounts.tracks <= count * 2 {
            let all = try all("SELECT id FROM track WHERE \(Self.isMusic)") { $0.int64(0) }
            return Array(all.shuffled().prefix(count))
        }
        let last = try first("SELECT max(id) FROM track") { $0.int64(0) } ?? 0
        var drawn = Set<Int64>()
        var tries = 0
        while drawn.count < count, tries < count * 20 {
            tries += 1
            let id = Int64.random(in: 1...last)
            let isThere = try first("SELECT 1 FROM track WHERE id = ? AND \(Self.isMusic)", [.int(id)]) { _ in true } ?? false
            if isThere { drawn.insert(id) }
        }
        return drawn.shuffled()
    }

    // MARK: - Pages

    func page(of parts: [Listing], _ window: PageWindow) throws(SourceFault) -> ItemPage {
        var part = 0
        var key: [Value]?
        var skip = window.boundedFrom
        if let text = window.cursor {
            guard let cursor = Cursor(text), parts.indices.contains(cursor.part), cursor.key.count == parts[cursor.part].order.count
            else { throw SourceFault(.badRequest, "This cursor is none of this list's. Begin at the list's beginning.") }
            (part, key, skip) = (cursor.part, cursor.key, 0)
        }
        let wanted = max(1, window.limit)
        var rows: [(row: ItemRow, part: Int, key: [Value])] = []
        while part < parts.count, rows.count <= wanted {
            if key == nil, skip >= PageAnchors.step { (key, skip) = try jump(to: skip, in: parts[part]) }
            let found = try read(parts[part], behind: key, limit: wanted + 1 - rows.count, skip: skip)
            if found.isEmpty, skip > 0, key == nil {
                skip = max(0, skip - (try count(parts[part])))
            } else {
                skip = found.isEmpty ? skip : 0
            }
            rows += found.map { ($0.row, part, $0.key) }
            part += 1
            key = nil
        }
        let shown = rows.prefix(wanted)
        let cursor = rows.count > wanted ? shown.last.map { Cursor(part: $0.part, key: $0.key).text } : nil
        return ItemPage(try marked(shown.map(\.row)), cursor: cursor, total: parts.count == 1 ? parts[0].total : nil)
    }

    func read(_ listing: Listing, behind key: [Value]?, limit: Int, skip: Int) throws(SourceFault) -> [(row: ItemRow, key: [Value])] {
        let width = listing.shape.width
        let count = Int32(listing.order.count)
        var (key, skip) = (key, skip)
        if let from = key, skip > 0 {
            guard let nearer = try pass(skip, behind: from, in: listing) else { return [] }
            (key, skip) = (nearer, 0)
        }
        var rows: [(row: ItemRow, key: [Value])] = []
        for place in key.map(listing.places) ?? [Listing.Part()] where rows.count < limit {
            let (sql, values) = listing.sql(place, limit: limit - rows.count, skip: skip)
            rows += try all(sql, values) { row in (listing.shape.read(row), (0..<count).map { row.value(width + $0) }) }
        }
        return rows
    }

    /// The key of the row `skip` rows further on, if the list is that long. Only the keys in between are read, which lie next to each other
    /// in the index.
    private func pass(_ skip: Int, behind key: [Value], in listing: Listing) throws(SourceFault) -> [Value]? {
        let width = Int32(listing.order.count)
        var left = skip
        var last: [Value]?
        for place in listing.places(behind: key) where left > 0 {
            let (sql, values) = listing.keys(place, limit: left)
            try each(sql, values) { row in
                left -= 1
                if left == 0 { last = (0..<width).map(row.value) }
            }
        }
        return last
    }

    private func count(_ listing: Listing) throws(SourceFault) -> Int {
        try first("SELECT count(*) FROM \(listing.source ?? listing.shape.main) WHERE \(listing.filter)", listing.values) { $0.int(0) } ?? 0
    }

    /// The anchor before a row, and the number of rows from there to the row. For a row behind the end the result is the number of rows to
    /// skip in the next list.
    ///
    /// Anchors hold until a shown list changes. Both revisions only grow, so their sum identifies one state.
    private func jump(to row: Int, in listing: Listing) throws(SourceFault) -> ([Value]?, Int) {
        var pageAnchors = self.pageAnchors
        self.pageAnchors = PageAnchors()
        defer { self.pageAnchors = pageAnchors }
        let keys = try pageAnchors.keys(of: listing, revision: libraryCounts.libraryRevision &+ libraryCounts.playlistRevision) {
            () throws(SourceFault) in
            let (sql, values) = listing.keys()
            var keys: [[Value]] = []
            var number = 0
            let width = Int32(listing.order.count)
            try each(sql, values) { row in
                number += 1
                if number.isMultiple(of: PageAnchors.step) { keys.append((0..<width).map(row.value)) }
            }
            return keys
        }
        let steps = min(row / PageAnchors.step, keys.count)
        guard steps > 0 else { return (nil, row) }
        return (keys[steps - 1], row - steps * PageAnchors.step)
    }
}

/// A name of ours, `lib:kind/id`.
struct LibraryName {
    var uri: ItemURI
    var kind: ItemKind
    var id: String
    /// The list of an artist that the name refers to; `nil` for the artist, whose list is the albums.
    var facet: Facet?

    enum Facet: String {
        case top, related

        var title: String {
            switch self {
            case .top: "Top tracks"
            case .related: "Similar artists"
            }
        }
    }

    init(_ uri: ItemURI) throws(SourceFault) {
        let parts = uri.text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let word = parts[0].hasPrefix("lib:") ? String(parts[0].dropFirst(4)) : ""
        facet = Facet(rawValue: word)
        let kind = facet == nil ? ItemKind(rawValue: word) : .artist
        guard parts.count == 2, let kind else { throw SourceFault(.notFound, "There is nothing called \(uri) in the library.") }
        self.uri = uri
        self.kind = kind
        id = String(parts[1])
    }

    /// The id as a number, or 0 if it is not one; no row has 0.
    var hash: Int64 { Int64(bitPattern: UInt64(id, radix: 16) ?? 0) }

    var unknown: SourceFault { SourceFault(.notFound, "The library has no \(kind.rawValue) “\(kind == .shelf ? id : uri.text)”.") }
}

extension PageWindow {
    /// No list is longer.
    var boundedFrom: Int { min(max(0, from), 1 << 40) }
}
