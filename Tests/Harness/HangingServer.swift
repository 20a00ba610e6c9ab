package import BatonCore
package import BatonSeams
import Synchronization

/// A server whose process can be stopped: what it is asked waits until it goes on, or until the caller gives up. It may stop in some
/// of its steps only. What it has is that of another source.
package final class HangingServer: Connector {
    package enum Step: CaseIterable, Sendable { case check, browse, search, details, expand, resolve, mirror, writeBack, rooms }

    private struct State {
        var stopped: Set<Step> = []
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var numbers = 0
        var asked: [Step: Int] = [:]

        /// As they were asked, so that each seed of a simulation happens in one way only.
        var inOrder: [CheckedContinuation<Void, Never>] { waiting.sorted { $0.key < $1.key }.map(\.value) }
    }

    private let server: any Connector
    private let state = Mutex(State())

    package init(_ server: any Connector) { self.server = server }

    package var source: String { server.source }
    package var about: SourceAbout {
        var about = server.about
        about.abilities.insert(.remote)
        return about
    }

    // MARK: What a test sets and sees

    /// Stops in these steps, and goes on in all others.
    package func stop(in steps: Set<Step> = Set(Step.allCases)) {
        let waiting = state.withLock { state in
            state.stopped = steps
            defer { if steps.isEmpty { state.waiting = [:] } }
            return steps.isEmpty ? state.inOrder : []
        }
        for one in waiting { one.resume() }
    }

    package func goOn() { stop(in: []) }

    /// The caller has died: what it asked is answered for nobody, and the server is as it was.
    package func drop() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.inOrder
        }
        for one in waiting { one.resume() }
    }

    /// How often it was asked for this.
    package func asked(_ step: Step) -> Int { state.withLock { $0.asked[step, default: 0] } }
    package var askedInAll: Int { state.withLock { $0.asked.values.reduce(0, +) } }
    /// Questions that wait for it to go on.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func turn(_ step: Step) async throws(SourceFault) {
        let number = state.withLock { state in
            state.numbers += 1
            state.asked[step, default: 0] += 1
            return state.numbers
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                let isStopped = state.withLock { state in
                    guard state.stopped.contains(step), !Task.isCancelled else { return false }
                    state.waiting[number] = waiting
                    return true
                }
                if !isStopped { waiting.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        if Task.isCancelled { throw .cancelled }
    }

    // MARK: Connector

    package func check() async throws(SourceFault) {
        try await turn(.check)
        try await server.check()
    }

    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        try await turn(.browse)
        return try await server.browse(query)
    }

    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        try await turn(.search)
        return try await server.search(query)
    }

    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        try await turn(.details)
        return try await server.details(of: uri)
    }

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        try await turn(.expand)
        return try await server.expand(uri, trust: trust)
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        try await turn(.resolve)
        return try await server.resolve(uri, trust: trust)
    }

    package func mirror(after cursor: String?) async throws(SourceFault) -> MirrorPage {
        try await turn(.mirror)
        return try await server.mirror(after: cursor)
    }

    package func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) {
        try await turn(.writeBack)
        try await server.writeBack(note, atMs: atMs)
    }

    package func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes { try await server.download(uri) }

    package func rooms() async throws(SourceFault) -> ServerRooms {
        try await turn(.rooms)
        return try await server.rooms()
    }

    package func enter(_ room: String) async throws(SourceFault) -> any ServerRoomConnection { try await server.enter(room) }
}
