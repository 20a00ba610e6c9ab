import BatonCore
import BatonProtocol

/// Rows of a library, a playlist or a history for people, numbered so that the next command can refer to them.
struct ItemLines {
    private var table: Table
    private(set) var count: Int
    /// Names the source of each row, if there are several.
    private let sources: SourceTitles?
    private let format: FormatText?
    private var filled: [String] = []
    /// Whether this is the first part of the list.
    private let isFirst: Bool

    /// Starts after `count` rows that were printed before.
    init(_ call: Invocation, behind count: Int = 0, sources: SourceTitles? = nil, more headers: [String] = []) {
        self.count = count
        self.sources = sources
        format = call.format
        isFirst = count == 0
        let ink = call.ink
        table = Table(["", "title", "by", "length", ""] + (sources == nil ? [] : ["source"]) + headers, ink)
        for column in [3, 4, 5] { table.paint(column: column, .faint) }
    }

    mutating func add(_ row: ItemRow, behind cells: [String] = [], _ fields: (inout ItemFields) -> Void = { _ in }) {
        count += 1
        if let format {
            var item = ItemFields(number: count, row)
            fields(&item)
            return filled.append(item.filled(into: format))
        }
        let places = sources.map { [$0.of(row.variants.isEmpty ? [row.uri] : row.variants)] } ?? []
        table.add(["\(count)", Self.title(row), Self.whose(row), Self.inside(row), Self.marks(row)] + places + cells)
    }

    func print() {
        if format != nil { for line in filled { Output.verbatim(line) } } else { table.print(isFirst: isFirst) }
    }

    static func title(_ row: ItemRow) -> String { row.tags.title.isEmpty ? row.uri.text : row.tags.title }

    static func whose(_ row: ItemRow) -> String {
        let tags = row.tags
        let artists = tags.artists.isEmpty ? [tags.albumArtist].filter { !$0.isEmpty } : tags.artists
        if tags.kind == .episode {
            return [row.publishedMs.map { LocalTime.system.day(ofMs: $0) } ?? "", tags.album].filter { !$0.isEmpty }.joined(
                separator: " – ")
        }
        if tags.kind == .book { return book(row, artists) }
        // The first disc is not mentioned, because many albums have only one.
        let disc = tags.disc.map { $0 > 1 ? ", disc \($0)" : "" } ?? ""
        let album = tags.kind == .track ? tags.album + (tags.album.isEmpty ? "" : disc) : tags.year.map { "\($0)" } ?? ""
        return [artists.joined(separator: ", "), album].filter { !$0.isEmpty }.joined(separator: " – ")
    }

    /// The line of a book: `Ursula K. Le Guin – Earthsea 2, read by Rob Inglis`.
    private static func book(_ row: ItemRow, _ authors: [String]) -> String {
        let about = row.book ?? BookTags()
        let series = [about.series, about.number].filter { !$0.isEmpty }.joined(separator: " ")
        let readers = about.narrators.isEmpty ? "" : "read by " + about.narrators.joined(separator: ", ")
        let rest = [series, readers].filter { !$0.isEmpty }.joined(separator: ", ")
        return [authors.joined(separator: ", "), rest].filter { !$0.isEmpty }.joined(separator: " – ")
    }

    /// The duration of an item, or the kind of a container with the number of its items.
    static func inside(_ row: ItemRow) -> String {
        guard row.tags.kind.isContainer else { return row.tags.durationMs.map { TimeText.show(ms: $0) } ?? "" }
        // A shelf counts its rows, which may be no tracks.
        if row.tags.kind == .shelf { return row.count.map { "\($0)" } ?? "" }
        let noun = [.series, .author, .narrator].contains(row.tags.kind) ? "book" : "track"
        return [row.tags.kind.rawValue, row.count.map { $0 == 1 ? "1 \(noun)" : "\($0) \(noun)s" }].compactMap { $0 }.joined(
            separator: ", ")
    }

    static func marks(_ row: ItemRow) -> String {
        let stars = String(repeating: "★", count: max(0, min(5, row.mark.stars)))
        return [
            row.isAway ? "away" : "", row.isPending ? "not yet told to its server" : "", KeepWords.mark(row.kept),
            row.mark.isFavourite ? "♥" : "",
            stars,
        ].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The name with its artist: `Radiohead – Kid A`.
    static func name(_ row: ItemRow) -> String { (row.tags.artists + [title(row)]).suffix(2).joined(separator: " – ") }
}

/// Titles of sources for people.
struct SourceTitles {
    private let titles: [String: String]

    init(_ section: SourcesSection?) {
        titles = Dictionary((section?.sources ?? []).map { ($0.name, $0.title) }) { first, _ in first }
    }

    /// The title of a source. A source that is no account shows its own name, except the library.
    func of(_ name: String) -> String { titles[name] ?? (name == LibraryShelf.source ? "library" : name) }

    func of(_ uris: [ItemURI]) -> String { uris.map { of(String($0.source)) }.joined(separator: ", ") }
}
