import BatonCore
import BatonSeams
import Harness
import Synchronization

/// A server with albums whose tracks can be downloaded. It can go down, also in the middle of a track, and lose tracks for good.
final class SimulatedAlbums: Connector {
    struct State {
        var isDown = false
        /// Tracks that it does not have any more.
        var gone: Set<Int> = []
        /// So many pieces can be read until it goes down.
        var piecesLeft: Int?
        /// The tracks of its playlist.
        var list: [Int] = []
        var downloads = 0
        /// Tracks that break off each time, though the server is well.
        var broken: Set<Int> = []
    }

    let source: String
    let state = Mutex(State())
    static let bytes = 5_000
    /// Tracks 10 to 14 are those of album 1, and so on.
    static let perAlbum = 5

    init(_ source: String = "far") { self.source = source }

    var about: SourceAbout {
        SourceAbout(name: "Far", abilities: [.browse, .search, .download, .remote, .lists])
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    func track(_ number: Int) -> ItemURI { ItemURI("\(source):track/\(number)") }
    func album(_ number: Int) -> ItemURI { ItemURI("\(source):album/\(number)") }
    var list: ItemURI { ItemURI("\(source):playlist/1") }

    static func content(_ number: Int) -> [UInt8] { (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 3 &+ number) } }

    func check() async throws(SourceFault) { try turn() }

    private func turn() throws(SourceFault) {
        if state.withLock({ $0.isDown }) { throw SourceFault(.unavailable, "Far is away.") }
    }

    private func row(_ number: Int) throws(SourceFault) -> ItemRow {
        guard !state.withLock({ $0.gone.contains(number) }) else { throw SourceFault(.notFound, "There is no track \(number).") }
        return ItemRow(uri: track(number), tags: Tags(title: "Song \(number)", artists: ["Band"], durationMs: 180_000))
    }

    private func row(_ kind: ItemKind, _ uri: ItemURI, _ title: String) -> ItemRow {
        var tags = Tags(title: title)
        tags.kind = kind
        return ItemRow(uri: uri, tags: tags, count: Self.perAlbum)
    }

    private func number(_ uri: ItemURI) -> (kind: Substring, number: Int) {
        let parts = uri.text.dropFirst(source.count + 1).split(separator: "/")
        return (parts.first ?? "", parts.last.flatMap { Int($0) } ?? 0)
    }

    private func tracks(_ uri: ItemURI) -> [Int] {
        let (kind, number) = number(uri)
        return state.withLock { state in
            switch kind {
            case "album": (0..<Self.perAlbum).map { number * 10 + $0 }.filter { !state.gone.contains($0) }
            case "playlist": state.list.filter { !state.gone.contains($0) }
            default: state.gone.contains(number) ? [] : [number]
            }
        }
    }

    func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        try turn()
        guard let node = query.node else { return ItemPage((1...3).map { row(.album, album($0), "Album \($0)") }) }
        var rows: [ItemRow] = []
        for number in tracks(node) { rows.append(try row(number)) }
        return ItemPage(rows)
    }

    func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        try turn()
        return ItemPage([try row(10), try row(20), row(.album, album(1), "Album 1")])
    }

    func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        try turn()
        let (kind, number) = number(uri)
        switch kind {
        case "album": return ItemDetails(row: row(.album, uri, "Album \(number)"))
        case "playlist": return ItemDetails(row: row(.playlist, uri, "List"))
        default: return ItemDetails(row: try row(number))
        }
    }

    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        try turn()
        var entries: [NewEntry] = []
        for number in tracks(uri) {
            let row = try row(number)
            entries.append(NewEntry(uri: row.uri, tags: row.tags))
        }
        guard !entries.isEmpty else { throw SourceFault(.notFound, "There is nothing in \(uri).") }
        return entries
    }

    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        try turn()
        return Playable(.file(NamedFile("/far/\(uri)", MemoryFile())))
    }

    func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes {
        try turn()
        let number = number(uri).number
        _ = try row(number)
        state.withLock { $0.downloads += 1 }
        return NamedBytes("Song \(number).mp3", Bytes(server: self, number: number, content: Self.content(number)))
    }

    fileprivate func piece(of number: Int) throws(SourceFault) {
        try turn()
        if state.withLock({ $0.broken.contains(number) }) { throw SourceFault(.unavailable, "It broke off.") }
        state.withLock { state in
            guard let left = state.piecesLeft else { return }
            state.piecesLeft = left > 1 ? left - 1 : nil
            if left <= 1 { state.isDown = true }
        }
    }

    private struct Bytes: ByteSource {
        let server: SimulatedAlbums
        let number: Int
        let content: [UInt8]
        var length: Int64? { Int64(content.count) }
        var hasRanges: Bool { true }
        var version: ContentVersion? { ContentVersion(tag: "\"1\"") }

        func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
            try server.piece(of: number)
            return Array(content.dropFirst(Int(position)).prefix(count))
        }
    }
}
