/// Recently deleted playlists. They are stored whole, so that they can be restored.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    /// Number of deleted playlists that are stored; the same number of edits of one list can be undone.
    static let mostDeletedPlaylists = 20

    private static let columns =
        "hash, owner, name, fold, revision, next_entry, entries, duration_ms, changed_ms, ord, rule, sharing, link, about, made_ms"

    func isTaken(_ hash: Int64) throws(SourceFault) -> Bool {
        try first(
            "SELECT 1 FROM playlist WHERE hash = ?1 UNION ALL SELECT 1 FROM deleted_playlist WHERE hash = ?1", [.int(hash)],
            as: { _ in true }
        ) != nil
    }

    func deletePlaylist(_ id: PlaylistID) throws(SourceFault) -> PlaylistOutcome {
        guard let number = try existing(id) else { return PlaylistOutcome(id: id, revision: 0, isNoop: true) }
        let deleted = try insert(
            "INSERT INTO deleted_playlist (\(Self.columns)) SELECT \(Self.columns) FROM playlist WHERE id = ?", [.int(number)])
        try renumber(number, as: -deleted)
        try run("DELETE FROM playlist WHERE id = ?", [.int(number)])
        try forgetOldest()
        pending.searchEntries[SearchEntryKey(.playlist, number)] = .some(nil)
        libraryCounts.playlists -= 1
        libraryCounts.playlistRevision += 1
        return PlaylistOutcome(id: id, revision: try revision(of: deleted))
    }

    func restorePlaylist(_ id: PlaylistID) throws(SourceFault) -> PlaylistOutcome {
        if let number = try existing(id) {
            return PlaylistOutcome(id: id, revision: try playlist(number).list.revision, isNoop: true)
        }
        guard let hash = Int64(id.text, radix: 36),
            let deleted = try first("SELECT n FROM deleted_playlist WHERE hash = ?", [.int(hash)], as: { $0.int64(0) })
        else {
            throw SourceFault(
                .notFound, "The playlist \(id) cannot be restored: the hub keeps the last \(Self.mostDeletedPlaylists) deleted ones only.")
        }
        let number = try insert(
            "INSERT INTO playlist (\(Self.columns)) SELECT \(Self.columns) FROM deleted_playlist WHERE n = ?", [.int(deleted)])
        try renumber(-deleted, as: number)
        try run("DELETE FROM deleted_playlist WHERE n = ?", [.int(deleted)])
        let kept = try playlist(number)
        try show(playlist: number, called: kept.name)
        libraryCounts.playlists += 1
        libraryCounts.playlistRevision += 1
        return PlaylistOutcome(id: id, revision: kept.list.revision)
    }

    private func renumber(_ old: Int64, as new: Int64) throws(SourceFault) {
        for table in ["playlist_entry", "playlist_edit"] {
            try run("UPDATE \(table) SET playlist = ? WHERE playlist = ?", [.int(new), .int(old)])
        }
    }

    private func revision(of deleted: Int64) throws(SourceFault) -> Int {
        try first("SELECT revision FROM deleted_playlist WHERE n = ?", [.int(deleted)]) { $0.int(0) } ?? 0
    }

    private func forgetOldest() throws(SourceFault) {
        let oldest = try all(
            "SELECT n FROM deleted_playlist ORDER BY n DESC LIMIT -1 OFFSET ?", [.int(Self.mostDeletedPlaylists)]
        ) { $0.int64(0) }
        for deleted in oldest {
            let items = try all("SELECT item FROM playlist_entry WHERE playlist = ?", [.int(-deleted)]) { $0.int64(0) }
            for table in ["playlist_entry", "playlist_edit"] { try run("DELETE FROM \(table) WHERE playlist = ?", [.int(-deleted)]) }
            try run("DELETE FROM deleted_playlist WHERE n = ?", [.int(deleted)])
            try release(Set(items))
        }
    }
}
