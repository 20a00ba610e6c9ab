package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The hub itself: rooms, the board that shows them, the ledger that remembers them, and the crowd
/// that watches.
///
/// It is put together from parts that are passed in (clock and descriptors, journal, sources,
/// players), so that the same code runs in the daemon and in simulated time.
@Loop
package final class Hub {
    let reactor: any Reactor
    let log: Log
    let limits: WireLimits
    package let identity: HubIdentity
    let sources: Sources
    let ledger: Ledger
    private(set) var board = StateBoard()
    private(set) var rooms: [LiveRoom] = []
    private(set) var crowd: Crowd
    private(set) var door: Door!
    /// Where the web remote can be opened.
    package var pages: [String] = []
    /// What play means in a room whose queue is empty.
    package var welcomeMusic: ItemURI?
    /// False while the house still looks for music; who presses play in an empty room waits for it.
    package private(set) var isSettled = true
    private var settling: [CheckedContinuation<Void, Never>] = []

    private let wallMs: @Sendable () -> Int64
    let startedUs: Int64
    private var frames = StateFrames()
    private(set) var devices: [AudioDevice] = []
    private var sessionNumbers = 0
    /// The revision of the last change that should not wait for anybody's pace.
    private(set) var urgentRevision = 0
    private var writeAlarm: (any Alarm)?
    private var writeDueUs: Int64 = 0
    private var shownTrouble: JournalFault?
    private var isClosed = false

    package init(_ parts: HubParts) throws(JournalFault) {
        reactor = parts.reactor
        startedUs = parts.reactor.nowUs
        log = parts.log
        limits = parts.limits
        sources = Sources(parts.connectors, workshop: parts.workshop)
        welcomeMusic = parts.welcomeMusic
        wallMs = parts.wallMs
        let recovered = try parts.journal.load()
        ledger = try Ledger(journal: parts.journal, recovered: recovered, log: parts.log)
        identity = parts.identity
        crowd = Crowd(reactor: parts.reactor, limits: parts.limits)
        door = Door(hub: self)
        try furnish(recovered, parts)
    }

    var now: Moment { Moment(us: reactor.nowUs, wallMs: wallMs()) }
    var defaultRoom: LiveRoom { rooms[0] }

    func room(_ id: RoomID) -> LiveRoom? {
        // Few rooms: a walk is quicker than a hash.
        rooms.first { $0.room.id == id }
    }

    private func furnish(_ recovered: Recovered, _ parts: HubParts) throws(JournalFault) {
        var values = recovered.rooms.map { Room($0, limits: parts.volume) }
        if values.isEmpty { values = [Room(id: RoomID("main"), name: parts.roomName, volume: parts.volume)] }
        for room in values { rooms.append(live(room, parts)) }
        for (live, kept) in zip(rooms, recovered.rooms) { live.output = kept.room.output }
        if recovered.rooms.isEmpty { try ledger.keep(Change(room: row(of: rooms[0]), revision: ledger.revision)) }
        // After a restart every section bears the first new number: the last unsaved change may be
        // lost, and no section may carry an older number than somebody saw for other content.
        let revision = try ledger.upcomingRevision()
        board.takeEverythingDown(at: revision, in: rooms.map(\.room.id))
        for live in rooms { board.show(board.draft(live.room.sections(.all), of: live.room.id), at: revision) }
        board.show(board.draft(hubSections(.all), of: nil), at: revision)
        ledger.advance(to: revision)
    }

    private func live(_ room: Room, _ parts: HubParts) -> LiveRoom {
        let live = LiveRoom(room)
        let engine = parts.makeEngine { [weak self, weak live] report in
            guard let self, let live else { return }
            self.hear(report, in: live)
        }
        live.stage = Stage(engine: engine, sources: sources) { [weak self, weak live] entry, reason in
            guard let self, let live else { return }
            self.hear(.failed(entry, reason: reason), in: live)
        }
        live.stage.perform([.setGain(room.volume.gain), .setSpeed(permille: room.modes.speed)])
        return live
    }

    // MARK: Changing

    /// Which command a change answers.
    struct Key {
        let device: String
        let key: String
        let hash: UInt64
    }

    struct Effect {
        var reply: Reply
        var orders: [PlayerOrder]
    }

    /// Lets a room decide, keeps what must be kept, and shows the result; or leaves everything as
    /// it was.
    func change(
        _ live: LiveRoom, for id: Int = 0, keeping key: Key? = nil,
        _ decide: (inout Room, inout EntryNumbers, Moment) throws(Refusal) -> Outcome
    ) throws(ProtocolFault) -> Effect {
        let now = now
        var room = live.room
        let outcome: Outcome
        do { outcome = try decide(&room, &ledger.numbers, now) } catch { throw ProtocolFault(error) }
        let drafts = [
            board.draft(room.sections(outcome.touched), of: room.id),
            board.draft(hubSections(outcome.touched, with: room), of: nil),
        ].filter { !$0.isEmpty }
        do {
            let revision = drafts.isEmpty ? ledger.revision : try ledger.upcomingRevision()
            let reply = Reply(id: id, outcome, revision: revision, queue: room.queue)
            let kept = key.map { key in
                KeptAnswer(
                    device: key.device, key: key.key, hash: key.hash, answer: JSONWriter.bytes { reply.encode(into: &$0) },
                    atMs: now.wallMs)
            }
            if outcome.mustBeKept || kept != nil {
                let row = RoomRow(room, output: live.output, at: now)
                let steps = live.isQueueUnwritten ? [.replaced(room.queue.entries.map(EntryRow.init))] : [QueueDelta](outcome.changes)
                try ledger.keep(Change(room: row, queue: steps, answer: kept, revision: revision))
                live.isUnwritten = false
                live.isQueueUnwritten = false
            } else if !outcome.touched.isEmpty {
                live.isUnwritten = true
                armWriteBehind(.seconds(1))
            }
            live.room = room
            for draft in drafts { board.show(draft, at: revision) }
            ledger.advance(to: revision)
            if ledger.trouble != shownTrouble { showTrouble() }
            if outcome.touched.contains(.now) || outcome.touched.contains(.timeline) { urgentRevision = revision }
            return Effect(reply: reply, orders: outcome.orders)
        } catch {
            showTrouble()
            throw ProtocolFault(.unavailable, error.sentence)
        }
    }

    /// What is left of a command once its answer has gone: the first slice of everyone else, the
    /// player, then the rest. A slice is a millisecond at most, which nobody hears; a player that is
    /// woken before it competes for the processor with a hundred watchers being told.
    func carryOut(_ answer: Answer) {
        if answer.reply.isSuccess { crowd.tell() }
        if !answer.orders.isEmpty, let id = answer.room { room(id)?.stage.perform(answer.orders) }
    }

    func hear(_ report: PlayerReport, in live: LiveRoom) {
        guard !isClosed else { return }
        if case .devices(let devices) = report { return show(devices) }
        do throws(ProtocolFault) {
            let effect = try change(live) { room, _, now in room.hear(report, at: now) }
            if !effect.orders.isEmpty { live.stage.perform(effect.orders) }
        } catch {
            // The journal cannot keep what was heard; playing goes on and the picture follows.
            live.stage.perform(hearUnkept(report, in: live))
        }
        crowd.tell()
    }

    /// With a full disk the room still has to know where it is; what could not be kept is noted
    /// and written when there is room again.
    private func hearUnkept(_ report: PlayerReport, in live: LiveRoom) -> [PlayerOrder] {
        let outcome = live.room.hear(report, at: now)
        live.isUnwritten = true
        if ![QueueDelta](outcome.changes).isEmpty { live.isQueueUnwritten = true }
        armWriteBehind(.seconds(5))
        refresh(live, outcome.touched)
        return outcome.orders
    }

    private func show(_ devices: [AudioDevice]) {
        guard devices != self.devices else { return }
        self.devices = devices
        refresh(nil, [.room])
        crowd.tell()
    }

    /// Shows what has changed outside of any command.
    private func refresh(_ live: LiveRoom?, _ touched: Facets) {
        var drafts = [board.draft(hubSections(touched), of: nil)]
        if let live { drafts.append(board.draft(live.room.sections(touched), of: live.room.id)) }
        guard drafts.contains(where: { !$0.isEmpty }), let revision = try? ledger.upcomingRevision() else { return }
        for draft in drafts { board.show(draft, at: revision) }
        ledger.advance(to: revision)
    }

    /// The house is about to look for music.
    package func beginSettling() { isSettled = false }

    package func settle() {
        isSettled = true
        for waiting in settling { waiting.resume() }
        settling = []
    }

    func untilSettled() async {
        guard !isSettled else { return }
        await withCheckedContinuation { settling.append($0) }
    }

    /// Puts something into an empty queue, for somebody to press play.
    package func offer(_ offers: [Offer]) {
        let live = defaultRoom
        guard live.room.queue.isEmpty, !offers.isEmpty else { return }
        let items = offers.map { NewEntry(uri: $0.uri, tags: $0.tags) }
        let effect = try? change(live) { room, numbers, now throws(Refusal) in
            try room.apply(.add(items, at: .end), at: now, numbers: &numbers)
        }
        if effect != nil { crowd.tell() }
    }

    // MARK: Keeping

    private func row(of live: LiveRoom) -> RoomRow { RoomRow(live.room, output: live.output, at: now) }

    /// The room, and its whole queue when steps of that could not be kept.
    private func unwritten(of live: LiveRoom) -> Change {
        let queue: [QueueDelta] = live.isQueueUnwritten ? [.replaced(live.room.queue.entries.map(EntryRow.init))] : []
        return Change(room: row(of: live), queue: queue, revision: ledger.revision)
    }

    /// Soft state is written a second after it changed; a playing room's position every five.
    private func armWriteBehind(_ delay: Duration) {
        let dueUs = reactor.nowUs + Int64(delay / .microseconds(1))
        guard writeAlarm == nil || dueUs < writeDueUs, !isClosed else { return }
        writeAlarm?.cancel()
        writeDueUs = dueUs
        writeAlarm = reactor.after(delay) { [weak self] in
            guard let self else { return }
            self.writeAlarm = nil
            self.writeBehind()
            if self.rooms.contains(where: { $0.isUnwritten || $0.room.isPlaying }) { self.armWriteBehind(.seconds(5)) }
        }
    }

    private func writeBehind() {
        let due = rooms.filter { $0.isUnwritten || $0.room.isPlaying }
        guard !due.isEmpty else { return }
        let isWritten = ledger.writeBehind(due.map(unwritten(of:)))
        for live in due {
            live.isUnwritten = !isWritten
            live.isQueueUnwritten = live.isQueueUnwritten && !isWritten
        }
        showTrouble()
    }

    /// Whether the journal can be written is for everyone to see, when it changes.
    private func showTrouble() {
        guard ledger.trouble != shownTrouble else { return }
        shownTrouble = ledger.trouble
        refresh(nil, [.room])
        crowd.tell()
    }

    // MARK: Showing

    func frame(for key: StateFrames.Key) -> Frame? { frames.frame(for: key, board: board, revision: ledger.revision) }

    func answer(_ id: Int, with data: [UInt8]) -> Answer {
        Answer(Reply(id: id, .applied(), revision: ledger.revision), data: data)
    }

    func nextSession() -> Int {
        sessionNumbers += 1
        return sessionNumbers
    }

    // MARK: Closing

    /// Tells everyone, keeps everything, lets the players go.
    package func close() async {
        isClosed = true
        writeAlarm?.cancel()
        crowd.endAll(.goingAway, "The hub is stopping.")
        _ = ledger.writeBehind(rooms.map(unwritten(of:)))
        for live in rooms { await live.stage.close() }
    }
}

