/// Details of single items: tags, file, picture, and the tracks inside.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    func details(of uri: ItemURI) throws(SourceFault) -> ItemDetails {
        if let mix = LibraryMix(uri) { return details(of: mix) }
        let name = try LibraryName(uri)
        if name.kind == .shelf {
            guard let shelf = Shelf.order.first(where: { $0.name == name.id }) else { throw name.unknown }
            return ItemDetails(row: RowShape.shelf(shelf.name, shelf.title, count: nil))
        }
        let id = try number(of: name)
        if let facet = name.facet { return ItemDetails(row: RowShape.container(uri, titled: facet.title)) }
        guard let row = try row(name.kind, id), let marked = try marked([row]).first else { throw name.unknown }
        var details = ItemDetails(row: marked)
        if name.kind == .track { try describe(track: id, in: &details) }
        if name.kind == .artist { try describe(artist: id, named: name.id, in: &details) }
        if name.kind == .folder { details.path = try first("SELECT path FROM folder WHERE id = ?", [.int(id)]) { $0.text(0) } }
        return details
    }

    private func describe(track id: Int64, in details: inout ItemDetails) throws(SourceFault) {
        let found = try first(
            """
            SELECT more, added_ms, folder.path || '/' || file.name, lyrics IS NOT NULL FROM track
            JOIN file ON file.id = track.file JOIN folder ON folder.id = file.folder WHERE track.id = ?
            """, [.int(id)]
        ) { (more: TrackMore(packed: $0.blob(0)), addedMs: $0.time(1), path: $0.text(2), hasLyrics: $0.flag(3)) }
        guard let found else { return }
        details.addedAtMs = found.addedMs
        details.path = found.path
        details.hasLyrics = found.hasLyrics
        guard let more = found.more else { return }
        details.genres = more.genres
        details.composers = more.composers
        details.labels = more.labels
        details.isCompilation = more.isCompilation
        details.format = more.format
        details.gain = more.gain
        details.chapters = more.chapters
    }

    func lyrics(of uri: ItemURI) throws(SourceFault) -> Lyrics? {
        let name = try LibraryName(uri)
        return try first(
            "SELECT lyrics FROM track JOIN file ON file.id = track.file WHERE track.name = ? AND lyrics IS NOT NULL", [.text(name.id)]
        ) { Lyrics(packed: $0.blob(0)) } ?? nil
    }

    func location(of uri: ItemURI) throws(SourceFault) -> TrackLocation {
        let name = try LibraryName(uri)
        let found = try first(
            """
            SELECT folder.path || '/' || file.name, more, track.is_gone FROM track
            JOIN file ON file.id = track.file JOIN folder ON folder.id = file.folder WHERE track.name = ?
            """, [.text(name.id)]
        ) { (path: $0.text(0), more: TrackMore(packed: $0.blob(1)), isGone: $0.flag(2)) }
        guard let found else { throw name.unknown }
        guard !found.isGone else {
            throw SourceFault(.gone, "The file of \(uri) is not in the library any more: it was \(found.path).")
        }
        let folder = Self.parent(of: found.path) ?? "/"
        let parts = (found.more?.parts ?? []).map {
            BookPart(name: $0.name.hasPrefix("/") ? $0.name : folder + "/" + $0.name, title: $0.title, lengthUs: $0.lengthUs)
        }
        return TrackLocation(path: found.path, startMs: found.more?.startMs, endMs: found.more?.endMs, parts: parts)
    }

    func track(atPath path: String) throws(SourceFault) -> ItemURI? {
        guard let folder = Self.parent(of: path) else { return nil }
        let name = String(path.dropFirst(folder == "/" ? 1 : folder.count + 1))
        return try first(
            """
            SELECT track.name FROM folder JOIN file ON file.folder = folder.id
            JOIN track ON track.id = file.book OR file.book IS NULL AND track.file = file.id
            WHERE folder.path = ? AND file.name = ? AND track.is_gone = 0 ORDER BY part LIMIT 1
            """, [.text(folder), .text(name)]
        ) { ItemURI("lib:track/" + $0.text(0)) }
    }

    // MARK: - Pictures

    func picture(_ name: String) throws(SourceFault) -> PictureSource? {
        let found = try first("SELECT path, bytes FROM picture WHERE name = ?", [.text(name)]) { row in
            (path: row.maybeText(0), bytes: row.isNull(1) ? nil : row.blob(1))
        }
        guard let found else { return nil }
        if let bytes = found.bytes { return .bytes(bytes) }
        if let path = found.path { return path.hasPrefix("\u{1F}") ? .embedded(in: String(path.dropFirst())) : .file(path) }
        return try musicFile(withPicture: name).map { .embedded(in: $0) }
    }

    func musicFile(withPicture name: String) throws(SourceFault) -> String? {
        try first(
            """
            SELECT folder.path || '/' || file.name FROM picture JOIN track ON track.picture = picture.id JOIN file ON file.id = track.file
            JOIN folder ON folder.id = file.folder WHERE picture.name = ? AND track.is_gone = 0 LIMIT 1
            """, [.text(name)]
        ) { $0.text(0) }
    }

    func withoutColours(most: Int) throws(SourceFault) -> [String] {
        try all("SELECT name FROM picture WHERE ground IS NULL ORDER BY id LIMIT ?", [.int(max(0, most))]) { $0.text(0) }
    }

    func storeColours(_ colours: [Int], of picture: String) throws(SourceFault) {
        try run(
            "UPDATE picture SET ground = ?, accent = ? WHERE name = ?",
            [.int(colours.first ?? -1), .int(colours.last ?? -1), .text(picture)])
    }

    // MARK: - Tracks in playing order

    static let mostFound = 10_000
    static let mostRandom = 1_000

    func expand(_ uri: ItemURI, most: Int) throws(SourceFault) -> [NewEntry] {
        if uri.text.hasPrefix("lib:search/") {
            let text = Self.decoded(uri.text.dropFirst("lib:search/".count))
            return try tracks(found: text, most: min(most, Self.mostFound))
        }
        if let mix = LibraryMix(uri) { return try expand(mix, by: .home, most: most) }
        let name = try LibraryName(uri)
        if name.facet == .related { return try tracks(ofRelated: name, most) }
        if name.facet == .top { return try entries(.tracks(mostHeardOf: number(of: name)), most) }
        switch name.kind {
        case .track:
            guard let row = try row(.track, number(of: name)) else { throw name.unknown }
            return [NewEntry(uri: row.uri, tags: row.tags)]
        case .artist, .label:
            return try entries(
                .tracks(where: "member.holder = ?", values: [.int(number(of: name))], sort: nil, own: Self.byAlbum, from: Self.members),
                most)
        case .composer, .genre:
            return try entries(
                .tracks(where: "member.holder = ?", values: [.int(number(of: name))], sort: .artist, own: Self.byAlbum, from: Self.members),
                most)
        case .year:
            return try entries(
                .tracks(where: "\(Self.isMusic) AND track.year = ?", values: [.int(number(of: name))], sort: nil, own: Self.byAlbum), most)
        case .folder: return try tracks(below: number(of: name), most)
        case .shelf: return try tracks(ofShelf: name, most)
        default: return try entries(try listings(of: name, sortedBy: nil)[0], most)
        }
    }

    private static let byAlbum = ["track.year", "track.holder", "track.disc", "track.track", "track.id"]
    private static let members = "member JOIN track ON track.id = member.track"

    func entries(_ listing: Listing, _ most: Int) throws(SourceFault) -> [NewEntry] {
        let (sql, values) = listing.sql(Listing.Part(), limit: max(0, most), skip: 0)
        return try all(sql, values) { row in
            let item = listing.shape.read(row)
            return NewEntry(uri: item.uri, tags: item.tags)
        }
    }

    private func tracks(below folder: Int64, _ most: Int) throws(SourceFault) -> [NewEntry] {
        guard let path = try first("SELECT path FROM folder WHERE id = ?", [.int(folder)], as: { $0.text(0) }) else { return [] }
        return try entries(
            .tracks(
                where: "(folder.path = ? OR (folder.path > ? AND folder.path < ?)) AND track.is_gone = 0", values: Self.span(path),
                sort: nil,
                own: ["folder.path", "file.name", "track.part", "track.id"],
                from: "folder JOIN file ON file.folder = folder.id JOIN track ON track.file = file.id"), most)
    }

    private func tracks(ofShelf name: LibraryName, _ most: Int) throws(SourceFault) -> [NewEntry] {
        guard Shelf.all[name.id] != nil || name.id == "random" else { throw name.unknown }
        if name.id == "random" {
            return try randomTracks(min(most, Self.mostRandom)).map { NewEntry(uri: $0.uri, tags: $0.tags) }
        }
        let listing = try listings(of: name, sortedBy: nil)[0]
        return try opened(try entries(listing, most), most: most, for: .home)
    }

    /// Replaces albums and lists among the rows by their tracks.
    func opened(_ rows: [NewEntry], most: Int, for person: Person) throws(SourceFault) -> [NewEntry] {
        var entries: [NewEntry] = []
        for row in rows where entries.count < most {
            if !row.tags.kind.isContainer { entries.append(row) } else { entries += try inside(row.uri, most - entries.count, for: person) }
        }
        return entries
    }

    /// The tracks of one container, which may be another source's, or gone. A shelf is skipped (`damagedMarks`), since it could contain
    /// itself. All other containers contain only tracks, so there is no deeper nesting.
    private func inside(_ uri: ItemURI, _ most: Int, for person: Person) throws(SourceFault) -> [NewEntry] {
        guard !uri.isLibraryShelf else { return [] }
        do {
            if let list = PlaylistID(uri) {
                return try isReadable(list, by: person) ? Array(try expandPlaylist(list, for: person).prefix(most)) : []
            }
            return uri.source == "lib" ? try expand(uri, most: most) : []
        } catch {
            guard error.code == .notFound else { throw error }
            return []
        }
    }

    private func tracks(found text: String, most: Int) throws(SourceFault) -> [NewEntry] {
        try search(SearchQuery(text, kinds: [.track], window: PageWindow(limit: most))).rows.map { NewEntry(uri: $0.uri, tags: $0.tags) }
    }

    /// Decodes `%41` and the like; anything else stays unchanged.
    static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let number = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                bytes.append(number)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
