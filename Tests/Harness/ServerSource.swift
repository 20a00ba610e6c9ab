package import BatonCore
package import BatonSeams
import Synchronization

/// A server in memory that is searched over a network: it answers when it is told to.
package final class ServerSource: Connector {
    package let source: String
    private let rows: [ItemRow]
    private let isRemote: Bool
    private let state: Mutex<State>

    private struct State {
        var isHeld: Bool
        var waiting: [CheckedContinuation<Void, Never>] = []
        var searches = 0
        var cancelled = 0
        var notes: [WriteBack] = []
    }

    package init(_ source: String, _ rows: [ItemRow], isHeld: Bool = false, isRemote: Bool = true) {
        self.source = source
        self.isRemote = isRemote
        self.rows = rows
        state = Mutex(State(isHeld: isHeld))
    }

    package var about: SourceAbout {
        SourceAbout(name: source, abilities: isRemote ? [.search, .browse, .remote, .favourites, .stars] : [.search, .browse])
    }

    /// How many searches have reached it, and how many of them were given up while it held them.
    package var searches: Int { state.withLock { $0.searches } }
    package var cancelled: Int { state.withLock { $0.cancelled } }
    package var notes: [WriteBack] { state.withLock { $0.notes } }

    /// Answers what it holds, and from now on at once.
    package func answer() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isHeld = false
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    /// Holds what it is asked from now on.
    package func hold() { state.withLock { $0.isHeld = true } }

    private func turn() async throws(SourceFault) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                let isDue = state.withLock { state in
                    state.searches += 1
                    if state.isHeld, !Task.isCancelled {
                        state.waiting.append(turn)
                        return false
                    }
                    return true
                }
                if isDue { turn.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                state.cancelled += state.waiting.count
                return state.waiting
            }
            for one in waiting { one.resume() }
        }
        if Task.isCancelled { throw .cancelled }
    }

    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        try await turn()
        let words = SearchTerms(query.text).words
        let found = rows.filter { row in
            let texts = [row.tags.title, row.tags.album] + row.tags.artists
            let there = Folding.words(Folding.fold(texts.joined(separator: " "))).map(String.init)
            return (query.kinds.isEmpty || query.kinds.contains(row.tags.kind))
                && words.allSatisfy { word in
                    there.contains { $0.hasPrefix(word) }
                }
        }
        let from = query.window.cursor.flatMap { Int($0) } ?? query.window.from
        let end = from + query.window.limit
        return ItemPage(
            Array(found.dropFirst(from).prefix(query.window.limit)), cursor: end < found.count ? "\(end)" : nil, total: found.count)
    }

    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage { ItemPage(rows) }

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        guard let row = rows.first(where: { $0.uri == uri }) else { throw SourceFault(.notFound, "There is no “\(uri)”.") }
        return [NewEntry(uri: row.uri, tags: row.tags)]
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.file(NamedFile("/server/\(uri)", MemoryFile())))
    }

    package func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) { state.withLock { $0.notes.append(note) } }
}

/// Pairs of items that are kept apart, in memory, across simulated crashes of a hub.
package final class MemorySplits: FoldSplitStorage {
    private let state = Mutex<Set<FoldSplit>>([])

    package init() {}

    package func splits() throws(SourceFault) -> [FoldSplit] { state.withLock { Array($0) } }

    package func setSplit(_ split: FoldSplit, _ isOn: Bool) throws(SourceFault) -> Bool {
        state.withLock { isOn ? $0.insert(split).inserted : $0.remove(split) != nil }
    }
}
