import BatonCore
import BatonSeams
import Harness
import Synchronization

/// A server that keeps favourites, stars and plays, goes down, loses answers and asks to be left alone, as a seed decides.
final class SimulatedServer: Sendable {
    struct State {
        var random: SeededGenerator
        var isDown = false
        /// Of a hundred requests, so many are acted on and not answered, answered with “busy”, or fail before they arrive.
        var lost = 0
        var busy = 0
        var missed = 0
        /// What arrived, in order.
        var arrived: [WriteBack] = []
        /// When it may be asked again.
        var busyUntilUs: Microseconds = 0
        /// Requests while it had asked to be left alone.
        var early = 0
    }

    private let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(random: SeededGenerator(seed))) }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    var arrived: [WriteBack] { state.withLock { $0.arrived } }
    var early: Int { state.withLock { $0.early } }

    func take(_ note: WriteBack, nowUs: Microseconds) throws(SourceFault) {
        let fault = state.withLock { state -> SourceFault? in
            if state.isDown { return SourceFault(.unavailable, "The server is away.") }
            if nowUs < state.busyUntilUs { state.early += 1 }
            let drawn = Int.random(in: 0..<100, using: &state.random)
            if drawn < state.lost {
                state.arrived.append(note)
                return SourceFault(.unavailable, "The answer was lost.")
            }
            if drawn < state.lost + state.busy {
                state.busyUntilUs = nowUs + 20_000_000
                var fault = SourceFault(.unavailable, "The server is busy.")
                fault.isUntaken = true
                fault.retryAfterMs = 20_000
                return fault
            }
            if drawn < state.lost + state.busy + state.missed { return SourceFault(.unavailable, "The connection broke.") }
            state.arrived.append(note)
            return nil
        }
        if let fault { throw fault }
    }

    func has(_ note: WriteBack) throws(SourceFault) -> Bool {
        let (isDown, has) = state.withLock { ($0.isDown, $0.arrived.contains(note)) }
        if isDown { throw SourceFault(.unavailable, "The server is away.") }
        return has
    }

    func check() throws(SourceFault) {
        if state.withLock({ $0.isDown }) { throw SourceFault(.unavailable, "The server is away.") }
    }
}

/// An account at it, in one life of the hub: after its end nothing reaches the server.
struct SimulatedAccount: Connector {
    let source = "home"
    let server: SimulatedServer
    let life: DeliveryLife
    var showsPlays = true

    var about: SourceAbout { SourceAbout(name: "Home", abilities: [.favourites, .stars, .plays, .nowPlaying, .queue]) }

    func check() async throws(SourceFault) { try server.check() }
    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [] }
    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        throw SourceFault(.notFound, "There is no “\(uri)”.")
    }

    func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) {
        try life.step()
        if case .stars(_, let stars) = note, stars > 5 { throw SourceFault(.badRequest, "There are five stars.") }
        try server.take(note, nowUs: Loop.assumeIsolated { life.time.nowUs })
        try life.step()
    }

    func hasReached(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) -> Bool? {
        try life.step()
        if case .played = note, showsPlays { return try server.has(note) }
        try server.check()
        return nil
    }
}

/// One life of a hub, which ends after so many steps as a process does that is killed.
final class DeliveryLife: Sendable {
    let time: VirtualTime
    private let left: Mutex<Int>

    init(_ time: VirtualTime, steps: Int) {
        self.time = time
        left = Mutex(steps)
    }

    var isOver: Bool { left.withLock { $0 <= 0 } }

    func end() { left.withLock { $0 = 0 } }

    func step() throws(SourceFault) {
        let isOver = left.withLock { left in
            left -= 1
            return left <= 0
        }
        if isOver { throw SourceFault(.cancelled, "The hub is dead.") }
    }
}

/// The outbox as one life of the hub sees it: it can end before each change and after it.
struct MortalOutbox: Outbox {
    let outbox: any Outbox
    let life: DeliveryLife

    private func step<Result>(_ body: () throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try life.step()
        let result = try body()
        try life.step()
        return result
    }

    func add(_ note: WriteBack, for source: String, atMs: Milliseconds) throws(SourceFault) {
        try step { () throws(SourceFault) in try outbox.add(note, for: source, atMs: atMs) }
    }

    func next(for source: String) throws(SourceFault) -> OutboxNote? {
        try step { () throws(SourceFault) in try outbox.next(for: source) }
    }

    func begin(_ id: Int64) throws(SourceFault) -> Bool { try step { () throws(SourceFault) in try outbox.begin(id) } }
    func finish(_ id: Int64) throws(SourceFault) { try step { () throws(SourceFault) in try outbox.finish(id) } }

    func store(_ id: Int64, _ sentence: String, isUncertain: Bool) throws(SourceFault) {
        try step { () throws(SourceFault) in try outbox.store(id, sentence, isUncertain: isUncertain) }
    }

    func refuse(_ id: Int64, _ sentence: String) throws(SourceFault) {
        try step { () throws(SourceFault) in try outbox.refuse(id, sentence) }
    }

    func pending(of source: String, limit: Int) throws(SourceFault) -> [OutboxNote] { try outbox.pending(of: source, limit: limit) }
    func counts() throws(SourceFault) -> [String: OutboxCount] { try outbox.counts() }
    func pendingItems() throws(SourceFault) -> [ItemURI: Int] { try outbox.pendingItems() }
    func drop(of source: String) throws(SourceFault) -> Int { try outbox.drop(of: source) }
}
