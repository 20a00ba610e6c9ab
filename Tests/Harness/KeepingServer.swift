package import BatonCore
package import BatonSeams
import Synchronization

/// A server in memory that keeps a queue and playlists for its account. It outlives a simulated hub, and may be down.
package final class KeepingServer: Connector {
    package struct List: Equatable, Sendable {
        package var name: String
        package var about = ""
        package var isPublic = false
        package var songs: [ItemURI] = []

        package init(_ name: String, _ songs: [ItemURI] = []) {
            self.name = name
            self.songs = songs
        }

        package var version: String { "\(name)/\(about)/\(isPublic)/\(songs.map(\.text).joined(separator: ","))" }
    }

    private struct State {
        var isDown = false
        var queue: SavedQueue?
        var lists: [String: List] = [:]
        var saves: [WriteBack] = []
        var reads = 0
        var edits = 0
    }

    package let source: String
    private let songs: Int
    private let more: SourceAbout.Abilities
    private let state = Mutex(State())

    /// It has songs with these numbers below that; with `.queue` it wants to be told each change of a queue.
    package init(_ source: String = "attic", songs: Int = 40, and more: SourceAbout.Abilities = []) {
        self.source = source
        self.songs = songs
        self.more = more
    }

    package var about: SourceAbout {
        SourceAbout(name: "The attic", abilities: more.union([.browse, .search, .savedQueue, .lists, .remote]))
    }

    // MARK: What the test sets and sees

    package var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }
    package var queue: SavedQueue? {
        get { state.withLock { $0.queue } }
        set { state.withLock { $0.queue = newValue } }
    }
    package var lists: [String: List] {
        get { state.withLock { $0.lists } }
        set { state.withLock { $0.lists = newValue } }
    }
    /// The queues that were saved, oldest first.
    package var saves: [WriteBack] { state.withLock { $0.saves } }
    /// How often it was asked for its queue, and how many edits of lists it has made.
    package var reads: Int { state.withLock { $0.reads } }
    package var edits: Int { state.withLock { $0.edits } }

    package func song(_ number: Int) -> ItemURI { ItemURI("\(source):track/\(number)") }

    /// As the memory source names it, so that both have the same track.
    package func row(_ number: Int) -> ItemRow {
        let tags = Tags(title: "Song \(number)", artists: ["Band \(number % 7)"], durationMs: 180_000)
        return ItemRow(uri: song(number), tags: tags)
    }

    package func saved(_ numbers: [Int], current: Int?, ms: Milliseconds) -> SavedQueue {
        SavedQueue(
            entries: numbers.map { NewEntry(uri: song($0), tags: row($0).tags) }, current: current, positionMs: ms,
            savedAtMs: 1_700_000_000_000)
    }

    // MARK: Connector

    private func turn() throws(SourceFault) {
        guard isDown else { return }
        var fault = SourceFault(.unavailable, "The attic does not answer.")
        fault.isUntaken = true
        throw fault
    }

    package func check() async throws(SourceFault) { try turn() }

    private func rows() -> [ItemRow] { (0..<songs).map(row) }

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        try turn()
        if let id = listID(uri) { return try list(id).songs.compactMap { uri in entry(uri) } }
        guard let entry = entry(uri) else { throw SourceFault(.notFound, "The attic has no \(uri.text).") }
        return [entry]
    }

    private func entry(_ uri: ItemURI) -> NewEntry? {
        rows().first { $0.uri == uri }.map { NewEntry(uri: $0.uri, tags: $0.tags) }
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        try turn()
        return Playable(.file(NamedFile("/server/\(uri)", MemoryFile())))
    }

    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        try turn()
        let words = Folding.words(Folding.fold(query.text)).map(String.init)
        let found = rows().filter { row in
            let there = Folding.words(Folding.fold(([row.tags.title] + row.tags.artists).joined(separator: " "))).map(String.init)
            return words.allSatisfy { word in there.contains { $0.hasPrefix(word) } }
        }
        return ItemPage(Array(found.dropFirst(query.window.from).prefix(query.window.limit)))
    }

    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        try turn()
        guard let node = query.node, let id = listID(node) else { return ItemPage() }
        let list = try list(id)
        let rows = list.songs.compactMap { uri in self.rows().first { $0.uri == uri } }
        return ItemPage(Array(rows.dropFirst(query.window.from).prefix(query.window.limit)), total: rows.count, version: list.version)
    }

    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        try turn()
        if let id = listID(uri) {
            var tags = Tags(title: try list(id).name)
            tags.kind = .playlist
            return ItemDetails(row: ItemRow(uri: uri, tags: tags))
        }
        guard let row = rows().first(where: { $0.uri == uri }) else { throw SourceFault(.notFound, "The attic has no \(uri.text).") }
        return ItemDetails(row: row)
    }

    // MARK: Its queue

    package func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) {
        try turn()
        guard case .queue(let uris, let current, let ms) = note else { return }
        let entries = uris.compactMap(entry)
        state.withLock { state in
            state.saves.append(note)
            state.queue = SavedQueue(
                entries: entries, current: entries.firstIndex { $0.uri == current }, positionMs: ms, savedAtMs: atMs)
        }
    }

    package func savedQueue() async throws(SourceFault) -> SavedQueue? {
        try turn()
        return state.withLock { state in
            state.reads += 1
            return state.queue
        }
    }

    // MARK: Its lists

    private func listID(_ uri: ItemURI) -> String? {
        let scheme = "\(source):playlist/"
        return uri.text.hasPrefix(scheme) ? String(uri.text.dropFirst(scheme.count)) : nil
    }

    private func list(_ id: String) throws(SourceFault) -> List {
        guard let list = lists[id] else { throw SourceFault(.notFound, "The attic has no playlist “\(id)”.") }
        return list
    }

    package func edit(_ edit: SourceListEdit) async throws(SourceFault) -> ItemURI {
        try turn()
        guard let uri = edit.list else {
            let id = "new\(lists.count)"
            var list = List("")
            for change in edit.changes { try apply(change, to: &list) }
            lists[id] = list
            state.withLock { $0.edits += 1 }
            return ItemURI("\(source):playlist/\(id)")
        }
        guard let id = listID(uri) else { throw SourceFault(.unsupported, "\(uri.text) is no list.") }
        var list = try list(id)
        if let base = edit.base, base != list.version {
            throw SourceFault(.conflict, "The playlist “\(list.name)” was changed at the server meanwhile.")
        }
        for change in edit.changes { try apply(change, to: &list) }
        lists[id] = edit.changes.contains(.delete) ? nil : list
        state.withLock { $0.edits += 1 }
        return uri
    }

    private func apply(_ change: SourceListEdit.Change, to list: inout List) throws(SourceFault) {
        switch change {
        case .create(let name), .rename(let name): list.name = name
        case .describe(let text): list.about = text
        case .setPublic(let isPublic): list.isPublic = isPublic
        case .insert(let uris, let place): list.songs.insert(contentsOf: uris, at: min(max(0, place), list.songs.count))
        case .remove(let places): list.songs = list.songs.indices.filter { !places.contains($0) }.map { list.songs[$0] }
        case .move(let from, let to):
            guard list.songs.indices.contains(from) else { throw SourceFault(.badRequest, "The playlist has no entry at this place.") }
            let song = list.songs.remove(at: from)
            list.songs.insert(song, at: min(max(0, to), list.songs.count))
        case .delete: break
        }
    }
}
