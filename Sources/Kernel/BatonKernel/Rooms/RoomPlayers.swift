import BatonCore
import BatonProtocol
package import BatonSeams

/// The players of all rooms: it creates them, handles their reports, and closes them.
@Loop
package final class RoomPlayers {
    private let makeEngine: HubParts.MakeEngine
    private let sources: Sources
    private let changes: RoomChanges
    private let outputs: RoomOutputs
    private let search: OutputSearch
    /// The parts that hear of room changes, which the hub owns. They are set before the first room gets a player.
    weak var observers: RoomObservers?
    private let ports: Ports
    private let memoryRelease: MemoryRelease
    private let chapters: SourceChapters
    var hasSilentRooms = false
    private let log: Log
    /// Players that are being closed.
    package private(set) var closing: [Int: (playerOrders: PlayerOrders, task: Task<Void, Never>)] = [:]
    private var closingNumbers = 0
    /// Number of times that a player ran out of data since the start.
    package private(set) var starvations = 0
    private var isClosed = false

    init(
        makeEngine: @escaping HubParts.MakeEngine, sources: Sources, changes: RoomChanges, outputs: RoomOutputs,
        search: OutputSearch, ports: Ports,
        memoryRelease: MemoryRelease, log: Log
    ) {
        self.makeEngine = makeEngine
        self.sources = sources
        self.changes = changes
        self.outputs = outputs
        self.search = search
        self.ports = ports
        self.memoryRelease = memoryRelease
        chapters = SourceChapters(sources)
        self.log = log
        search.players = self
    }

    private var rooms: RoomList { changes.rooms }

    // MARK: Giving and taking

    /// Gives the room a player for its current output, and closes the old one.
    package func give(to live: LiveRoom) {
        live.observers = observers
        live.awaitsOutput = !outputs.isKnown(of: live)
        let old = live.replacePlayerOrders { isCurrent in
            let engine = engine(for: live) { [weak self, weak live] report in
                guard let self, let live, isCurrent() else { return }
                self.hear(report, in: live)
            }
            return PlayerOrders(
                engine: engine, sources: sources, reactor: sources.reactor,
                fail: { [weak self, weak live] entry, fault in
                    guard let self, let live, isCurrent() else { return }
                    let reason = fault.sentence
                    self.hear(fault.code == .unavailable ? .away(entry, reason: reason) : .failed(entry, reason: reason), in: live)
                },
                others: { [weak live] entry in
                    guard let live, let at = live.room.queue.index(of: entry) else { return [] }
                    return live.room.queue.entries[at].alternatives
                },
                isLive: { [weak self, weak live] entry in
                    guard let self, let live, isCurrent() else { return }
                    self.hear(.past(entry, ageMs: nil, reachMs: nil, atUs: self.sources.reactor.nowUs), in: live)
                },
                asPlayed: { [weak self, weak live] playable, entry, uri in
                    guard let self, let live, isCurrent() else { return playable }
                    return self.ports.preparing?.asPlayed(playable, entry: entry, uri: uri, in: live) ?? playable
                })
        }
        if let old { letGo(old) }
    }

    private func engine(for live: LiveRoom, _ report: @escaping @Loop (PlayerReport) -> Void) -> any PlayerEngine {
        let output = outputs.played(by: live)
        guard live.isPrivate || hasSilentRooms && output == "null" else { return makeEngine(live.room.id, output, report) }
        return SilentPlayer(
            reactor: sources.reactor,
            lengthMs: { [weak live] entry in
                guard let queue = live?.room.queue, let at = queue.index(of: entry) else { return nil }
                return queue.entries[at].tags.durationMs
            },
            describe: { [weak live, sources] entry in
                guard let queue = live?.room.queue, let at = queue.index(of: entry) else { return nil }
                let (uri, trust) = (queue.entries[at].uri, queue.entries[at].trust)
                return (try? await sources.details(of: uri, trust: trust)).map { ($0.row.tags, $0.format) }
            }, report: report)
    }

    /// Takes the player from a deleted room.
    func takeFrom(_ live: LiveRoom) {
        live.observers?.ended(live)
        if let player = live.playerOrders { letGo(player) }
    }

    /// Uses the copy of a next track that is now on this machine's disk.
    func copied(_ uri: ItemURI) {
        for live in rooms.all where live.room.upcoming?.uri == uri { live.playerOrders?.kept(uri) }
    }

    func perform(_ orders: [PlayerOrder], in room: RoomID) { rooms[room]?.perform(orders) }

    /// Closes a player. This takes time, and the hub waits for it before it ends.
    private func letGo(_ playerOrders: PlayerOrders) {
        closingNumbers += 1
        let number = closingNumbers
        // The task prefers the loop's executor.
        let task = Task(executorPreference: Loop.jobs) { [weak self] in
            await playerOrders.close()
            await self?.hasClosed(number)
        }
        closing[number] = (playerOrders, task)
    }

    private func hasClosed(_ number: Int) {
        closing[number] = nil
        memoryRelease.note()
    }

    func untilClosed() async {
        for one in closing.values { await one.task.value }
    }

    /// Ignores the reports of players from here on.
    func stopListening() { isClosed = true }

    func close() async {
        for live in rooms.all { await live.playerOrders?.close() }
        await untilClosed()
        await search.close()
        await chapters.close()
    }

    // MARK: Reports

    func hear(_ report: PlayerReport, in live: LiveRoom) {
        guard !isClosed else { return }
        if case .devices(let devices) = report { return note(devices) }
        if case .starving(let entry) = report {
            starvations += 1
            live.playerOrders?.streamStalled(entry)
            return
        }
        // Playing goes on when the journal cannot store the report; it is written later.
        let report = ports.following?.plain(report, in: live) ?? report
        live.perform(changes.update(live) { room, now in room.hear(report, at: now) })
        ports.following?.heard(report, in: live)
        if case .began(let entry) = report {
            // The device of a silent room may have been connected meanwhile.
            if live.awaitsOutput { search.beginLater() }
            chapters.look(at: entry, in: live.room) { [weak self, weak live] in
                if let self, let live { hear($0, in: live) }
            }
        }
        changes.publisher.tell()
    }

    // MARK: Outputs

    /// Asks the player for its devices when a saved room waits for one.
    package func lookForOutputs() {
        if rooms.all.contains(where: \.awaitsOutput) { search.begin() }
    }

    /// Handles the player's list of devices, requested or not.
    func note(_ devices: [AudioDevice]) {
        guard !isClosed else { return }
        outputs.learn(devices)
        for live in rooms.all where live.awaitsOutput { settleOutput(of: live) }
        if rooms.all.contains(where: { $0.awaitsOutput && $0.isPlaying }) { search.beginLater() }
        if !rooms.all.contains(where: \.awaitsOutput) { search.rest() }
        if outputs.show(devices) { changes.refresh(nil, [.room]) }
        changes.publisher.tell()
    }

    private func settleOutput(of live: LiveRoom) {
        let wanted = outputs.output(of: live)
        guard outputs.known.has(wanted) else { return sayOutputIsMissing(wanted, in: live) }
        log(.notice, "The room “\(live.room.name)” is heard from “\(wanted)” again.")
        let orders = changes.update(live) { room, now in room.changePlayer(at: now) }
        give(to: live)
        live.perform(orders)
    }

    private func sayOutputIsMissing(_ wanted: String, in live: LiveRoom) {
        let sentence = KnownOutputs.trouble(with: wanted)
        guard live.room.outputProblem != sentence else { return }
        log(.warning, "The room “\(live.room.name)”: \(sentence)")
        _ = changes.update(live) { room, now in room.hear(.outputTrouble(sentence), at: now) }
    }
}
