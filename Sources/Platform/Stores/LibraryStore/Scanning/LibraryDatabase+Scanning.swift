/// The course of a scan: its start, existing and missing files, and its end.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    // MARK: - A scan

    func beginScan(atMs: Milliseconds) throws(SourceFault) -> ScanID {
        let going = try first("SELECT id FROM scan WHERE ended_ms IS NULL ORDER BY id DESC LIMIT 1") { $0.int64(0) }
        let id: Int64
        if let going { id = going } else { id = try insert("INSERT INTO scan (began_ms) VALUES (?)", [.time(atMs)]) }
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
                stamp: FileStamp(size: row.int64(2), modifiedNs: row.int64(3), inode: UInt64(bitPattern: row.int64(4))),
                companions: row.int64(5), problem: row.maybeText(6))
        }
        return known
    }

    func knownFolders(in folder: String) throws(SourceFault) -> [String] {
        let span = Self.span(Self.tidy(folder))
        let paths = try all(
            """
            SELECT path FROM folder WHERE path > ? AND path < ? AND EXISTS (SELECT 1 FROM file WHERE file.folder = folder.id AND is_gone = 0)
            """, Array(span[1...])
        ) { $0.text(0) }
        guard case .text(let inside) = span[1] else { return [] }
        return paths.map { String($0.dropFirst(inside.count)) }.filter { !$0.contains("/") }
    }

    func endScan(_ scan: ScanID, below folders: [String], _ report: ScanReport, atMs: Milliseconds) throws(SourceFault) {
        seen.begin(scan)
        if try hasUnseen() { for path in folders { try loseUnseen(below: Self.tidy(path)) } }
        if libraryCounts.libraryRevision != revisionAtScan { try tidyUp() }
        pending.ordersSongFolders = true
        // Pending entries are written first, since relabelling reads them.
        try writePending()
        if labels.hasUnordered { try relabelAll() }
        try joinIndex()
        var report = report
        report.isDone = true
        if !folders.isEmpty { report.problems += try remarks(beside: report.problems) }
        // The report of a scan of single folders is not stored, since it would hide that of the last full scan.
        try run(
            "UPDATE scan SET ended_ms = ?, report = ? WHERE id = ?",
            [.time(atMs), folders.isEmpty ? .null : .blob(report.packed), .int(scan.number)])
        try run("DELETE FROM scan WHERE id <> ? AND id NOT IN (SELECT max(id) FROM scan WHERE report IS NOT NULL)", [.int(scan.number)])
        seen = SeenFiles()
        folderTimes = [:]
    }

    /// Deletes unused rows; there are some only after changes.
    private func tidyUp() throws(SourceFault) {
        try purge()
        try run(
            """
            DELETE FROM picture WHERE bytes IS NULL AND id NOT IN (SELECT picture FROM track WHERE picture IS NOT NULL)
                AND id NOT IN (SELECT picture FROM artist_picture WHERE picture IS NOT NULL)
            """)
    }

    /// Checks all files in one query; a query for each folder would take as long as the scan.
    private func hasUnseen() throws(SourceFault) -> Bool {
        var hasUnseen = false
        try each("SELECT id FROM file WHERE is_gone = 0") { row in if !seen.contains(FileID(row.int64(0))) { hasUnseen = true } }
        return hasUnseen
    }

    func lastReport() throws(SourceFault) -> ScanReport? {
        try first("SELECT report FROM scan WHERE report IS NOT NULL ORDER BY id DESC LIMIT 1") { ScanReport(packed: $0.blob(0)) } ?? nil
    }

    // MARK: - Files

    func store(_ files: [ScannedFile], in scan: ScanID, atMs: Milliseconds) throws(SourceFault) {
        seen.begin(scan)
        for file in files { _ = try store(file, atMs: atMs) }
        libraryCounts.libraryRevision += 1
    }

    /// `nil` for a file without sound of its own.
    func store(_ file: ScannedFile, atMs: Milliseconds) throws(SourceFault) -> FileRow? {
        let folder = try folder(Self.tidy(file.folder))
        let there = try occupant(of: folder, file.name)
        switch file.content {
        case .unreadable(let sentence):
            try store(unreadable: file, because: sentence, in: folder, there)
            return nil
        case .tracks(let facts, let fingerprint, let lyrics):
            let kept = try store(readable: file, fingerprint: fingerprint, lyrics: lyrics, in: folder, replacing: there)
            try store(facts, of: kept, file, atMs: atMs)
            return kept
        case .part(let fingerprint): return try store(readable: file, fingerprint: fingerprint, lyrics: nil, in: folder, replacing: there)
        case .book(let facts, let parts, let remark): return try store(book: facts, of: parts, remark: remark, atMs: atMs)
        }
    }

    /// Records the removal of a file, or of a folder with all below it.
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

    /// Marks a file's tracks as missing; they stay known while a mark or a playlist refers to them.
    func lose(_ file: FileID) throws(SourceFault) {
        try run("UPDATE file SET is_gone = 1 WHERE id = ?", [.int(file.number)])
        // An impossible time, so that the next scan reads the other files of the book again.
        try run(
            "UPDATE file SET changed_ns = -1 WHERE is_gone = 0 AND book = (SELECT book FROM file WHERE id = ?)", [.int(file.number)])
        for track in try tracks(of: file) { try detach(track) }
    }

    /// Deletes missing files whose tracks have no mark. A file that returns later gets the same name, since that is computed from the
    /// content.
    func purge() throws(SourceFault) {
        try writePending()
        let doomed = try all("SELECT id FROM file WHERE is_gone = 1") { $0.int64(0) }
        for file in doomed {
            let isMissed =
                try first(
                    """
                    SELECT 1 FROM track WHERE track.file = ? AND (item IS NOT NULL
                        OR EXISTS (SELECT 1 FROM file AS other WHERE other.book = track.id AND other.is_gone = 0)) LIMIT 1
                    """, [.int(file)]
                ) { _ in true } ?? false
            guard !isMissed else { continue }
            try run("DELETE FROM track WHERE file = ?", [.int(file)])
            try run("DELETE FROM file WHERE id = ?", [.int(file)])
        }
    }

    private func loseUnseen(below path: String) throws(SourceFault) {
        // In unreadable folders, unseen files may still exist.
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
