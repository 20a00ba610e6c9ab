/// Writes songs as tracks come and go.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// Writes the songs of a transaction, each once, and gives those of their folders their places.
    func writeSongs() throws(SourceFault) {
        var folders = Set<Int64>()
        for (id, row) in pending.songs.sorted(by: { $0.key < $1.key }) {
            if let row {
                if try write(row, of: id) { folders.insert(row.folder) }
            } else {
                try removeSong(id)
            }
        }
        pending.songs = [:]
        for folder in folders { try orderSongs(in: folder) }
    }

    /// Returns false for a song that is stored like this already.
    private func write(_ row: SongRow, of id: Int64) throws(SourceFault) -> Bool {
        try writeText(of: row, id)
        let isWritten = try run(
            """
            INSERT INTO song (id, folder, rank, name, track, changed, added, duration_ms, format, lines)
            VALUES (?1, ?2, 0, ?3, ?4, ?5, ifnull((SELECT added_ms / 1000 FROM track WHERE id = ?1), 0), ?6, ?7, ?8)
            ON CONFLICT (id) DO UPDATE SET folder = excluded.folder, rank = 0, name = excluded.name, track = excluded.track,
                changed = excluded.changed, duration_ms = excluded.duration_ms, format = excluded.format, lines = excluded.lines
            WHERE (song.folder, song.name, song.track, song.changed, song.lines)
                <> (excluded.folder, excluded.name, excluded.track, excluded.changed, excluded.lines)
                OR song.duration_ms IS NOT excluded.duration_ms OR song.format IS NOT excluded.format
            """,
            [
                .int(id), .int(row.folder), .text(row.name), .text(row.track), .int(row.changed), .time(row.durationMs), .maybe(row.format),
                .blob(row.lines),
            ])
        if isWritten > 0 { songChanges += 1 }
        return isWritten > 0
    }

    private func writeText(of row: SongRow, _ id: Int64) throws(SourceFault) {
        let others: Value = row.others.isEmpty ? .null : .blob(row.others.packed)
        let known = try first("SELECT folded FROM song_text WHERE id = ?", [.int(id)]) { $0.text(0) }
        guard known != row.folded else {
            try run("UPDATE song_text SET others = ?2 WHERE id = ?1 AND others IS NOT ?2", [.int(id), others])
            return
        }
        if let known { try unindex(id, known) }
        try run("INSERT OR REPLACE INTO song_text (id, folded, others) VALUES (?, ?, ?)", [.int(id), .text(row.folded), others])
        try run("INSERT INTO song_found (rowid, folded) VALUES (?, ?)", [.int(id), .text(row.folded)])
    }

    private func removeSong(_ id: Int64) throws(SourceFault) {
        songChanges += 1
        if let known = try first("SELECT folded FROM song_text WHERE id = ?", [.int(id)], as: { $0.text(0) }) { try unindex(id, known) }
        try run("DELETE FROM song_text WHERE id = ?", [.int(id)])
        try run("DELETE FROM song WHERE id = ?", [.int(id)])
    }

    /// FTS5 needs the old text to remove it from the index.
    private func unindex(_ id: Int64, _ folded: String) throws(SourceFault) {
        try run("INSERT INTO song_found (song_found, rowid, folded) VALUES ('delete', ?, ?)", [.int(id), .text(folded)])
    }

    private func orderSongs(in folder: Int64) throws(SourceFault) {
        let songs = try all("SELECT id, rank, name, lines FROM song WHERE folder = ? ORDER BY name", [.int(folder)]) { row in
            (id: row.int64(0), rank: row.int(1), order: SongOrder(name: row.text(2), lines: row.blob(3)))
        }
        for (place, song) in songs.sorted(by: { $0.order < $1.order }).enumerated() where song.rank != place + 1 {
            try run("UPDATE song SET rank = ? WHERE id = ?", [.int(place + 1), .int(song.id)])
        }
    }
}

extension [FileTags.Other] {
    var packed: [UInt8] {
        var packer = Packer()
        packer.put(flatMap { [$0.name, $0.value] })
        return packer.bytes
    }

    init(packed: [UInt8]) {
        var unpacker = Unpacker(packed)
        let texts = unpacker.texts() ?? []
        self = stride(from: 0, to: texts.count - 1, by: 2).map { FileTags.Other(texts[$0], texts[$0 + 1]) }
    }
}
