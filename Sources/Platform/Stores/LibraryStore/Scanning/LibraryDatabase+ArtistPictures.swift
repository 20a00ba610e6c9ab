/// Pictures of artists, from files in their folders.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    func artistPictures() throws(SourceFault) -> [String: FileStamp] {
        let rows = try all("SELECT path, size, changed_ns, inode FROM artist_picture") { row in
            (path: row.text(0), stamp: FileStamp(size: row.int64(1), modifiedNs: row.int64(2), inode: UInt64(bitPattern: row.int64(3))))
        }
        return Dictionary(rows.map { ($0.path, $0.stamp) }, uniquingKeysWith: { first, _ in first })
    }

    func setArtistPictures(_ read: [ScannedArtistPicture], gone: [String]) throws(SourceFault) {
        for path in gone { try run("DELETE FROM artist_picture WHERE path = ?", [.text(path)]) }
        for picture in read {
            let folder = Self.parent(of: picture.path) ?? "/"
            let name = folder.split(separator: "/").last.map(String.init) ?? ""
            var number: Int64?
            if let art = picture.art { number = try storePicture(art, path: .text(picture.path)) }
            try run(
                "INSERT OR REPLACE INTO artist_picture (path, size, changed_ns, inode, key, picture) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .text(picture.path), .int(picture.stamp.size), .int(picture.stamp.modifiedNs),
                    .int(Int64(bitPattern: picture.stamp.inode)), .text(Self.key(name)), number.map { .int($0) } ?? .null,
                ])
        }
        // New artists of this transaction get their rows first.
        try writePending()
        try giveArtistsTheirPictures()
    }

    private func giveArtistsTheirPictures() throws(SourceFault) {
        let files = try all(
            """
            SELECT holder.id, artist_picture.picture, path FROM artist_picture
            JOIN holder ON holder.kind = 'artist' AND holder.key = artist_picture.key
            WHERE artist_picture.picture IS NOT NULL ORDER BY path
            """
        ) { (artist: $0.int64(0), picture: $0.int64(1), path: $0.text(2)) }
        var chosen: [Int64: Int64] = [:]
        for file in files where chosen[file.artist] == nil {
            guard let folder = Self.parent(of: file.path), try hasMusic(of: file.artist, in: folder) else { continue }
            chosen[file.artist] = file.picture
        }
        let before = try all("SELECT id, picture FROM holder WHERE kind = 'artist' AND picture IS NOT NULL") { ($0.int64(0), $0.int64(1)) }
        var changes = chosen.mapValues { Value.int($0) }
        for (artist, picture) in before {
            if chosen[artist] == picture { changes[artist] = nil } else if chosen[artist] == nil { changes[artist] = .null }
        }
        guard !changes.isEmpty else { return }
        for (artist, picture) in changes { try run("UPDATE holder SET picture = ? WHERE id = ?", [picture, .int(artist)]) }
        libraryCounts.libraryRevision += 1
    }

    private func hasMusic(of artist: Int64, in folder: String) throws(SourceFault) -> Bool {
        try first(
            """
            SELECT 1 FROM member JOIN track ON track.id = member.track JOIN file ON file.id = track.file
            JOIN folder ON folder.id = file.folder
            WHERE member.holder = ? AND (folder.path = ? OR (folder.path > ? AND folder.path < ?)) LIMIT 1
            """, [.int(artist)] + Self.span(folder)
        ) { _ in true } ?? false
    }
}
