package import BatonCore
package import BatonSeams
import Synchronization

/// A source in memory: so many tracks called “Song 7”, on one shelf. It can go down, or not answer.
package final class MemorySource: Connector {
    package let source: String
    private let count: Int
    private let more: SourceAbout.Abilities
    private let file: any FileRange
    private let padding: String
    private let state = Mutex(State())

    private struct State {
        var fault: SourceFault?
        var isSilent = false
        var asked = 0
        var notes: [WriteBack] = []
    }

    /// `textBytes` make every text so much longer, with a character that takes two bytes on the wire.
    package init(
        _ source: String = "lib", count: Int = 250, and more: SourceAbout.Abilities = [], textBytes: Int = 0,
        file: any FileRange = MemoryFile()
    ) {
        self.file = file
        padding = String(repeating: "\"", count: textBytes)
        self.source = source
        self.count = count
        self.more = more
    }

    package var about: SourceAbout {
        SourceAbout(name: source, abilities: more.union([.browse, .search, .pictures, .lyrics, .favourites, .plays]))
    }

    /// Down with this sentence, or well again.
    package func goDown(_ sentence: String?) { state.withLock { $0.fault = sentence.map { SourceFault(.unavailable, $0) } } }
    /// It takes questions and never answers them.
    package func fallSilent(_ isSilent: Bool) { state.withLock { $0.isSilent = isSilent } }
    /// How many questions it was asked.
    package var asked: Int { state.withLock { $0.asked } }
    package var notes: [WriteBack] { state.withLock { $0.notes } }

    package func row(_ number: Int) -> ItemRow {
        var tags = Tags(title: "Song \(number)\(padding)", artists: ["Band \(number % 7)"], durationMs: 180_000)
        tags.art = Artwork(id: "\(source)art\(number)", colours: [0x102030, 0xF0E0D0])
        return ItemRow(uri: ItemURI("\(source):track/\(number)"), tags: tags)
    }

    private func turn() async throws(SourceFault) {
        let (fault, isSilent) = state.withLock { state in
            state.asked += 1
            return (state.fault, state.isSilent)
        }
        if let fault { throw fault }
        if isSilent { await Self.forEver() }
    }

    /// Until the caller gives up.
    fileprivate static func forEver() async {
        let (nothing, end) = AsyncStream.makeStream(of: Void.self)
        for await _ in nothing {}
        end.finish()
    }

    private func number(_ uri: ItemURI) throws(SourceFault) -> Int {
        guard let number = Int(uri.text.dropFirst("\(source):track/".count)), number < count else {
            throw SourceFault(.notFound, "There is no “\(uri)”.")
        }
        return number
    }

    package func check() async throws(SourceFault) { try await turn() }

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        try await turn()
        if uri.text == "\(source):shelf/tracks" { return (0..<count).map { self.row($0) }.map { NewEntry(uri: $0.uri, tags: $0.tags) } }
        let row = row(try number(uri))
        return [NewEntry(uri: row.uri, tags: row.tags)]
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        try await turn()
        return Playable(.file(NamedFile("/music/\(try number(uri))", file)))
    }

    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        try await turn()
        guard query.node != nil else {
            var tags = Tags(title: "Tracks of \(source)")
            tags.kind = .shelf
            return ItemPage([ItemRow(uri: ItemURI("\(source):shelf/tracks"), tags: tags, count: count)])
        }
        return page((0..<count).map(row), query.window)
    }

    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        try await turn()
        return page((0..<count).map(row).filter { $0.tags.title.contains(query.text) }, query.window)
    }

    private func page(_ rows: [ItemRow], _ window: PageWindow) -> ItemPage {
        let from = window.cursor.flatMap { Int($0.dropFirst()) } ?? window.from
        let end = from + window.limit
        return ItemPage(Array(rows.dropFirst(from).prefix(window.limit)), cursor: end < rows.count ? ";\(end)" : nil, total: rows.count)
    }

    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        try await turn()
        if uri.text == "\(source):shelf/tracks" { throw SourceFault(.notFound, "A shelf has no row.") }
        var details = ItemDetails(row: row(try number(uri)))
        details.path = "/music/\(uri)"
        details.hasLyrics = true
        if !padding.isEmpty {
            details.genres = (0..<64).map { "\($0)\(padding)" }
            details.composers = details.genres
            details.chapters = (0..<200).map { Chapter(title: "\($0)\(padding)", startMs: Milliseconds($0), endMs: Milliseconds($0) + 1) }
        }
        return details
    }

    package func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics? {
        try await turn()
        return Lyrics(
            lines: [.init(atMs: 1000, text: "La la")]
                + (padding.isEmpty ? [] : (0..<900).map { .init(atMs: Milliseconds($0), text: padding) }))
    }

    package func picture(_ id: String) async throws(SourceFault) -> PictureSource {
        try await turn()
        guard id.hasPrefix("\(source)art") else { throw SourceFault(.notFound, "There is no picture “\(id)”.") }
        return .bytes(Array(id.utf8))
    }

    package func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) {
        try await turn()
        state.withLock { $0.notes.append(note) }
    }
}

/// A library that does as it is told, and says what it is told to say.
package final class MemoryLibraryControl: LibraryControl {
    package let news: AsyncStream<ScanReport?>
    private let say: AsyncStream<ScanReport?>.Continuation
    private let state = Mutex(
        (
            folders: [LibraryFolder](), found: Optional([LibraryFolder]()), inside: Optional([String]()), counts: Optional([String: Int]()),
            isScanning: false
        ))

    package init() { (news, say) = AsyncStream.makeStream(of: ScanReport?.self) }

    package func tell(_ report: ScanReport?) { say.yield(report) }

    package func folders() async throws(SourceFault) -> [LibraryFolder] { state.withLock { $0.folders } }

    /// Folders that it finds by itself; `nil` for a search that does not end.
    package func find(_ folders: [LibraryFolder]?) { state.withLock { $0.found = folders } }

    package func foundFolders() async throws(SourceFault) -> [LibraryFolder] {
        guard let found = state.withLock({ $0.found }) else {
            await MemorySource.forEver()
            return []
        }
        return found
    }

    /// Folders inside of every other, and the music in them; `nil` for a disk that does not answer.
    package func hold(_ folders: [String]?, counts: [String: Int]?) { state.withLock { ($0.inside, $0.counts) = (folders, counts) } }

    package func folders(in path: String, trust: Trust) async throws(SourceFault) -> [String] {
        guard let inside = state.withLock({ $0.inside }) else {
            await MemorySource.forEver()
            return []
        }
        return inside
    }

    package func tracks(in folders: [String]) async -> [String: Int] {
        guard let counts = state.withLock({ $0.counts }) else {
            await MemorySource.forEver()
            return [:]
        }
        return counts
    }

    package func setFolder(
        _ path: String, isWanted: Bool, holds: FolderContent?, trust: Trust
    ) async throws(SourceFault) -> Bool {
        state.withLock { state in
            let isThere = state.folders.contains { $0.path == path }
            guard isThere != isWanted else { return false }
            if isWanted {
                state.folders.append(LibraryFolder(path: path, holds: holds ?? .music))
            } else {
                state.folders.removeAll { $0.path == path }
            }
            return true
        }
    }

    package func scan(isFull: Bool) async -> Bool {
        state.withLock { state in
            defer { state.isScanning = true }
            return !state.isScanning
        }
    }

    package func lastReport() async throws(SourceFault) -> ScanReport? { nil }
}
