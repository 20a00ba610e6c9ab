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
    private(set) var libraryService: LibraryService!
    let media = MediaPasses()
    /// Who may come in from elsewhere; without it nobody may.
    package let deviceRegistry: DeviceRegistry?
    var published = PublishedState()
    var rooms: [LiveRoom] = []
    /// How many rooms were deleted: a session that has seen as many has lost none.
    var roomsLost = 0
    var lastRooms = LastRooms()
    private(set) var subscribers: Subscribers
    private(set) var commands: CommandProcessor!
    private(set) var people: People!
    let memoryRelease: MemoryRelease
    /// Where the web remote can be opened.
    package var pages: [String] = []
    /// What the house around the hub says of itself when somebody asks.
    package var describeDiagnostics: @Loop () -> HubDiagnostics? = { nil }
    package var describeMemory: @Loop () -> HubDiagnostics.Memory? = { nil }
    /// What play means in a room whose queue is empty; asked when it is pressed, since there may be music by then.
    package var welcomeMusic: @Loop () -> ItemURI? = { nil }
    /// False while the house still looks for music; who presses play in an empty room waits for it.
    package private(set) var isSettled = true
    private var settling: [CheckedContinuation<Void, Never>] = []

    let makeEngine: HubParts.MakeEngine
    /// Where the hub itself is heard.
    let output: String
    /// How loud a new room is, and how loud any room may be at most.
    let rails: VolumeRail
    /// The levels between which guests may turn the volume who have no span of their own; not at all, if `nil`.
    let guestVolume: ClosedRange<Int>?
    /// Players that are being let go.
    var closingPlayers: [Int: (playerOrders: PlayerOrders, task: Task<Void, Never>)] = [:]
    var closingNumbers = 0

    private let wallMs: @Sendable () -> Int64
    let startedUs: Int64
    private(set) var frames = StateFrames()
    var devices: [AudioDevice] = []
    var outputs: KnownOutputs
    /// What of them the owner named, and everybody may be told.
    let allowedOutputs: [String]
    private(set) var outputSearch: OutputSearch!
    private var sessionNumbers = 0
    /// The revision of the last change that should not wait for anybody's pace.
    var urgentRevision = 0
    var writeAlarm: (any Alarm)?
    var writeDueUs: Int64 = 0
    var shownTrouble: JournalFault?
    private(set) var isClosed = false

    package init(_ parts: HubParts) throws(JournalFault) {
        reactor = parts.reactor
        startedUs = parts.reactor.nowUs
        log = parts.log
        limits = parts.limits
        sources = Sources(
            parts.connectors, blockingPool: parts.blockingPool, reactor: parts.reactor, pageBytes: parts.limits.pageBytes, log: parts.log)
        welcomeMusic = { [music = parts.welcomeMusic] in music }
        makeEngine = parts.makeEngine
        output = parts.output
        outputs = KnownOutputs(named: parts.allowedOutputs + [parts.output])
        allowedOutputs = parts.allowedOutputs.filter { !$0.hasPrefix("pcm:") }
        rails = parts.volume
        guestVolume = parts.guestVolume
        wallMs = parts.wallMs
        let recovered = try parts.journal.load()
        lastRooms = LastRooms(recovered.lastRooms)
        ledger = try Ledger(journal: parts.journal, recovered: recovered, log: parts.log)
        identity = parts.identity
        deviceRegistry = parts.deviceRegistry
        memoryRelease = MemoryRelease(reactor: parts.reactor)
        subscribers = Subscribers(reactor: parts.reactor, limits: parts.limits, memoryRelease)
        outputSearch = OutputSearch(parts.listDevices, reactor: parts.reactor) { [weak self] in self?.note($0) }
        memoryRelease.release = { [weak self, release = parts.releaseMemory] in release(self?.subscribers.count == 0) }
        commands = CommandProcessor(hub: self)
        people = People(hub: self)
        libraryService = LibraryService(hub: self)
        sources.untilComplete = { [weak self] in await self?.untilSettled() }
        sources.changed = { [weak self] in
            self?.refresh(nil, [.room])
            self?.subscribers.tell()
        }
        try setUpRooms(recovered, parts)
        if let library = parts.library { open(library) }
        deviceRegistry?.windowChanged = { [weak self] in self?.showPairingWindow() }
        deviceRegistry?.endSessions = { [weak self] device, code, fault in
            for session in self?.subscribers.sessions ?? [] where session.caller.paired == device {
                session.refuse(fault)
                session.end(code, fault.sentence)
            }
        }
    }

    package var epoch: String { ledger.epoch }
    var now: Moment { Moment(us: reactor.nowUs, wallMs: wallMs()) }
    var defaultRoom: LiveRoom { rooms[0] }

    func room(_ id: RoomID) -> LiveRoom? {
        // Few rooms: a walk is quicker than a hash.
        rooms.first { $0.room.id == id }
    }

    private func setUpRooms(_ recovered: Recovered, _ parts: HubParts) throws(JournalFault) {
        rooms = recovered.rooms.map { LiveRoom(Room($0, limits: rails), output: $0.room.output, limits: limits) }
        if rooms.isEmpty {
            rooms = [LiveRoom(Room(id: RoomID("main"), name: parts.roomName, volume: rails), limits: limits)]
            try ledger.keep([Change(room: row(of: rooms[0]), revision: ledger.revision)])
        }
        for live in rooms { makePlayerOrders(of: live) }
        // After a restart every section bears the first new number: the last unsaved change may be
        // lost, and no section may carry an older number than somebody saw for other content.
        let revision = try ledger.upcomingRevision()
        published.takeEverythingDown(at: revision, in: rooms.map(\.room.id))
        for live in rooms {
            published.show(published.draft(live.room.sections(.all), of: live.room.id), at: revision)
            _ = live.summary.look(at: live.room, output: live.output, .all)
        }
        published.show(published.draft(hubSections(.room), of: nil), at: revision)
        ledger.advance(to: revision)
    }

    /// Shows a section that is kept nowhere, and leaves telling to the caller. False when it could not be.
    func post(_ section: EncodedSection) -> Bool {
        let draft = published.draft([section], of: nil)
        guard !draft.isEmpty else { return true }
        guard let revision = try? ledger.upcomingRevision() else { return false }
        published.show(draft, at: revision)
        ledger.advance(to: revision)
        return true
    }

    // MARK: Settling in

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

    // MARK: Showing

    func frame(for key: StateFrames.Key) -> Frame? { frames.frame(for: key, published: published, revision: ledger.revision) }

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
        memoryRelease.close()
        writeAlarm?.cancel()
        people.close()
        deviceRegistry?.close()
        sources.close()
        subscribers.endAll(.goingAway, "The hub is stopping.")
        _ = ledger.writeBehind(rooms.map(unwritten(of:)))
        for live in rooms { await live.playerOrders.close() }
        await untilPlayersAreClosed()
        await outputSearch.close()
        await libraryService.close()
    }
}
