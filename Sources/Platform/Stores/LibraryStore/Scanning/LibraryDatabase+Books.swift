/// Books of one or more files. The content of one file, the bearer, gives the book its name, as for a track.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// A book keeps its identity while one of its files exists, whichever is the bearer.
    func store(book facts: TrackFacts, of files: [ScannedFile], remark: String?, atMs: Milliseconds) throws(SourceFault) -> FileRow? {
        var parts: [(kept: FileRow, file: ScannedFile)] = []
        for file in files { if let kept = try store(file, atMs: atMs) { parts.append((kept, file)) } }
        guard let first = parts.first(where: { !$0.kept.tracks.isEmpty }) ?? parts.first else { return nil }
        var bearer = first
        for number in parts.compactMap(\.kept.book) {
            guard let known = try fileHoldingBook(number) else { continue }
            if let there = parts.first(where: { $0.kept.id == known.id }) {
                bearer = there
            } else {
                bearer.kept = try pass(known, to: first.kept)
            }
            break
        }
        try store([facts], of: bearer.kept, bearer.file, atMs: atMs)
        try run(
            "UPDATE track SET remark = ? WHERE file = ? AND part = 0", [.maybe(remark), .int(bearer.kept.id.number)])
        for part in parts {
            try run(
                "UPDATE file SET book = (SELECT id FROM track WHERE track.file = ? AND part = 0) WHERE id = ?",
                [.int(bearer.kept.id.number), .int(part.kept.id.number)])
        }
        return bearer.kept
    }

    private func fileHoldingBook(_ track: Int64) throws(SourceFault) -> FileRow? {
        let found = try first(
            "SELECT file.id, folder, hash, twin FROM track JOIN file ON file.id = track.file WHERE track.id = ? AND kind = 'book'",
            [.int(track)]
        ) { row in
            FileRow(id: FileID(row.int64(0)), folder: row.int64(1), hash: UInt64(bitPattern: row.int64(2)), twin: row.int(3))
        }
        guard var found else { return nil }
        found.tracks = try tracks(of: found.id)
        return found
    }

    /// Makes another file the bearer, because the old one is gone. Tracks are named by the content of their first file; to keep that true,
    /// the two files exchange names and tracks.
    private func pass(_ old: FileRow, to new: FileRow) throws(SourceFault) -> FileRow {
        for track in old.tracks { try detach(track) }
        let own = try tracks(of: new.id).map(\.id)
        try run("UPDATE file SET hash = NULL, twin = NULL WHERE id = ?", [.int(new.id.number)])
        for (file, named) in [(old, new), (new, old)] {
            try run(
                "UPDATE file SET hash = ?, twin = ? WHERE id = ?",
                [.int(Int64(bitPattern: named.hash)), .int(named.twin), .int(file.id.number)])
        }
        try run("UPDATE track SET file = ? WHERE file = ?", [.int(new.id.number), .int(old.id.number)])
        for track in own { try run("UPDATE track SET file = ? WHERE id = ?", [.int(old.id.number), .int(track)]) }
        return FileRow(id: new.id, folder: new.folder, hash: old.hash, twin: old.twin, tracks: old.tracks)
    }

    /// Remarks about existing books, as many as fit into a report.
    func remarks(beside problems: [String]) throws(SourceFault) -> [String] {
        let room = max(0, ScanReport.mostProblems - problems.count)
        return try all(
            "SELECT remark FROM track WHERE remark IS NOT NULL AND is_gone = 0 ORDER BY id LIMIT ?", [.int(ScanReport.mostProblems)]
        ) { $0.text(0) }.filter { !problems.contains($0) }.prefix(room).map(\.self)
    }
}
