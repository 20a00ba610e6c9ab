/// Converts the server's items to the hub's rows.
import BatonCore
import BatonSeams

struct SapphoRows: Sendable {
    let source: String

    func book(_ book: SapphoBook, stars: Int) -> ItemRow {
        var row = ItemRow(uri: uri(.book(book.id)), tags: tags(book))
        row.book = BookTags(series: book.series ?? "", number: book.number ?? "", narrators: book.narrator.map { [$0] } ?? [])
        row.mark = ItemMark(isFavourite: book.isFavourite, stars: book.stars ?? stars)
        row.isAway = !book.isAvailable
        return row
    }

    func tags(_ book: SapphoBook) -> Tags {
        // The server does not tell the length of the first of several files.
        let durationMs = book.isMultiFile ? nil : book.durationMs
        var tags = Tags(title: book.title, artists: book.author.map { [$0] } ?? [], durationMs: durationMs)
        tags.kind = .book
        tags.album = book.series ?? ""
        tags.year = book.year
        tags.art = book.hasCover ? art(book.id) : nil
        return tags
    }

    func collection(_ collection: SapphoCollection) -> ItemRow {
        var row = container(
            .collection(collection.id), kind: .playlist, title: collection.name, count: collection.count ?? collection.books.count)
        row.tags.durationMs = collection.durationMs
        return row
    }

    func shelf(_ shelf: SapphoItem.Shelf) -> ItemRow { container(.shelf(shelf), kind: .shelf, title: shelf.title) }

    func container(_ item: SapphoItem, kind: ItemKind, title: String, count: Int? = nil, cover: Int? = nil) -> ItemRow {
        var tags = Tags(title: title)
        tags.kind = kind
        tags.art = cover.flatMap(art)
        return ItemRow(uri: uri(item), tags: tags, count: count)
    }

    /// The item's URI. A name that is too long leads to the shelf of all books.
    func uri(_ item: SapphoItem) -> ItemURI { item.uri(of: source) ?? ItemURI("\(source):shelf/\(SapphoItem.Shelf.books.rawValue)") }

    /// The artwork, whose name is the book's id.
    private func art(_ book: Int) -> Artwork? { ArtworkID(source: source, name: String(book)).map { Artwork(id: $0.text) } }
}