/// One room as it lives: the value that decides, and the stage that carries out.
@Loop
final class LiveRoom {
    var room: Room
    var output: String?
    var stage: Stage!
    /// Its soft state is newer than what is kept.
    var isUnwritten = false
    /// Steps of its queue happened that could not be kept; the next write brings the whole queue.
    var isQueueUnwritten = false

    init(_ room: Room) { self.room = room }
}

/// What a hub is made of.
package struct HubParts {
    package var reactor: any Reactor
    package var log: Log
    package var limits: WireLimits
    package var identity: HubIdentity
    package var journal: any Journal
    package var connectors: [any Connector]
    package var workshop: (any TaskExecutor)?
    package var makeEngine: @Loop (@escaping @Loop (PlayerReport) -> Void) -> any PlayerEngine
    package var wallMs: @Sendable () -> Int64
    /// Start level, ceiling and start maximum of a new room.
    package var volume: VolumeRail
    package var roomName: String
    package var welcomeMusic: ItemURI?

    package init(
        reactor: any Reactor, log: Log, limits: WireLimits = .standard, identity: HubIdentity, journal: any Journal,
        connectors: [any Connector], workshop: (any TaskExecutor)? = nil,
        makeEngine: @escaping @Loop (@escaping @Loop (PlayerReport) -> Void) -> any PlayerEngine,
        wallMs: @escaping @Sendable () -> Int64, volume: VolumeRail = VolumeRail(), roomName: String = "Main room",
        welcomeMusic: ItemURI? = nil
    ) {
        self.reactor = reactor
        self.log = log
        self.limits = limits
        self.identity = identity
        self.journal = journal
        self.connectors = connectors
        self.workshop = workshop
        self.makeEngine = makeEngine
        self.wallMs = wallMs
        self.volume = volume
        self.roomName = roomName
        self.welcomeMusic = welcomeMusic
    }
}

/// Who this hub is.
package struct HubIdentity: Sendable {
    package static let protocolMajor = 1
    package static let version = "0.1.0"

    /// Stable, random.
    package var id: String
    package var name: String
    /// Names the life of the monotonic clock.
    package var boot: String

    package init(id: String, name: String, boot: String) {
        self.id = id
        self.name = name
        self.boot = boot
    }
}
