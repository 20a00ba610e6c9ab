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

    /// The columns that `song` and `folder` read, of `s` and its folder `f`.
    static let songColumns = "s.name, s.track, s.changed, s.added, s.format, s.duration_ms, s.lines, f.path"
    /// Number of rows for which a page of a list has room at once.
    static let usualPage = 512

    static func song(_ row: Row) -> Song { song(row, in: folder(row)) }

    /// The same for a song whose folder is that of the row before, whose path is not read again.
    static func song(_ row: Row, in folder: [UInt8]) -> Song { ReadSong(row: row, folder: folder).song }

    /// The beginning of the paths of a folder's songs.
    static func folder(_ row: Row) -> [UInt8] {
        var path: [UInt8] = []
        row.append(7, to: &path)
        if !path.isEmpty { path.append(UInt8(ascii: "/")) }
        return path
    }

    private static func time(_ changed: Int) -> Int? { changed > 0 ? changed : nil }

    // MARK: - Lists

    func songTree(
        _ span: SongSpan, after: SongPlace?, most: Int, _ take: (LentRow) -> Void
    ) throws(SourceFault) -> SongPlace? {
        let after = after ?? SongPlace(folder: span.first, song: 0)
        var place = after
        var count = 0
        var folder: [UInt8]?
        try each(
            """
            SELECT \(Self.songColumns), f.rank, s.rank, folder.changed FROM song_folder AS f
            LEFT JOIN folder ON folder.id = f.folder LEFT JOIN song AS s ON s.folder = f.folder
            WHERE f.rank >= ?1 AND f.rank <= ?2 AND (f.rank > ?1 OR s.rank > ?3) ORDER BY f.rank, s.rank LIMIT ?4
            """, [.int(after.folder), .int(span.last), .int(after.song), .int(most)]
        ) { row in
            let next = SongPlace(folder: row.int(8), song: row.int(9))
            if next.folder != place.folder {
                take(.folder(row.text(7), changed: Self.time(row.int(10))))
                folder = nil
            }
            if next.song > 0 {
                let path = folder ?? Self.folder(row)
                take(.song(ReadSong(row: row, folder: path)))
                folder = path
            }
            place = next
            count += 1
        }
        return count < most ? nil : place
    }

    /// The place of the last of so many rows of `songTree`. Only indices are read.
    func place(in span: SongSpan, after: SongPlace?, skipping rows: Int) throws(SourceFault) -> SongPlace? {
        let after = after ?? SongPlace(folder: span.first, song: 0)
        return try first(
            """
            SELECT f.rank, s.rank FROM song_folder AS f LEFT JOIN song AS s ON s.folder = f.folder
            WHERE f.rank >= ?1 AND f.rank <= ?2 AND (f.rank > ?1 OR s.rank > ?3) ORDER BY f.rank, s.rank LIMIT 1 OFFSET ?4
            """, [.int(after.folder), .int(span.last), .int(after.song), .int(rows - 1)]
        ) { SongPlace(folder: $0.int(0), song: $0.int(1)) }
    }

    /// Songs come first, so a place with a folder other than this one is that of a folder.
    func songFolder(
        _ span: SongSpan, after: SongPlace?, most: Int, _ take: (LentRow) -> Void
    ) throws(SourceFault) -> SongPlace? {
        let after = after ?? SongPlace(folder: span.first, song: 0)
        var place = after
        var count = 0
        var folder: [UInt8]?
        if after.folder == span.first {
            try each(
                """
                SELECT \(Self.songColumns), s.rank FROM song_folder AS f JOIN song AS s ON s.folder = f.folder
                WHERE f.rank = ? AND s.rank > ? ORDER BY s.rank LIMIT ?
                """, [.int(span.first), .int(after.song), .int(most)]
            ) { row in
                let path = folder ?? Self.folder(row)
                take(.song(ReadSong(row: row, folder: path)))
                folder = path
                place.song = row.int(8)
                count += 1
            }
        }
        try each(
            """
            SELECT f.path, f.rank, folder.changed FROM song_folder AS f LEFT JOIN folder ON folder.id = f.folder
            WHERE f.above = ? AND f.rank > ? ORDER BY f.rank LIMIT ?
            """,
            [.int(span.first), .int(after.folder), .int(most - count)]
        ) { row in
            take(.folder(row.text(0), changed: Self.time(row.int(2))))
            place = SongPlace(folder: row.int(1), song: 0)
            count += 1
        }
        return count < most ? nil : place
    }

    // MARK: - Single songs

    func songOrFolder(atPath path: String) throws(SourceFault) -> SongOrFolder? {
        let folder = try first(
            "SELECT folder.changed FROM song_folder AS f LEFT JOIN folder ON folder.id = f.folder WHERE f.path = ?", [.text(path)]
        ) { SongOrFolder.folder(path, changed: Self.time($0.int(0))) }
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

/// A song in the current row of `songColumns`.
private struct ReadSong: LentSong {
    let row: Row
    /// The beginning of its path.
    let folder: [UInt8]

    private static let itemBeginning = Array("lib:track/".utf8)
    /// Bytes of an item and of a format.
    private static let otherBytes = 64

    var changed: Int? { row.int(2) }
    var durationMs: Int? { row.maybeInt(5) }

    func addURI(to bytes: inout [UInt8]) {
        bytes += folder
        row.append(0, to: &bytes)
    }

    func addFormat(to bytes: inout [UInt8]) { row.append(4, to: &bytes) }

    func addLines(to bytes: inout [UInt8]) { row.append(6, to: &bytes) }

    var song: Song {
        var texts: [UInt8] = []
        texts.reserveCapacity(folder.count + row.byteCount(0) + row.byteCount(6) + Self.otherBytes)
        addURI(to: &texts)
        let uri = texts.count
        texts += Self.itemBeginning
        row.append(1, to: &texts)
        let item = texts.count
        addFormat(to: &texts)
        let format = texts.count
        addLines(to: &texts)
        return Song(
            texts: texts, ends: .init(uri: uri, item: item, format: format), changed: changed, added: row.int(3), durationMs: durationMs)
    }
}
