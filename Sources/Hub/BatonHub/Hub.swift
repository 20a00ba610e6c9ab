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
    private(set) var libraryDesk: LibraryDesk!
    let media = MediaPasses()
    /// Who may come in from elsewhere; without it nobody may.
    package let register: Register?
    var board = StateBoard()
    var rooms: [LiveRoom] = []
    /// How many rooms were deleted: a session that has seen as many has lost none.
    var roomsLost = 0
    var habits = Habits()
    private(set) var crowd: Crowd
    private(set) var door: Door!
    private(set) var people: People!
    let memoryRelease: MemoryRelease
    /// Where the web remote can be opened.
    package var pages: [String] = []
    /// What the house around the hub says of itself when somebody asks.
    package var describeHouse: @Loop () -> HouseInfo? = { nil }
    package var describeMemory: @Loop () -> HouseInfo.Memory? = { nil }
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
    var farewells: [Int: (stage: Stage, task: Task<Void, Never>)] = [:]
    var farewellNumbers = 0

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
            parts.connectors, workshop: parts.workshop, reactor: parts.reactor, pageBytes: parts.limits.pageBytes, log: parts.log)
        welcomeMusic = { [music = parts.welcomeMusic] in music }
        makeEngine = parts.makeEngine
        output = parts.output
        outputs = KnownOutputs(named: parts.allowedOutputs + [parts.output])
        allowedOutputs = parts.allowedOutputs.filter { !$0.hasPrefix("pcm:") }
        rails = parts.volume
        guestVolume = parts.guestVolume
        wallMs = parts.wallMs
        let recovered = try parts.journal.load()
        habits = Habits(recovered.habits)
        ledger = try Ledger(journal: parts.journal, recovered: recovered, log: parts.log)
        identity = parts.identity
        register = parts.register
        memoryRelease = MemoryRelease(reactor: parts.reactor, release: parts.releaseMemory)
        crowd = Crowd(reactor: parts.reactor, limits: parts.limits, memoryRelease)
        outputSearch = OutputSearch(parts.listDevices, reactor: parts.reactor) { [weak self] in self?.note($0) }
        door = Door(hub: self)
        people = People(hub: self)
        libraryDesk = LibraryDesk(hub: self)
        sources.untilComplete = { [weak self] in await self?.untilSettled() }
        sources.changed = { [weak self] in
            self?.refresh(nil, [.room])
            self?.crowd.tell()
        }
        try furnish(recovered, parts)
        if let library = parts.library { open(library) }
        register?.windowChanged = { [weak self] in self?.showPairingWindow() }
        register?.endSessions = { [weak self] device, code, fault in
            for session in self?.crowd.sessions ?? [] where session.caller.paired == device {
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

    private func furnish(_ recovered: Recovered, _ parts: HubParts) throws(JournalFault) {
        rooms = recovered.rooms.map { LiveRoom(Room($0, limits: rails), output: $0.room.output, limits: limits) }
        if rooms.isEmpty {
            rooms = [LiveRoom(Room(id: RoomID("main"), name: parts.roomName, volume: rails), limits: limits)]
            try ledger.keep([Change(room: row(of: rooms[0]), revision: ledger.revision)])
        }
        for live in rooms { putUpStage(of: live) }
        // After a restart every section bears the first new number: the last unsaved change may be
        // lost, and no section may carry an older number than somebody saw for other content.
        let revision = try ledger.upcomingRevision()
        board.takeEverythingDown(at: revision, in: rooms.map(\.room.id))
        for live in rooms {
            board.show(board.draft(live.room.sections(.all), of: live.room.id), at: revision)
            _ = live.glance.look(at: live.room, output: live.output, .all)
        }
        board.show(board.draft(hubSections(.room), of: nil), at: revision)
        ledger.advance(to: revision)
    }

    /// Shows a section that is kept nowhere, and leaves telling to the caller. False when it could not be.
    func post(_ section: EncodedSection) -> Bool {
        let draft = board.draft([section], of: nil)
        guard !draft.isEmpty else { return true }
        guard let revision = try? ledger.upcomingRevision() else { return false }
        board.show(draft, at: revision)
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
        memoryRelease.close()
        writeAlarm?.cancel()
        people.close()
        register?.close()
        sources.close()
        crowd.endAll(.goingAway, "The hub is stopping.")
        _ = ledger.writeBehind(rooms.map(unwritten(of:)))
        for live in rooms { await live.stage.close() }
        await untilFarewellsAreOver()
        await outputSearch.close()
        await libraryDesk.close()
    }
}
