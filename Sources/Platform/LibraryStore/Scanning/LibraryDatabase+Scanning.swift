/// What a scan tells the library: what was seen, what was read, and what is gone.
import BatonCore
import BatonSeams
import Glibc
import SQLite

/// Which files a scan has seen. Only in memory: a scan that a crash cut short looks at every folder
/// again when it goes on, and a rescan in which nothing changed then writes nothing.
struct SeenFiles {
    var scan: ScanID?
    private var bits: [UInt64] = []

    mutating func begin(_ scan: ScanID) {
        guard self.scan != scan else { return }
        self.scan = scan
        bits = []
    }

    mutating func insert(_ file: FileID) {
        let word = Int(file.number >> 6)
        if word >= bits.count { bits += Array(repeating: 0, count: word + 64 - bits.count) }
        bits[word] |= 1 << UInt64(file.number & 63)
    }

    func contains(_ file: FileID) -> Bool {
        let word = Int(file.number >> 6)
        return word < bits.count && bits[word] & (1 << UInt64(file.number & 63)) != 0
    }
}

extension LibraryDatabase {
    // MARK: - A scan

    func beginScan(atMs: Int64) throws(SourceFault) -> ScanID {
        let going = try first("SELECT id FROM scan WHERE ended_ms IS NULL ORDER BY id DESC LIMIT 1") { $0.int64(0) }
        let id: Int64
        if let going { id = going } else { id = try insert("INSERT INTO scan (began_ms) VALUES (?)", [.int(atMs)]) }
        seen = SeenFiles()
        seen.begin(ScanID(id))
        revisionAtScan = libraryCounts.libraryRevision
        return ScanID(id)
    }

    func known(in folder: String) throws(SourceFault) -> [String: KnownFile] {
        guard let id = try existingFolder(folder) else { return [:] }
        var known: [String: KnownFile] = [:]
        try each(
            "SELECT name, id, size, changed_ns, inode, companions, problem FROM file WHERE folder = ? AND is_gone = 0", [.int(id)]
        ) { row in
            known[row.text(0)] = KnownFile(
                id: FileID(row.int64(1)),
                stamp: FileStamp(size: row.int64(2), changedNs: row.int64(3), inode: UInt64(bitPattern: row.int64(4))),
                companions: row.int64(5), problem: row.maybeText(6))
        }
        return known
    }

    func endScan(_ scan: ScanID, below folders: [String], _ report: ScanReport, atMs: Int64) throws(SourceFault) {
        seen.begin(scan)
        if try hasUnseen() { for path in folders { try loseUnseen(below: Self.tidy(path)) } }
        if libraryCounts.libraryRevision != revisionAtScan { try tidyUp() }
        // What is still to be told is written first, since laying out anew reads it.
        try writePending()
        if labels.isCrowded { try layOutAnew() }
        try joinIndex()
        var report = report
        report.isDone = true
        // Of a look at single folders nobody asks how it went.
        try run(
            "UPDATE scan SET ended_ms = ?, report = ? WHERE id = ?",
            [.int(atMs), folders.isEmpty ? .null : .blob(report.packed), .int(scan.number)])
        try run("DELETE FROM scan WHERE id <> ? AND id NOT IN (SELECT max(id) FROM scan WHERE report IS NOT NULL)", [.int(scan.number)])
        seen = SeenFiles()
    }

    /// What nobody misses; there is some only when something changed.
    private func tidyUp() throws(SourceFault) {
        try purge()
        try run("DELETE FROM picture WHERE bytes IS NULL AND id NOT IN (SELECT picture FROM track WHERE picture IS NOT NULL)")
    }

    /// One look at all of them, where a question for each folder would take as long as the scan.
    private func hasUnseen() throws(SourceFault) -> Bool {
        var hasUnseen = false
        try each("SELECT id FROM file WHERE is_gone = 0") { row in if !seen.contains(FileID(row.int64(0))) { hasUnseen = true } }
        return hasUnseen
    }

    func lastReport() throws(SourceFault) -> ScanReport? {
        try first("SELECT report FROM scan WHERE report IS NOT NULL ORDER BY id DESC LIMIT 1") { ScanReport(packed: $0.blob(0)) } ?? nil
    }

