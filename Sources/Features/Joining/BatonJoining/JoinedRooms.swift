/// The rooms that play along with rooms of other servers.
///
/// The followed room is noted beside the account, and the room's own queue stays unchanged in the journal. A hub that is
/// killed while it plays along has its own queue when it comes back, and joins again by itself.
package import BatonCore
package import BatonKernel
import BatonProtocol
package import BatonSeams

@Loop
package final class JoinedRooms: RoomFollowing {
    private let rooms: RoomList
    private let changes: RoomChanges
    private let players: RoomPlayers
    private let sources: Sources
    private let accounts: any AccountMemory
    private let rails: VolumeRail
    private var parts: JoinedParts
    private var joined: [RoomID: JoinedRoom] = [:] { didSet { isEmpty = joined.isEmpty } }
    private(set) var isEmpty = true
    /// Accounts whose notes of rooms were read.
    private var known: Set<String> = []
    private let keeping = BackgroundQueue()
    private var isClosed = false

    init(
        rooms: RoomList, changes: RoomChanges, players: RoomPlayers, sources: Sources, accounts: any AccountMemory,
        rails: VolumeRail, hub: String, log: Log
    ) {
        self.rooms = rooms
        self.changes = changes
        self.players = players
        self.sources = sources
        self.accounts = accounts
        self.rails = rails
        parts = JoinedParts(changes: changes, sources: sources, clock: changes.clock, log: log, hub: hub)
        parts.rooms = self
    }

    func room(_ id: RoomID) -> JoinedRoom? { joined[id] }

    /// The hubs through which this room's music comes, the nearest last. Empty for a room that plays its own queue.
    package func hubs(of id: RoomID) -> [String] { joined[id]?.hubs ?? [] }

    func close() async {
        isClosed = true
        let works = joined.values.compactMap { $0.close() }
        for work in works { await work.value }
        await keeping.finish()
    }

    // MARK: Joining

    private static let firstStateLimit = Duration.seconds(10)

    /// Joins a room. False when nothing changed.
    func join(_ source: String, _ wanted: String?, in live: LiveRoom) async throws(SourceFault) -> Bool {
        let connector = try await sources.connector(named: source)
        let title = connector.about.name
        guard connector.about.abilities.contains(.rooms) else {
            throw SourceFault(.unsupported, "The source “\(title)” has no rooms that can be joined.")
        }
        let found = try await sources.ask(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
            try await connector.rooms()
        }
        guard found.hub != parts.hub else {
            throw SourceFault(.invalidState, "“\(title)” is this hub itself, and a hub does not play along with itself.")
        }
        let room = try Self.choose(wanted, of: found.rooms, at: title)
        guard !room.hubs.contains(parts.hub) else {
            throw SourceFault(
                .invalidState,
                "What “\(room.name)” at “\(title)” plays comes from this hub, so neither would ever play anything of its own.")
        }
        if let old = joined[live.room.id], old.source == source, old.room == room.id, old.isEntered {
            if case .ended = old.link { old.connectAgain() }
            return false
        }
        let new = JoinedRoom(live, at: source, titled: title, room: room.id, hub: found.hub, parts: parts)
        if let fault = await new.begin(within: Self.firstStateLimit) {
            _ = new.close()
            guard fault.code == .cancelled else { throw fault }
            throw SourceFault(.unavailable, "“\(title)” lets the hub into “\(room.name)”, but does not say what it plays.")
        }
        storeNote(of: new)
        return true
    }

    private static func choose(_ wanted: String?, of rooms: [ServerRoom], at title: String) throws(SourceFault) -> ServerRoom {
        guard let wanted else {
            guard let room = rooms.first(where: \.isDefault) ?? rooms.first else {
                throw SourceFault(.notFound, "“\(title)” has no room.")
            }
            return room
        }
        if let room = rooms.first(where: { $0.id == wanted }) { return room }
        let named = rooms.filter { CaselessName($0.name) == CaselessName(wanted) }
        if named.count == 1 { return named[0] }
        let names = rooms.prefix(20).map(\.name).joined(separator: ", ")
        throw named.isEmpty
            ? SourceFault(.notFound, "“\(title)” has no room “\(wanted)”. There is: \(names).")
            : SourceFault(.badRequest, "“\(title)” has several rooms called “\(wanted)”. Name one by its id.")
    }

    /// Enters the server's room after its first state. The room's own state is stored and waits.
    func enter(_ new: JoinedRoom) {
        let live = new.live
        if let old = joined[live.room.id], old !== new { _ = old.close() }
        joined[live.room.id] = new
        if !live.isJoined {
            let row = RoomRow(live.room, output: live.output, at: changes.clock.now)
            try? changes.ledger.store([changes.unwritten(of: live)])
            live.own = Room(RecoveredRoom(room: row, queue: live.room.queue), limits: rails, at: changes.clock.now)
        }
        change(live, to: live.room.joined())
    }

    /// Changes the content of a room, and gives it a new player, since the old one may be in the middle of its orders.
    private func change(_ live: LiveRoom, to room: Room) {
        _ = changes.update(live) { old, _ in
            old = room
            return Self.whole(room)
        }
        players.give(to: live)
        changes.publisher.tell()
    }

    private static func whole(_ room: Room) -> BatonCore.Outcome {
        var outcome = BatonCore.Outcome()
        outcome.changes = [.replaced(room.queue.entries), .current(room.queue.current)]
        outcome.touched = .all
        return outcome
    }

    // MARK: Leaving

    /// Leaves the server's room. False when this room follows none.
    func leave(_ live: LiveRoom) -> Bool {
        let old = joined.removeValue(forKey: live.room.id)
        _ = old?.close()
        if let old { forgetNote(of: old) }
        guard let own = live.own else { return old != nil }
        let room = live.room.left(for: own)
        live.own = nil
        change(live, to: room)
        return true
    }

    // MARK: The player

    package func plain(_ report: PlayerReport, in live: LiveRoom) -> PlayerReport { joined[live.room.id]?.plain(report) ?? report }

    package func heard(_ report: PlayerReport, in live: LiveRoom) {
        guard live.isJoined else { return }
        joined[live.room.id]?.heard(report)
    }

    // MARK: Accounts

    private nonisolated static func fact(_ room: RoomID) -> String { "joined \(room.text)" }

    /// Notes the name of the server's room.
    func storeNote(of room: JoinedRoom) { write(room.room, of: room) }

    private func forgetNote(of room: JoinedRoom) { write(nil, of: room) }

    private func write(_ value: String?, of room: JoinedRoom) {
        guard let memory = accounts.memory(ofAccount: room.source), !isClosed else { return }
        let fact = Self.fact(room.live.room.id)
        keeping.add { [sources] in
            try? await sources.inBlockingPool { () async throws(SourceFault) in memory.store(value, fact) }
        }
    }

    /// Handles an account that was added or changed.
    func sourceChanged(_ name: String) {
        guard !isClosed else { return }
        for one in joined.values where one.source == name { one.connectAgain() }
        guard sources.connectors.contains(where: { $0.source == name }), known.insert(name).inserted,
            let memory = accounts.memory(ofAccount: name)
        else { return }
        let ids = rooms.all.map(\.room.id)
        keeping.add { [weak self, sources] in
            let found = try? await sources.inBlockingPool { () async throws(SourceFault) in
                ids.compactMap { id in memory.value(Self.fact(id)).map { (id, $0) } }
            }
            for (id, room) in found ?? [] { self?.joinAgain(name, room, in: id) }
        }
    }

    /// Joins a noted room after a restart.
    private func joinAgain(_ source: String, _ room: String, in id: RoomID) {
        guard !isClosed, joined[id] == nil, let live = rooms[id] else { return }
        let title = accounts.title(ofAccount: source) ?? source
        let again = JoinedRoom(live, at: source, titled: title, room: room, parts: parts)
        joined[id] = again
        again.connectAgain()
    }

    /// Leaves the rooms of a removed account, so that they play their own queues.
    func forget(_ source: String) {
        known.remove(source)
        for one in joined.values where one.source == source { _ = leave(one.live) }
    }
}
