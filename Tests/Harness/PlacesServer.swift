package import BatonCore
package import BatonSeams
import Synchronization

/// A server in memory that keeps places in its books for its account, and tells of each change by itself. It outlives a simulated hub,
/// may be down, and may lose answers as a seed decides.
package final class PlacesServer: Connector {
    private struct State {
        var places: [ItemURI: ServerPlace] = [:]
        var isDown = false
        /// Of a hundred changes, so many are made and not answered.
        var lost = 0
        var random: SeededGenerator
        var written: [ServerPlaceNote] = []
        /// What other devices of the account have left, oldest first.
        var others: [Milliseconds] = []
        var listener: AsyncStream<SourceNews>.Continuation?
    }

    package let source: String
    private let nowMs: @Sendable () -> Milliseconds
    private let state: Mutex<State>

    package init(_ source: String = "attic", seed: UInt64 = 0, nowMs: @escaping @Sendable () -> Milliseconds) {
        self.source = source
        self.nowMs = nowMs
        state = Mutex(State(random: SeededGenerator(seed)))
    }

    package var about: SourceAbout { SourceAbout(name: "The attic", abilities: [.search, .progress, .sessions, .remote]) }

    // MARK: What the test sets and sees

    package func change(isDown: Bool, lost: Int = 0) {
        state.withLock { ($0.isDown, $0.lost) = (isDown, lost) }
        if isDown { state.withLock { $0.listener }?.finish() }
    }

    package var isDown: Bool { state.withLock { $0.isDown } }
    package var written: [ServerPlaceNote] { state.withLock { $0.written } }
    package var others: [Milliseconds] { state.withLock { $0.others } }
    package func kept(_ uri: ItemURI) -> ServerPlace? { state.withLock { $0.places[uri] } }

    package func book(_ number: Int) -> ItemURI { ItemURI("\(source):book/\(number)") }

    /// Another device of the account was there, so long after now by the hub's clock.
    package func other(_ uri: ItemURI, at positionMs: Milliseconds, afterMs: Milliseconds = 0) {
        let place = ServerPlace(positionMs: positionMs, atMs: nowMs() + afterMs)
        state.withLock { state in
            state.others.append(positionMs)
            state.places[uri] = place
        }
        tell(uri, place)
    }

    private func tell(_ uri: ItemURI, _ place: ServerPlace) { state.withLock { $0.listener }?.yield(.place(uri, place)) }

    // MARK: Connector

    private func turn() throws(SourceFault) {
        guard isDown else { return }
        var fault = SourceFault(.unavailable, "The attic does not answer.")
        fault.isUntaken = true
        throw fault
    }

    package func check() async throws(SourceFault) { try turn() }

    package func row(_ uri: ItemURI) -> ItemRow {
        var tags = Tags(title: "Book \(uri.text)", durationMs: 3_600_000)
        tags.kind = .book
        return ItemRow(uri: uri, tags: tags)
    }

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        [NewEntry(uri: uri, tags: row(uri).tags)]
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.file(NamedFile("/server/\(uri)", MemoryFile())))
    }

    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        try turn()
        return ItemDetails(row: row(uri))
    }

    package func place(of uri: ItemURI) async throws(SourceFault) -> ServerPlace? {
        try turn()
        return kept(uri)
    }

    package func places() async throws(SourceFault) -> [ItemURI: ServerPlace] {
        try turn()
        return state.withLock { $0.places }
    }

    package func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) {
        try turn()
        guard case .progress(let note) = note else { return }
        // In whole seconds, and with the time at which it was written.
        let place = ServerPlace(positionMs: note.place.positionMs / 1000 * 1000, isFinished: note.place.isFinished, atMs: nowMs())
        let isLost = state.withLock { state in
            state.places[note.uri] = place
            state.written.append(note)
            return Int.random(in: 0..<100, using: &state.random) < state.lost
        }
        tell(note.uri, place)
        if isLost { throw SourceFault(.unavailable, "The answer was lost.") }
    }

    package func hasReached(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) -> Bool? {
        try turn()
        guard case .progress(let note) = note else { return nil }
        return (kept(note.uri) ?? .none).isSame(as: note.place)
    }

    package func listen(_ told: @escaping @Sendable (SourceNews) async -> Void) async throws(SourceFault) {
        try turn()
        let (stream, continuation) = AsyncStream.makeStream(of: SourceNews.self)
        let earlier = state.withLock { state in
            defer { state.listener = continuation }
            return state.listener
        }
        earlier?.finish()
        for await news in stream { await told(news) }
    }
}
