package import BatonCore
package import BatonSeams
import Synchronization

/// A server in memory with one room, which says what the test has it say. It outlives a simulated hub, and may be down.
package final class RoomServer: Connector {
    private struct State {
        var isDown = false
        var hubs: [String] = []
        var entered: [Microseconds] = []
        var lines: [RoomServerLine] = []
        var actions: [ServerRoomAction] = []
        var first: ServerRoomNews?
    }

    package let source = "attic"
    private let nowUs: @Sendable () -> Microseconds
    private let state = Mutex(State())

    package init(nowUs: @escaping @Sendable () -> Microseconds) { self.nowUs = nowUs }

    package var about: SourceAbout { SourceAbout(name: "The attic", abilities: [.browse, .rooms, .remote]) }

    // MARK: What the test sets and sees

    package var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }
    /// What its room plays comes from these.
    package var hubs: [String] {
        get { state.withLock { $0.hubs } }
        set { state.withLock { $0.hubs = newValue } }
    }
    /// When somebody tried to enter the room.
    package var entered: [Microseconds] { state.withLock { $0.entered } }
    package var actions: [ServerRoomAction] { state.withLock { $0.actions } }

    /// Says this to those who are in the room, and first to those who enter it.
    package func say(_ news: ServerRoomNews) {
        let lines = state.withLock { state in
            state.first = news
            return state.lines
        }
        for line in lines { line.say(news) }
    }

    package func drop() {
        let lines = state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
        for line in lines { line.end() }
    }

    package func track(_ number: Int, ms: Milliseconds = 60_000) -> NewEntry {
        NewEntry(uri: ItemURI("attic:track/\(number)"), tags: Tags(title: "Song \(number)", durationMs: ms))
    }

    // MARK: The connector

    package func rooms() async throws(SourceFault) -> ServerRooms {
        guard !isDown else { throw Self.down }
        return ServerRooms([ServerRoom(id: "main", name: "Main", isDefault: true, hubs: hubs)])
    }

    package func enter(_ room: String) async throws(SourceFault) -> any ServerRoomConnection {
        let line = RoomServerLine { [weak self] in self?.took($0) }
        let (isDown, first) = state.withLock { state in
            state.entered.append(nowUs())
            if !state.isDown { state.lines.append(line) }
            return (state.isDown, state.first)
        }
        guard !isDown else { throw Self.down }
        if let first { line.say(first) }
        return line
    }

    private static let down = SourceFault(.unavailable, "The attic cannot be reached.")

    private func took(_ action: ServerRoomAction) { state.withLock { $0.actions.append(action) } }

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [NewEntry(uri: uri, tags: Tags())] }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.file(NamedFile("/music/\(uri.text.split(separator: "/").last ?? "")", MemoryFile())))
    }
}

/// One connection to its room.
package final class RoomServerLine: ServerRoomConnection {
    private let news: AsyncStream<ServerRoomNews>
    private let continuation: AsyncStream<ServerRoomNews>.Continuation
    private let took: @Sendable (ServerRoomAction) -> Void

    init(_ took: @escaping @Sendable (ServerRoomAction) -> Void) {
        self.took = took
        (news, continuation) = AsyncStream.makeStream(of: ServerRoomNews.self)
    }

    func say(_ one: ServerRoomNews) { continuation.yield(one) }
    func end() { continuation.finish() }

    package func next() async -> ServerRoomNews? {
        for await one in news { return one }
        return nil
    }

    package func send(_ action: ServerRoomAction) async throws(SourceFault) { took(action) }
    package func close() async { continuation.finish() }
}
