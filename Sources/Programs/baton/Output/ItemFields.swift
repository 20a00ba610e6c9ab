import BatonCore
import BatonProtocol

/// An item in a list, by the fields that `--format` can name.
struct ItemFields {
    var number: Int
    var tags: Tags
    var uri: ItemURI?
    var mark = ItemMark()
    var count: Int?
    var kept: KeepMark?
    /// The person who added the item, and the time.
    var by: String?
    var atMs: Milliseconds?

    init(number: Int, _ row: ItemRow) {
        (self.number, tags, uri, mark, count, kept) = (number, row.tags, row.uri, row.mark, row.count, row.kept)
    }

    init(number: Int, _ row: QueueRow) {
        (self.number, tags, uri, kept, by) = (number, row.tags, row.uri, row.kept, row.addedBy)
        atMs = row.addedAtMs > 0 ? row.addedAtMs : nil
    }

    private static let table: KeyValuePairs<String, @Sendable (ItemFields) -> String> = [
        "number": { "\($0.number)" }, "title": { $0.tags.title.isEmpty ? $0.uri?.text ?? "" : $0.tags.title },
        "artist": { ($0.tags.artists.isEmpty ? [$0.tags.albumArtist] : $0.tags.artists).joined(separator: ", ") },
        "album": { $0.tags.album }, "albumartist": { $0.tags.albumArtist }, "track": { $0.tags.track.map(String.init) ?? "" },
        "disc": { $0.tags.disc.map(String.init) ?? "" }, "year": { $0.tags.year.map(String.init) ?? "" },
        "duration": { $0.tags.durationMs.map { TimeText.show(ms: $0) } ?? "" }, "kind": { $0.tags.kind.rawValue },
        "count": { $0.count.map(String.init) ?? "" }, "uri": { $0.uri?.text ?? "" },
        "favourite": { $0.mark.isFavourite ? "♥" : "" }, "stars": { $0.mark.stars > 0 ? "\($0.mark.stars)" : "" },
        "kept": { $0.kept.map { $0.isWhole ? "kept" : "\($0.percent) %" } ?? "" }, "by": { $0.by ?? "" },
        "ago": { $0.atMs.map { TimeText.ago(ms: Clock.wallMs() - $0) } ?? "" },
    ]

    static var names: [String] { table.map(\.key) }

    func filled(into format: FormatText) -> String {
        format.filled { name in Self.table.first { $0.key == name }?.value(self) ?? "" }
    }
}
