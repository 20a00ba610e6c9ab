/// Playlists that come from files in the library's folders.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    func playlistFiles() throws(SourceFault) -> [String: KnownPlaylistFile] {
        let rows = try all("SELECT size, changed_ns, inode, is_partial, path FROM playlist_file") { row in
            (path: row.text(4), file: KnownPlaylistFile(stamp: Self.stamp(row), isPartial: row.flag(3)))
        }
        return Dictionary(rows.map { ($0.path, $0.file) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds or updates the list of a file. A list that a person has deleted returns only when its file changes.
    func store(_ scanned: ScannedPlaylist, at now: Moment) throws(SourceFault) {
        let before = try first("SELECT size, changed_ns, inode, hash FROM playlist_file WHERE path = ?", [.text(scanned.path)]) {
            (stamp: Self.stamp($0), hash: $0.int64(3))
        }
        let isThere = try before.map { before throws(SourceFault) in
            try first("SELECT 1 FROM playlist WHERE hash = ?", [.int(before.hash)]) { _ in true } ?? false
        }
        var id = before.map { PlaylistID(Self.short(UInt64($0.hash))) }
        if let known = id, isThere == true {
            try fill(known, with: scanned.entries, at: now)
        } else if before?.stamp != scanned.stamp {
            id = try createPlaylist(scanned.name, scanned.entries, rule: nil, at: now).id
        }
        let hash = id.flatMap { Int64($0.text, radix: 36) } ?? 0
        try run(
            """
            INSERT INTO playlist_file (path, size, changed_ns, inode, is_partial, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (path) DO UPDATE SET size = ?2, changed_ns = ?3, inode = ?4, is_partial = ?5, hash = ?6
            """,
            [
                .text(scanned.path), .int(scanned.stamp.size), .int(scanned.stamp.modifiedNs), .int(Int64(bitPattern: scanned.stamp.inode)),
                .int(scanned.isPartial ? 1 : 0), .int(hash),
            ])
    }

    /// The stamp in a row that begins with size, time and inode.
    private static func stamp(_ row: Row) -> FileStamp {
        FileStamp(size: row.int64(0), modifiedNs: row.int64(1), inode: UInt64(bitPattern: row.int64(2)))
    }

    /// Fills the list as one edit, which can be undone.
    private func fill(_ id: PlaylistID, with entries: [NewEntry], at now: Moment) throws(SourceFault) {
        let there = try page(of: id, from: 0, count: PlaybackQueue.limit).entries
        guard there.map(\.row.uri) != entries.map(\.uri) else { return }
        var edits: [PlaylistEdit] = there.isEmpty ? [] : [.remove(there.map(\.id))]
        if !entries.isEmpty { edits.append(.add(entries, at: .end)) }
        _ = try editPlaylist(id, base: nil, edits, at: now)
    }

    func forgetPlaylistFiles(_ paths: [String]) throws(SourceFault) {
        for path in paths {
            let hash = try first("SELECT hash FROM playlist_file WHERE path = ?", [.text(path)]) { $0.int64(0) }
            if let hash, hash > 0 { _ = try deletePlaylist(PlaylistID(Self.short(UInt64(hash)))) }
            try run("DELETE FROM playlist_file WHERE path = ?", [.text(path)])
        }
    }
}
