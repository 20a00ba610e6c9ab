/// Kept tracks and the reasons for keeping them: the rows of `kept.db`.
package import BatonCore
package import BatonSeams
import Glibc
import SQLite

extension KeptStore {
    package func contents() throws(SourceFault) -> KeptContents {
        let (wishes, rows, limit) = try database.wait { kept throws(SourceFault) in
            (try Self.wishes(in: kept), try Self.rows(in: kept), try Self.limit(in: kept))
        }
        var tracks: [KeptContents.Track] = []
        var found: [ItemURI: Copy] = [:]
        var files: Set<String> = []
        for row in rows {
            let copy = verified(row)
            if let copy { found[row.uri] = copy }
            if let file = copy?.file { files.insert(file) } else { files.insert(key(row.uri) + Self.partEnding) }
            tracks.append(KeptContents.Track(row.uri, title: row.title, bytes: copy?.stamp.size, hasLeft: row.hasLeft))
        }
        copies.withLock { $0 = found }
        // A database that was set aside may name the other files.
        if notices.isEmpty { removeOthers(than: files) }
        return KeptContents(wishes: wishes, tracks: tracks, limit: limit)
    }

    package func put(
        _ wish: KeptContents.Wish, _ tracks: [KeptContents.Track], dropping dropped: [ItemURI]
    ) throws(SourceFault) {
        try database.wait { kept throws(SourceFault) in
            try kept.change { () throws(SourceFault) in
                try kept.run(
                    """
                    INSERT INTO wish (name, count, title, kind) VALUES (?, ?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET count = excluded.count, title = excluded.title, kind = excluded.kind
                    """,
                    [
                        .text(wish.wish.name), wish.wish.count.map { .int($0) } ?? .null, .text(wish.title),
                        wish.kind.map { .text($0.rawValue) } ?? .null,
                    ])
                let id = try Self.id(of: wish.wish, in: kept)
                try kept.run("DELETE FROM member WHERE wish = ?", [.int(id)])
                for (place, uri) in wish.members.enumerated() {
                    try kept.run("INSERT INTO member VALUES (?, ?, ?)", [.int(id), .int(place), .text(uri.text)])
                }
                for track in tracks {
                    try kept.run(
                        """
                        INSERT INTO track (uri, title, has_left) VALUES (?, ?, ?)
                        ON CONFLICT (uri) DO UPDATE SET title = excluded.title, has_left = excluded.has_left
                        """, [.text(track.uri.text), .text(track.title), .flag(track.hasLeft)])
                }
                for uri in dropped { try kept.run("DELETE FROM track WHERE uri = ?", [.text(uri.text)]) }
            }
        }
        removeFiles(of: dropped)
    }

    package func remove(_ wish: KeepWish, dropping dropped: [ItemURI]) throws(SourceFault) {
        try database.wait { kept throws(SourceFault) in
            try kept.change { () throws(SourceFault) in
                let id = try Self.id(of: wish, in: kept)
                try kept.run("DELETE FROM member WHERE wish = ?", [.int(id)])
                try kept.run("DELETE FROM wish WHERE id = ?", [.int(id)])
                for uri in dropped { try kept.run("DELETE FROM track WHERE uri = ?", [.text(uri.text)]) }
            }
        }
        removeFiles(of: dropped)
    }

    package func setLimit(_ bytes: Int64) throws(SourceFault) {
        _ = try database.wait { kept throws(SourceFault) in
            try kept.run("INSERT OR REPLACE INTO setting VALUES ('limit', ?)", [.int(bytes)])
        }
    }

    private func removeFiles(of uris: [ItemURI]) {
        for uri in uris {
            let copy = copies.withLock { $0.removeValue(forKey: uri) }
            if let copy { unsafe unlink("\(folder)/\(copy.file)") }
            unsafe unlink(part(of: uri))
        }
    }

    // MARK: - Reading

    private static func id(of wish: KeepWish, in kept: StoreDatabase) throws(SourceFault) -> Int {
        try kept.first("SELECT id FROM wish WHERE name = ?", [.text(wish.name)]) { $0.int(0) } ?? 0
    }

    private static func limit(in kept: StoreDatabase) throws(SourceFault) -> Int64? {
        try kept.first("SELECT value FROM setting WHERE name = 'limit'") { $0.int64(0) }
    }

    private static func wishes(in kept: StoreDatabase) throws(SourceFault) -> [KeptContents.Wish] {
        var wishes: [Int: KeptContents.Wish] = [:]
        var order: [Int] = []
        try kept.each("SELECT id, name, count, title, kind FROM wish ORDER BY id") { row in
            let wish = KeepWish(name: row.text(1), count: row.maybeInt(2))
            order.append(row.int(0))
            wishes[row.int(0)] = KeptContents.Wish(
                wish, title: row.text(3), kind: row.maybeText(4).flatMap { ItemKind(rawValue: $0) }, members: [])
        }
        try kept.each("SELECT wish, uri FROM member ORDER BY wish, place") { wishes[$0.int(0)]?.members.append(ItemURI($0.text(1))) }
        return order.compactMap { wishes[$0] }
    }

    struct TrackRow {
        var uri: ItemURI
        var title: String
        var hasLeft: Bool
        var copy: Copy?
        var digest: [UInt8]
    }

    private static func rows(in kept: StoreDatabase) throws(SourceFault) -> [TrackRow] {
        try kept.all("SELECT uri, title, has_left, file, bytes, changed_ns, inode, digest FROM track") { row in
            let copy = row.maybeText(3).map { file in
                Copy(file: file, stamp: FileStamp(size: row.int64(4), modifiedNs: row.int64(5), inode: UInt64(bitPattern: row.int64(6))))
            }
            return TrackRow(
                uri: ItemURI(row.text(0)), title: row.text(1), hasLeft: row.flag(2), copy: copy, digest: copy == nil ? [] : row.blob(7))
        }
    }
}

extension KeepWish {
    fileprivate init(name: String, count: Int?) {
        switch name {
        case KeepWish.favourites.name: self = .favourites
        case KeepWish.mostPlayed(1).name: self = .mostPlayed(count ?? KeepWish.usualCount)
        default: self = .item(ItemURI(name))
        }
    }
}
