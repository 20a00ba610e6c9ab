/// Bookmarks. The most recently deleted ones stay in the table, so that they can be restored.
package import BatonCore
package import BatonSeams
import SQLite

extension LibraryStore: BookmarkStorage {
    package func addBookmark(
        _ place: BookmarkPlace, note: String, of person: Person, by author: String?, once: CommandKey?, atMs: Milliseconds
    ) throws(SourceFault) -> (bookmark: Bookmark, isNew: Bool) {
        try change { library throws(SourceFault) in
            if let once, let known = try library.bookmark(setBy: once) { return (known, false) }
            return (try library.addBookmark(place, note: note, of: person, by: author, once: once, atMs: atMs), true)
        }
    }

    package func bookmarks(of person: Person, in uri: ItemURI?, from: Int, limit: Int) throws(SourceFault) -> BookmarkPage {
        try look { library throws(SourceFault) in try library.bookmarks(of: person, in: uri, from: from, limit: limit) }
    }

    package func editBookmark(
        _ id: Int, of person: Person, _ edit: BookmarkEdit
    ) throws(SourceFault) -> (bookmark: Bookmark, isNew: Bool) {
        try change { library throws(SourceFault) in try library.editBookmark(id, of: person, edit) }
    }

    package func deleteBookmark(_ id: Int, of person: Person) throws(SourceFault) -> Bool {
        try change { library throws(SourceFault) in try library.deleteBookmark(id, of: person) }
    }
}

extension LibraryDatabase {
    /// Number of deleted bookmarks that are stored; deleted playlists have the same limit.
    static let mostDeletedBookmarks = 20

    private static let columns = "id, uri, position_ms, title, album, chapter, note, author, at_ms"

    private static func bookmark(_ row: Row) -> Bookmark {
        Bookmark(
            id: row.int(0),
            place: BookmarkPlace(
                uri: ItemURI(row.text(1)), positionMs: row.time(2), title: row.text(3), album: row.text(4), chapter: row.text(5)),
            note: row.text(6), author: row.maybeText(7), atMs: row.time(8))
    }

    fileprivate func bookmark(setBy once: CommandKey) throws(SourceFault) -> Bookmark? {
        let known = try first(
            "SELECT \(Self.columns), hash FROM bookmark WHERE device = ? AND key = ?", [.text(once.device), .text(once.key)]
        ) { (Self.bookmark($0), hash: $0.blob(9)) }
        guard let known else { return nil }
        guard known.hash == once.hash else { throw SourceFault(.keyMismatch, "This key was used for another command.") }
        return known.0
    }

    fileprivate func addBookmark(
        _ place: BookmarkPlace, note: String, of person: Person, by author: String?, once: CommandKey?, atMs: Milliseconds
    ) throws(SourceFault) -> Bookmark {
        guard try count("deleted = 0", []) < Bookmark.most else {
            throw SourceFault(.quota, "The hub keeps at most \(Bookmark.most) bookmarks. Delete one first: baton bookmark delete ID.")
        }
        let id = try insert(
            """
            INSERT INTO bookmark (uri, position_ms, title, album, chapter, note, author, at_ms, device, key, hash, person)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(place.uri.text), .time(place.positionMs), .text(place.title), .text(place.album), .text(place.chapter), .text(note),
                .maybe(author), .time(atMs), .maybe(once?.device), .maybe(once?.key), once.map { .blob($0.hash) } ?? .null,
                .text(person.text),
            ])
        return Bookmark(id: Int(id), place: place, note: note, author: author, atMs: atMs)
    }

    fileprivate func bookmarks(of person: Person, in uri: ItemURI?, from: Int, limit: Int) throws(SourceFault) -> BookmarkPage {
        let filter = "deleted = 0 AND person = ?" + (uri == nil ? "" : " AND uri = ?")
        let values = [Database.Value.text(person.text)] + (uri.map { [.text($0.text)] } ?? [])
        let order = uri == nil ? "id DESC" : "position_ms, id"
        let rows = try all(
            "SELECT \(Self.columns) FROM bookmark WHERE \(filter) ORDER BY \(order) LIMIT ? OFFSET ?", values + [.int(limit), .int(from)],
            as: Self.bookmark)
        return BookmarkPage(rows, total: try count(filter, values))
    }

    private func count(_ filter: String, _ values: [Database.Value]) throws(SourceFault) -> Int {
        try first("SELECT count(*) FROM bookmark WHERE \(filter)", values) { $0.int(0) } ?? 0
    }

    /// The bookmark, also if it is deleted. `deleted` is its number in the order of deletions, and 0 if it is not deleted.
    private func existing(_ id: Int, of person: Person) throws(SourceFault) -> (bookmark: Bookmark, deleted: Int) {
        let known = try first(
            "SELECT \(Self.columns), deleted FROM bookmark WHERE id = ? AND person = ?", [.int(id), .text(person.text)]
        ) { (Self.bookmark($0), $0.int(9)) }
        guard let known else {
            throw SourceFault(
                .notFound, "There is no bookmark \(id); of deleted ones the hub keeps the last \(Self.mostDeletedBookmarks).")
        }
        return known
    }

    fileprivate func editBookmark(
        _ id: Int, of person: Person, _ edit: BookmarkEdit
    ) throws(SourceFault) -> (bookmark: Bookmark, isNew: Bool) {
        let (before, deleted) = try existing(id, of: person)
        guard deleted == 0 || edit.restores else { throw SourceFault(.notFound, "Bookmark \(id) was deleted. Restore it first.") }
        var bookmark = before
        bookmark.note = edit.note ?? before.note
        bookmark.place.positionMs = edit.positionMs ?? before.place.positionMs
        // The chapter belonged to the old position.
        if bookmark.place.positionMs != before.place.positionMs { bookmark.place.chapter = "" }
        guard bookmark != before || deleted != 0 else { return (bookmark, false) }
        try run(
            "UPDATE bookmark SET note = ?, position_ms = ?, chapter = ?, deleted = 0 WHERE id = ?",
            [.text(bookmark.note), .time(bookmark.place.positionMs), .text(bookmark.place.chapter), .int(id)])
        return (bookmark, true)
    }

    fileprivate func deleteBookmark(_ id: Int, of person: Person) throws(SourceFault) -> Bool {
        guard try existing(id, of: person).deleted == 0 else { return false }
        try run("UPDATE bookmark SET deleted = (SELECT max(deleted) + 1 FROM bookmark) WHERE id = ?", [.int(id)])
        try run(
            """
            DELETE FROM bookmark WHERE id IN
                (SELECT id FROM bookmark WHERE deleted > 0 AND person = ? ORDER BY deleted DESC LIMIT -1 OFFSET ?)
            """, [.text(person.text), .int(Self.mostDeletedBookmarks)])
        return true
    }
}