    // MARK: - Files

    func keep(_ files: [ScannedFile], in scan: ScanID, atMs: Int64) throws(SourceFault) {
        seen.begin(scan)
        for file in files {
            let folder = try folder(Self.tidy(file.folder))
            let there = try occupant(of: folder, file.name)
            switch file.content {
            case .unreadable(let sentence): try keep(unreadable: file, because: sentence, in: folder, there)
            case .tracks(let facts, let fingerprint, let lyrics):
                let kept = try keep(readable: file, fingerprint, lyrics, in: folder, there)
                seen.insert(kept.id)
                try keep(facts, of: kept, file, atMs: atMs)
            }
        }
        libraryCounts.libraryRevision += 1
    }

    /// After an event: a file, or a folder with all below it.
    func noteGone(_ path: String) throws(SourceFault) {
        let path = Self.tidy(path)
        var lost = try all(
            """
            SELECT file.id FROM file JOIN folder ON folder.id = file.folder
            WHERE is_gone = 0 AND (folder.path = ? OR (folder.path > ? AND folder.path < ?))
            """, Self.span(path)
        ) { FileID($0.int64(0)) }
        if let above = Self.parent(of: path), let folder = try existingFolder(above) {
            let name = String(path.dropFirst(above == "/" ? 1 : above.utf8.count + 1))
            if let file = try occupant(of: folder, name), !file.isGone { lost.append(file.id) }
        }
        guard !lost.isEmpty else { return }
        for file in lost { try lose(file) }
        libraryCounts.libraryRevision += 1
    }

    /// Its tracks are gone, but stay known for as long as somebody may miss them.
    func lose(_ file: FileID) throws(SourceFault) {
        try run("UPDATE file SET is_gone = 1 WHERE id = ?", [.int(file.number)])
        for track in try tracks(of: file) { try detach(track) }
    }

    /// Deletes what is gone and means nothing to anybody. What is deleted and comes back has the same
    /// name as before, since the name is made of the content.
    func purge() throws(SourceFault) {
        try writePending()
        let doomed = try all("SELECT id FROM file WHERE is_gone = 1") { $0.int64(0) }
        for file in doomed {
            let isMissed =
                try first(
                    "SELECT 1 FROM track WHERE file = ? AND item IS NOT NULL LIMIT 1", [.int(file)]
                ) { _ in true } ?? false
            guard !isMissed else { continue }
            try run("DELETE FROM track WHERE file = ?", [.int(file)])
            try run("DELETE FROM file WHERE id = ?", [.int(file)])
        }
    }

    private func loseUnseen(below path: String) throws(SourceFault) {
        // Where something could not be read, not having been seen means nothing.
        let unread = try all("SELECT path FROM folder WHERE problem IS NOT NULL") { $0.text(0) }
        var lost: [FileID] = []
        var folders: [(Int64, String)] = []
        try each("SELECT id, path FROM folder WHERE path = ? OR (path > ? AND path < ?)", Self.span(path)) { row in
            folders.append((row.int64(0), row.text(1)))
        }
        for (id, path) in folders where !unread.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) {
            lost += try all("SELECT id FROM file WHERE folder = ? AND is_gone = 0", [.int(id)]) { FileID($0.int64(0)) }
                .filter { !seen.contains($0) }
        }
        guard !lost.isEmpty else { return }
        for file in lost { try lose(file) }
        libraryCounts.libraryRevision += 1
    }
}

// MARK: - Which file it is

extension LibraryDatabase {
    struct Occupant {
        var id: FileID
        var fingerprint: Fingerprint?
        var isGone: Bool
    }

    private func occupant(of folder: Int64, _ name: String) throws(SourceFault) -> Occupant? {
        try first("SELECT id, high, low, is_gone FROM file WHERE folder = ? AND name = ?", [.int(folder), .text(name)]) { row in
            Occupant(
                id: FileID(row.int64(0)),
                fingerprint: row.isNull(1)
                    ? nil : Fingerprint(high: UInt64(bitPattern: row.int64(1)), low: UInt64(bitPattern: row.int64(2))),
                isGone: row.flag(3))
        }
    }

