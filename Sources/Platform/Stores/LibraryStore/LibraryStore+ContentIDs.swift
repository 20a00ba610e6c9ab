/// Content-based file ids: stored, computed, and looked up.
package import BatonCore
package import BatonSeams
import SQLite

extension LibraryStore: ContentIDStorage {
    package func namedTracks(after position: Int64, most: Int) throws(SourceFault) -> [NamedTrack] {
        try look { library throws(SourceFault) in try library.namedTracks(after: position, most: most) }
    }

    package func track(named id: ContentID) throws(SourceFault) -> ItemURI? {
        try look { library throws(SourceFault) in try library.track(named: id) }
    }

    package func trackNames(of uris: [ItemURI]) throws(SourceFault) -> [ItemURI: TrackName] {
        try look { library throws(SourceFault) in
            var names: [ItemURI: TrackName] = [:]
            for uri in uris { names[uri] = try library.trackName(of: uri) }
            return names
        }
    }

    package func contentIDCount() throws(SourceFault) -> Int {
        try look { library throws(SourceFault) in
            try library.first("SELECT count(hash) FROM content_id", []) { $0.int(0) } ?? 0
        }
    }

    package func unnamedFiles(after file: FileID?, most: Int) throws(SourceFault) -> [UnnamedFile] {
        try look { library throws(SourceFault) in try library.unnamedFiles(after: file, most: most) }
    }

    package func store(_ names: [(file: UnnamedFile, id: ContentID?)]) throws(SourceFault) -> [FileID] {
        try change { library throws(SourceFault) in
            var taken: [FileID] = []
            for name in names {
                if try !library.store(name.id, of: name.file) { taken.append(name.file.id) }
            }
            return taken
        }
    }
}

extension LibraryDatabase {
    /// A file with several tracks, for example from a cue sheet, identifies none of them; the id of an earlier content does not count.
    private static let named = """
        FROM track JOIN file ON file.id = track.file
        JOIN content_id ON content_id.file = file.id AND content_id.size = file.size AND content_id.changed_ns = file.changed_ns
        """
    private static let isWhole = """
        track.is_gone = 0 AND track.kind = 'track' AND content_id.hash IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM track AS other WHERE other.file = track.file AND other.part != track.part)
        """

    fileprivate func namedTracks(after position: Int64, most: Int) throws(SourceFault) -> [NamedTrack] {
        try all(
            """
            SELECT track.id, track.name, file.name, title, artists, album, duration_ms, is_away, content_id.hash \(Self.named)
            WHERE track.id > ? AND \(Self.isWhole) ORDER BY track.id LIMIT ?
            """, [.int(position), .int(max(0, most))]
        ) { row in
            var tags = Tags(title: row.text(3), artists: NameList.split(row.text(4)), durationMs: row.maybeTime(6))
            tags.album = row.text(5)
            return NamedTrack(
                position: row.int64(0), id: ContentID(hash: row.blob(8)), file: row.text(2),
                row: ItemRow(uri: ItemURI("lib:track/" + row.text(1)), tags: tags, isAway: row.flag(7)))
        }
    }

    fileprivate func track(named id: ContentID) throws(SourceFault) -> ItemURI? {
        try first("SELECT track.name \(Self.named) WHERE content_id.hash = ? AND \(Self.isWhole) LIMIT 1", [.blob(id.hash)]) {
            ItemURI("lib:track/" + $0.text(0))
        }
    }

    fileprivate func trackName(of uri: ItemURI) throws(SourceFault) -> TrackName? {
        let prefix = "lib:track/"
        guard uri.text.hasPrefix(prefix) else { return nil }
        return try first(
            "SELECT content_id.hash, file.name \(Self.named) WHERE track.name = ? AND \(Self.isWhole)",
            [.text(String(uri.text.dropFirst(prefix.count)))]
        ) { TrackName(id: ContentID(hash: $0.blob(0)), file: $0.text(1)) }
    }

    fileprivate func unnamedFiles(after file: FileID?, most: Int) throws(SourceFault) -> [UnnamedFile] {
        try all(
            """
            SELECT file.id, folder.path || '/' || file.name, file.size, file.changed_ns
            FROM file JOIN folder ON folder.id = file.folder LEFT JOIN content_id ON content_id.file = file.id
            WHERE file.id > ? AND is_gone = 0 AND file.problem IS NULL AND book IS NULL
            AND (content_id.file IS NULL OR content_id.size != file.size OR content_id.changed_ns != file.changed_ns)
            ORDER BY file.id LIMIT ?
            """, [.int(file?.number ?? 0), .int(max(0, most))]
        ) { UnnamedFile(id: FileID($0.int64(0)), path: $0.text(1), size: $0.int64(2), modifiedNs: $0.int64(3)) }
    }

    /// False if another file has this id.
    fileprivate func store(_ id: ContentID?, of file: UnnamedFile) throws(SourceFault) -> Bool {
        if let id {
            let owner = try first("SELECT file FROM content_id WHERE hash = ?", [.blob(id.hash)]) { $0.int64(0) }
            if let owner, owner != file.id.number { return false }
        }
        try run(
            "INSERT OR REPLACE INTO content_id (file, size, changed_ns, hash) VALUES (?, ?, ?, ?)",
            [.int(file.id.number), .int(file.size), .int(file.modifiedNs), id.map { .blob($0.hash) } ?? .null])
        return true
    }
}
