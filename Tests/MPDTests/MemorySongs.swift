import BatonCore
import BatonProtocol
import BatonSeams
import Synchronization

/// Songs in memory: `a.flac`, `b.flac` and `c.flac` of one artist, and a folder with two of another.
final class MemorySongs: SongReading {
    let all: [Song]

    /// Titles are filled up to a length.
    init(titleBytes: Int = 0) {
        all = ["a", "b", "c", "folder/d", "folder/e"].enumerated().map { number, name in
            let title = "Song \(name.last!)"
            return Song(
                uri: "\(name).flac", item: ItemURI("file:track/\(name).flac"), changed: 1_600_000_000 + number,
                added: 1_600_000_100 + number, format: "48000:16:2",
                tags: [
                    .init(.artist, name.hasPrefix("folder") ? "Ida Moss" : "Amber Lane"),
                    .init(.title, title + String(repeating: "x", count: max(0, titleBytes - title.utf8.count))),
                    .init(.track, "\(number)"),
                ], durationMs: 180_000)
        }
    }

    func eachRow(
        below folder: String, depth: SongDepth, after: SongPlace?, most: Int, _ take: (LentRow) -> Void
    ) throws(SourceFault) -> SongPlace? {
        var rows: [SongOrFolder] = all.filter { $0.uri.hasPrefix(folder.isEmpty ? "" : folder + "/") }.map { .song($0) }
        if folder.isEmpty {
            rows.insert(.folder("folder", changed: nil), at: 3)
            if depth == .folder { rows.removeLast(2) }
        }
        let page = Self.page(rows, after: after, most: min(most, 2))
        for row in page.rows {
            switch row {
            case .song(let song): take(.song(song))
            case .folder(let path, let changed): take(.folder(path, changed: changed))
            }
        }
        return page.next
    }

    func place(below folder: String, after: SongPlace?, skipping rows: Int) throws(SourceFault) -> SongPlace? {
        try self.rows(below: folder, depth: .tree, after: after, most: 2).next
    }

    func row(atPath path: String) throws(SourceFault) -> SongOrFolder? {
        if path.isEmpty || path == "folder" { return .folder(path, changed: nil) }
        return all.first { $0.uri == path }.map { .song($0) }
    }

    func songs(of items: [ItemURI]) throws(SourceFault) -> [Song?] { items.map { item in all.first { $0.item == item } } }

    func songs(_ search: SongSearch, after: SongPlace?, most: Int) throws(SourceFault) -> SongPage<Song> {
        Self.page(all.filter { $0.uri.hasPrefix(search.folder) }, after: after, most: min(most, 2))
    }

    func find(_ search: SongSearch, isWhole: Bool) throws(SourceFault) -> [Int64]? {
        guard isWhole, !search.texts.isEmpty else { return nil }
        return all.indices.filter { all[$0].uri.hasPrefix(search.folder) }.map { Int64($0) }
    }

    func songs(numbered numbers: ArraySlice<Int64>) throws(SourceFault) -> [Song] { numbers.map { all[Int($0)] } }

    private static func page<Row: Sendable>(_ rows: [Row], after: SongPlace?, most: Int) -> SongPage<Row> {
        let start = after?.song ?? 0
        let end = min(start + most, rows.count)
        return SongPage(rows: Array(rows[start..<end]), next: end < rows.count ? SongPlace(folder: 0, song: end) : nil)
    }

    func values(of tags: [TagName]) throws(SourceFault) -> [SongValues] {
        [SongValues(values: tags.map { _ in "Amber Lane" }, songs: 3, durationMs: 540_000)]
    }

    func comments(atPath path: String) throws(SourceFault) -> [(name: String, value: String)] { [("TITLE", "Song a")] }

    private let changes = Atomic(0)
    var songChanges: Int { changes.load(ordering: .relaxed) }

    func change() { changes.add(1, ordering: .relaxed) }

    func totals() throws(SourceFault) -> SongTotals { SongTotals(songs: 5, artists: 2, albums: 0, durationMs: 900_000) }
}

/// Stickers in memory.
final class MemoryStickers: StickerStorage {
    private let all = Mutex<[StickerHolder: [String: String]]>([:])

    func stickers(of holder: StickerHolder) throws(SourceFault) -> [Sticker] {
        all.withLock { ($0[holder] ?? [:]).sorted { $0.key < $1.key }.map { Sticker(name: $0.key, value: $0.value) } }
    }

    func sticker(_ name: String, of holder: StickerHolder) throws(SourceFault) -> String? { all.withLock { $0[holder]?[name] } }

    @discardableResult
    func change(
        _ name: String, of holder: StickerHolder, _ change: (String?) throws(SourceFault) -> String?
    ) throws(SourceFault) -> String? {
        let before = try sticker(name, of: holder)
        let after = try change(before)
        all.withLock { $0[holder, default: [:]][name] = after }
        return before
    }

    func removeAll(of holder: StickerHolder) throws(SourceFault) -> Bool {
        all.withLock { $0.removeValue(forKey: holder)?.isEmpty == false }
    }

    func holders(
        ofKind kind: String, with name: String, after: String?, most: Int
    ) throws(SourceFault) -> [(holder: String, value: String)] {
        all.withLock { all in
            all.filter { $0.key.kind == kind && $0.value[name] != nil && $0.key.name > after ?? "" }.sorted { $0.key.name < $1.key.name }
                .prefix(most).map { ($0.key.name, $0.value[name] ?? "") }
        }
    }

    func names() throws(SourceFault) -> [(name: String, kind: String)] {
        all.withLock { all in
            Set(all.flatMap { holder, stickers in stickers.keys.map { [$0, holder.kind] } }).sorted { $0.lexicographicallyPrecedes($1) }
                .map { ($0[0], $0[1]) }
        }
    }
}

/// Passwords in memory, each of which is its name.
@Loop
final class MemoryPasswords: DialectPasswords {
    var all: [DialectPassword] = []

    func passwords(of dialect: String) -> [DialectPassword] { all }

    func check(_ password: String, of dialect: String, from address: String) async throws(ProtocolFault) -> DialectPassword {
        guard let found = all.first(where: { $0.name == password }) else { throw ProtocolFault(.wrongPassword, "It is wrong.") }
        return found
    }
}
