/// Reads songs by their paths and in the order of the tree.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// A folder's place in the tree, and that of the last folder below it.
    struct SongSpan {
        var first: Int
        var last: Int
    }

    func songSpan(of folder: String) throws(SourceFault) -> SongSpan? {
        try first("SELECT rank, last FROM song_folder WHERE path = ?", [.text(folder)]) { SongSpan(first: $0.int(0), last: $0.int(1)) }
    }

    /// The columns that `song` reads, of `s` and its folder `f`.
    static let songColumns = "s.name, f.path, s.track, s.changed, s.added, s.format, s.duration_ms, s.lines"

    static func song(_ row: Row, from column: Int32 = 0) -> Song {
        let path = row.text(column + 1)
        let name = row.text(column)
        return Song(
            uri: path.isEmpty ? name : path + "/" + name, item: ItemURI("lib:track/" + row.text(column + 2)), changed: row.int(column + 3),
            added: row.int(column + 4), format: row.maybeText(column + 5), lines: row.blob(column + 7),
            durationMs: row.maybeInt(column + 6))
    }

    private static func folder(_ path: String, _ changed: Int) -> SongOrFolder { .folder(path, changed: changed > 0 ? changed : nil) }

    // MARK: - Lists

    func songTree(_ span: SongSpan, after: SongPlace?, most: Int) throws(SourceFault) -> SongPage<SongOrFolder> {
        let after = after ?? SongPlace(folder: span.first, song: 0)
        var rows: [SongOrFolder] = []
        var place = after
        var count = 0
        try each(
            """
            SELECT \(Self.songColumns), f.rank, ifnull(s.rank, 0), s.id, folder.changed FROM song_folder AS f
            LEFT JOIN folder ON folder.id = f.folder LEFT JOIN song AS s ON s.folder = f.folder
            WHERE f.rank >= ?1 AND f.rank <= ?2 AND (f.rank > ?1 OR s.rank > ?3) ORDER BY f.rank, s.rank LIMIT ?4
            """, [.int(after.folder), .int(span.last), .int(after.song), .int(most)]
        ) { row in
            let next = SongPlace(folder: row.int(8), song: row.int(9))
            if next.folder != place.folder { rows.append(Self.folder(row.text(1), row.int(11))) }
            if !row.isNull(10) { rows.append(.song(Self.song(row))) }
            place = next
            count += 1
        }
        return SongPage(rows: rows, next: count < most ? nil : place)
    }

    /// Songs come first, so a place with a folder other than this one is that of a folder.
    func songFolder(_ span: SongSpan, after: SongPlace?, most: Int) throws(SourceFault) -> SongPage<SongOrFolder> {
        let after = after ?? SongPlace(folder: span.first, song: 0)
        var rows: [SongOrFolder] = []
        var place = after
        if after.folder == span.first {
            try each(
                """
                SELECT \(Self.songColumns), s.rank FROM song_folder AS f JOIN song AS s ON s.folder = f.folder
                WHERE f.rank = ? AND s.rank > ? ORDER BY s.rank LIMIT ?
                """, [.int(span.first), .int(after.song), .int(most)]
            ) { row in
                rows.append(.song(Self.song(row)))
                place.song = row.int(8)
            }
        }
        try each(
            """
            SELECT f.path, f.rank, folder.changed FROM song_folder AS f LEFT JOIN folder ON folder.id = f.folder
            WHERE f.above = ? AND f.rank > ? ORDER BY f.rank LIMIT ?
            """,
            [.int(span.first), .int(after.folder), .int(most - rows.count)]
        ) { row in
            rows.append(Self.folder(row.text(0), row.int(2)))
            place = SongPlace(folder: row.int(1), song: 0)
        }
        return SongPage(rows: rows, next: rows.count < most ? nil : place)
    }

    // MARK: - Single songs

    func songOrFolder(atPath path: String) throws(SourceFault) -> SongOrFolder? {
        let folder = try first(
            "SELECT folder.changed FROM song_folder AS f LEFT JOIN folder ON folder.id = f.folder WHERE f.path = ?", [.text(path)]
        ) { Self.folder(path, $0.int(0)) }
        if let folder { return folder }
        if path.isEmpty { return .folder("", changed: nil) }
        return try songNumber(atPath: path).flatMap { number throws(SourceFault) in try song(number) }.map { .song($0) }
    }

    func song(_ number: Int64) throws(SourceFault) -> Song? {
        try first("SELECT \(Self.songColumns) FROM song AS s JOIN song_folder AS f ON f.folder = s.folder WHERE s.id = ?", [.int(number)]) {
            Self.song($0)
        }
    }

    /// A part of a file has one more name behind that of the file.
    func songNumber(atPath path: String) throws(SourceFault) -> Int64? {
        var end = path.endIndex
        for _ in 0..<2 {
            let cut = path[..<end].lastIndex(of: "/")
            let folder = cut.map { String(path[..<$0]) } ?? ""
            let name = cut.map { String(path[path.index(after: $0)...]) } ?? path
            let found = try first(
                "SELECT s.id FROM song_folder AS f JOIN song AS s ON s.folder = f.folder WHERE f.path = ? AND s.name = ?",
                [.text(folder), .text(name)]
            ) { $0.int64(0) }
            if let found { return found }
            guard let cut else { return nil }
            end = cut
        }
        return nil
    }

    func song(of item: ItemURI) throws(SourceFault) -> Song? {
        guard let name = Self.trackName(item) else { return nil }
        return try first(
            """
            SELECT \(Self.songColumns) FROM track JOIN song AS s ON s.id = track.id JOIN song_folder AS f ON f.folder = s.folder
            WHERE track.name = ?
            """, [.text(name)]
        ) { Self.song($0) }
    }

    func songComments(_ number: Int64) throws(SourceFault) -> [(name: String, value: String)] {
        let found = try first("SELECT lines, others FROM song JOIN song_text USING (id) WHERE id = ?", [.int(number)]) { row in
            Song(uri: "", lines: row.blob(0)).tags.map { (name: $0.name.rawValue, value: $0.value) }
                + [FileTags.Other](packed: row.blob(1)).map { (name: $0.name, value: $0.value) }
        }
        return found ?? []
    }
}