    /// The row for a file that was read: the one at its place, the one it was under another name, or
    /// a new one.
    private func keep(
        readable file: ScannedFile, _ fingerprint: Fingerprint, _ lyrics: Lyrics?, in folder: Int64, _ there: Occupant?
    ) throws(SourceFault) -> KeptFile {
        let words: Value = lyrics.map { .blob($0.packed) } ?? .null
        guard let id = try place(of: fingerprint, there) else {
            let twin = try freeTwin(of: fingerprint)
            let id = try insert(
                """
                INSERT INTO file (folder, name, size, changed_ns, inode, companions, high, low, lyrics, hash, twin)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?7, ?10)
                """,
                [.int(folder), .text(file.name)] + file.stampValues + [.high(fingerprint), .low(fingerprint), words, .int(twin)])
            return KeptFile(id: FileID(id), folder: folder, hash: fingerprint.high, twin: twin)
        }
        // As long as they count where they were.
        let tracks = try tracks(of: id)
        for track in tracks { try detach(track) }
        try run(
            """
            UPDATE file SET folder = ?, name = ?, size = ?, changed_ns = ?, inode = ?, companions = ?, problem = NULL,
                high = ?, low = ?, is_gone = 0, lyrics = ? WHERE id = ?
            """,
            [.int(folder), .text(file.name)] + file.stampValues + [.high(fingerprint), .low(fingerprint), words, .int(id.number)])
        let named = try first("SELECT hash, twin FROM file WHERE id = ?", [.int(id.number)]) { row in
            (hash: UInt64(bitPattern: row.int64(0)), twin: row.int(1))
        }
        return KeptFile(id: id, folder: folder, hash: named?.hash ?? fingerprint.high, twin: named?.twin ?? 1, tracks: tracks)
    }

    /// The row of what is known already.
    private func place(of fingerprint: Fingerprint, _ there: Occupant?) throws(SourceFault) -> FileID? {
        if let there, there.fingerprint == fingerprint { return there.id }
        if let moved = try moved(fingerprint, except: there?.id) {
            if let there { try displace(there.id) }
            return moved
        }
        guard let there else { return nil }
        // What is gone was something else. What is there was changed in place, or read at last.
        if there.isGone {
            try displace(there.id)
            return nil
        }
        if there.fingerprint == nil {
            try run(
                "UPDATE file SET hash = ?, twin = ? WHERE id = ?",
                [.high(fingerprint), .int(freeTwin(of: fingerprint)), .int(there.id.number)])
        }
        return there.id
    }

    /// Of so many copies nobody misses which one was moved, and to look at all of them for each is to look for ever.
    private static let mostTwins = 64

    /// A file with this content that is not where it was.
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

    /// Makes room at its place. Where its content turns up again, so does it.
    private func displace(_ file: FileID) throws(SourceFault) {
        try lose(file)
        // A name that no file can have.
        try run("UPDATE file SET name = '/' || id WHERE id = ?", [.int(file.number)])
    }

    /// Tracks are called by the content: those of the second file with the same one, with a number.
    private func freeTwin(of fingerprint: Fingerprint) throws(SourceFault) -> Int {
        let last = try first("SELECT max(twin) FROM file WHERE hash = ?", [.high(fingerprint)]) { $0.maybeInt(0) } ?? nil
        return last.map { $0 + 1 } ?? 1
    }

    private func keep(unreadable file: ScannedFile, because sentence: String, in folder: Int64, _ there: Occupant?) throws(SourceFault) {
        if let there {
            for track in try tracks(of: there.id) { try detach(track) }
            try run(
                "UPDATE file SET size = ?, changed_ns = ?, inode = ?, companions = ?, problem = ?, is_gone = 0 WHERE id = ?",
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
        [.int(stamp.size), .int(stamp.changedNs), .int(Int64(bitPattern: stamp.inode)), .int(companions)]
    }
}

extension Database.Value {
    fileprivate static func high(_ fingerprint: Fingerprint) -> Self { .int(Int64(bitPattern: fingerprint.high)) }
    fileprivate static func low(_ fingerprint: Fingerprint) -> Self { .int(Int64(bitPattern: fingerprint.low)) }
}
