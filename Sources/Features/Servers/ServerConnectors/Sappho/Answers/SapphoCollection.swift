/// A collection of books, and the result of changes to it. A value.
import BatonCore
import BatonJSON
import BatonSeams

struct SapphoCollection: Equatable, Sendable {
    var id: Int
    var name: String
    var about: String?
    var isPublic: Bool
    /// Whether the user owns it; others cannot change it.
    var isOwn: Bool
    var durationMs: Milliseconds?
    var count: Int?
    var books: [SapphoBook]

    init?(_ row: JSON) {
        guard let id = row.whole("id"), id > 0 else { return nil }
        self.id = id
        name = row.line("name") ?? "Collection"
        about = row.words("description")
        isPublic = row.flag("is_public")
        isOwn = row.flag("is_owner")
        durationMs = row.bookMilliseconds("total_duration")
        count = row.whole("book_count")
        books = (row["books"]?.array ?? []).compactMap { SapphoBook($0) }
    }

    /// A text that changes with everything that an edit could overwrite.
    var version: String {
        let parts = [name, about ?? "", isPublic ? "1" : "0"] + books.map { String($0.id) }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in parts.map({ "\($0.utf8.count):\($0)" }).joined().utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }

    /// The ids of the books after a change, in order; `nil` if the change does not concern them.
    func ids(after change: SourceListEdit.Change, _ id: (ItemURI) throws(SourceFault) -> Int) throws(SourceFault) -> [Int]? {
        var ids = books.map(\.id)
        switch change {
        case .create, .rename, .describe, .setPublic, .delete: return nil
        case .insert(let items, let place):
            var added: [Int] = []
            for item in items {
                let book = try id(item)
                // A collection contains each book once.
                if !ids.contains(book), !added.contains(book) { added.append(book) }
            }
            ids.insert(contentsOf: added, at: min(max(0, place), ids.count))
        case .remove(let places):
            guard places.allSatisfy(ids.indices.contains) else { throw Self.wrongPlace }
            ids = ids.indices.filter { !places.contains($0) }.map { ids[$0] }
        case .move(let from, let to):
            guard ids.indices.contains(from) else { throw Self.wrongPlace }
            let book = ids.remove(at: from)
            ids.insert(book, at: min(max(0, to), ids.count))
        }
        return ids
    }

    private static let wrongPlace = SourceFault(.badRequest, "The collection has no book at this place.")
}
