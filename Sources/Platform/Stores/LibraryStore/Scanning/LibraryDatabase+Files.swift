/// Finds the row of a scanned file: the one with its path, one of a file that was moved, or a new one.
import BatonCore
import BatonSeams
import Glibc
import SQLite

extension LibraryDatabase {
    struct KnownRow {
        var id: FileID
        var fingerprint: Fingerprint?
        var isGone: Bool
    }

    func occupant(of folder: Int64, _ name: String) throws(SourceFault) -> KnownRow? {
        try first("SELECT id, high, low, is_gone FROM file WHERE folder = ? AND name = ?", [.int(folder), .text(name)]) { row in
            KnownRow(
                id: FileID(row.int64(0)),
                fingerprint: row.isNull(1)
                    ? nil : Fingerprint(high: UInt64(bitPattern: row.int64(1)), low: UInt64(bitPattern: row.int64(2))),
                isGone: row.flag(3))
        }
    }

    /// The row for a readable file: the one with its path, the one that it had under another name, or a new one.
    func store(
        readable file: ScannedFile, fingerprint: Fingerprint, lyrics: Lyrics?, in folder: Int64, replacing there: KnownRow?
    ) throws(SourceFault) -> FileRow {
        let words: Value = lyrics.map { .blob($0.packed) } ?? .null
        guard let id = try place(of: fingerprint, there) else {
            let twin = try freeDuplicateNumber(of: fingerprint)
            let id = try insert(
                """
                INSERT INTO file (folder, name, size, changed_ns, inode, companions, high, low, lyrics, hash, twin)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?7, ?10)
                """,
                [.int(folder), .text(file.name)] + file.stampValues + [.high(fingerprint), .low(fingerprint), words, .int(twin)])
            seen.insert(FileID(id))
            return FileRow(id: FileID(id), folder: folder, hash: fingerprint.high, twin: twin)
        }
        let book = try first("SELECT book FROM file WHERE id = ?", [.int(id.number)]) { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
        // Detached before the row is updated, since the counts belong to the old folder.
        let tracks = try tracks(of: id)
        for track in tracks { try detach(track) }
        try run(
            """
            UPDATE file SET folder = ?, name = ?, size = ?, changed_ns = ?, inode = ?, companions = ?, problem = NULL,
                high = ?, low = ?, is_gone = 0, lyrics = ?, book = NULL WHERE id = ?
            """,
            [.int(folder), .text(file.name)] + file.stampValues + [.high(fingerprint), .low(fingerprint), words, .int(id.number)])
        let named = try first("SELECT hash, twin FROM file WHERE id = ?", [.int(id.number)]) { row in
            (hash: UInt64(bitPattern: row.int64(0)), twin: row.int(1))
        }
        seen.insert(id)
        return FileRow(
            id: id, folder: folder, hash: named?.hash ?? fingerprint.high, twin: named?.twin ?? 1, book: book, tracks: tracks)
    }

    /// The existing row for this content.
    private func place(of fingerprint: Fingerprint, _ there: KnownRow?) throws(SourceFault) -> FileID? {
        if let there, there.fingerprint == fingerprint { return there.id }
        if let moved = try moved(fingerprint, except: there?.id) {
            if let there { try displace(there.id) }
            return moved
        }
        guard let there else { return nil }
        // A missing file at this path was another file. An existing one was edited in place, or has become readable.
        if there.isGone {
            try displace(there.id)
            return nil
        }
        if there.fingerprint == nil {
            try run(
                "UPDATE file SET hash = ?, twin = ? WHERE id = ?",
                [.high(fingerprint), .int(freeDuplicateNumber(of: fingerprint)), .int(there.id.number)])
        }
        return there.id
    }

    /// Caps the candidates, so that 20,000 copies of one file do not cost O(n²).
    private static let mostTwins = 64

    /// A file with this content that is missing from its path.
    private func moved(_ fingerprint: Fingerprint, except: FileID?) throws(SourceFault) -> FileID? {
        let candidates = try all(
            """
            SELECT file.id, folder.path, file.name, is_gone, inode, size,
                EXISTS (SELECT 1 FROM track WHERE track.file = file.id AND is_away = 1)
            FROM file JOIN folder ON folder.id = file.folder WHERE high = ? AND low = ? ORDER BY file.id LIMIT \(Self.mostTwins)
            """, [.high(fingerprint), .low(fingerprint)]
        ) { row in
            (
                id: FileID(row.int64(0)), path: row.text(1) + "/" + row.text(2), isGone: row.flag(3), inode: row.int64(4),
                size: row.int64(5), isAway: row.flag(6)
            )
        }
        return candidates.first { file in
            guard file.id != except, !file.isAway else { return false }
            if file.isGone { return true }
            guard !seen.contains(file.id) else { return false }
            var status = stat()
            guard unsafe lstat(file.path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR }
            return Int64(bitPattern: UInt64(status.st_ino)) != file.inode || Int64(status.st_size) != file.size
        }?.id
    }

    /// Frees the path of a missing file, and keeps its row in case its content turns up elsewhere.
    private func displace(_ file: FileID) throws(SourceFault) {
        try lose(file)
        // A file name cannot contain a slash.
        try run("UPDATE file SET name = '/' || id WHERE id = ?", [.int(file.number)])
    }

    /// Tracks are named by content, so those of a second identical file get a number.
    private func freeDuplicateNumber(of fingerprint: Fingerprint) throws(SourceFault) -> Int {
        let last = try first("SELECT max(twin) FROM file WHERE hash = ?", [.high(fingerprint)]) { $0.maybeInt(0) } ?? nil
        return last.map { $0 + 1 } ?? 1
    }

    func store(unreadable file: ScannedFile, because sentence: String, in folder: Int64, _ there: KnownRow?) throws(SourceFault) {
        if let there {
            for track in try tracks(of: there.id) { try detach(track) }
            try run(
                "UPDATE file SET size = ?, changed_ns = ?, inode = ?, companions = ?, problem = ?, is_gone = 0, book = NULL WHERE id = ?",
                file.stampValues + [.text(sentence), .int(there.id.number)])
            seen.insert(there.id)
        } else {
            let id = try insert(
                "INSERT INTO file (folder, name, size, changed_ns, inode, companions, problem) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [.int(folder), .text(file.name)] + file.stampValues + [.text(sentence)])
            seen.insert(FileID(id))
        }
    }
}

extension ScannedFile {
    fileprivate var stampValues: [Database.Value] {
        [.int(stamp.size), .int(stamp.modifiedNs), .int(Int64(bitPattern: stamp.inode)), .int(companions)]
    }
}

extension Database.Value {
    fileprivate static func high(_ fingerprint: Fingerprint) -> Self { .int(Int64(bitPattern: fingerprint.high)) }
    fileprivate static func low(_ fingerprint: Fingerprint) -> Self { .int(Int64(bitPattern: fingerprint.low)) }
}
