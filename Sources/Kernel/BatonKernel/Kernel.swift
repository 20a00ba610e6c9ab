package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The parts that every feature uses: rooms and their players, the journal, the published state, people and devices, sources,
/// and events. It names no feature; questions to features go through `ports`.
@Loop
package final class Kernel {
    package let identity: HubIdentity
    package let limits: WireLimits
    package let log: Log
    package let volume: VolumeRail
    let guests: GuestRules
    package let clock: HubClock
    package let events = HubEvents()
    package let ports = Ports()
    let problems = FeatureProblems()
    /// Rows of single persons, which features store.
    package let personRows = PersonalRows()
    package let settling = Settling()
    package let hold: WorkHold
    /// The devices that may connect from other machines; without it none may.
    package let deviceRegistry: DeviceRegistry?
    /// The people with an account; without it none can sign in.
    package let users: UserRegistry?
    // Rooms.
    package let rooms: RoomList
    package let outputs: RoomOutputs
    let search: OutputSearch
    package let changes: RoomChanges
    let sleepAlarms: RoomAlarms
    let chapterAlarms: RoomAlarms
    package let choices: RoomChoices
    package let players: RoomPlayers
    package let arranger: RoomArranger
    // Published state.
    package let ledger: Ledger
    package let publisher: StatePublisher
    package let people: People
    let sections: HubSections
    package let information: HubInformation
    // Sources and dialects.
    package let sources: Sources
    package let items: ItemExpansion
    package let media = MediaPasses()
    package let dialects: Dialects
    package let memoryRelease: MemoryRelease

    package init(_ parts: HubParts) throws(JournalFault) {
        let recovered = try parts.journal.load()
        identity = parts.identity
        limits = parts.limits
        log = parts.log
        volume = parts.volume
        guests = GuestRules(mostEntries: parts.limits.guestEntries, volume: parts.guestVolume)
        deviceRegistry = parts.deviceRegistry
        users = parts.users
        clock = HubClock(parts.reactor, parts.journal, wallMs: parts.wallMs)
        ledger = try Ledger(journal: parts.journal, recovered: recovered, log: parts.log)
        publisher = StatePublisher(ledger)
        dialects = Dialects(media)
        hold = WorkHold(parts.crashes, parts.reactor, parts.log)
        sources = Sources(
            parts.connectors, blockingPool: parts.blockingPool, quietPool: parts.quietPool, threads: parts.sourceThreads,
            reactor: parts.reactor, hold: hold, settling: settling, events: events, pageBytes: parts.limits.pageBytes,
            searchDeadline: parts.searchDeadline, fittingRows: parts.codec.fittingRows, log: parts.log, wallMs: parts.wallMs)
        items = ItemExpansion(sources: sources, ports: ports)
        memoryRelease = MemoryRelease(parts.reactor, release: parts.releaseMemory)
        rooms = try RoomList(recovered.rooms, or: parts, ledger)
        people = People(rooms, publisher, clock, events, parts.limits)
        choices = RoomChoices(recovered.lastRooms, ledger)
        outputs = RoomOutputs(rooms, hub: parts.output, allowed: parts.allowedOutputs)
        sections = HubSections(parts.identity, rooms, outputs, ledger, sources, parts.deviceRegistry, problems)
        changes = RoomChanges(rooms, ledger, publisher, sections, clock)
        sleepAlarms = RoomAlarms(changes, at: { $0.sleepDueUs }) { room, now in room.sleepIsDue(at: now) }
        chapterAlarms = RoomAlarms(changes, at: { $0.chapterDueUs }) { room, now in room.chapterIsDue(at: now) }
        search = OutputSearch(parts.listDevices, reactor: parts.reactor)
        players = RoomPlayers(parts.makeEngine, sources, changes, outputs, search, ports, memoryRelease, parts.log)
        players.hasSilentRooms = parts.hasSilentRooms
        arranger = RoomArranger(changes, players)
        information = HubInformation(parts.identity, rooms, ledger, clock, dialects)
    }

    /// Gives each room its player, and publishes the state for later clients.
    package func publishRooms(telling hearers: RoomHearers) throws(JournalFault) {
        players.hearers = hearers
        for live in rooms.all { players.give(to: live) }
        let revision = try ledger.upcomingRevision()
        publisher.begin(with: rooms.all.map(\.room.id), at: revision)
        for live in rooms.all {
            publisher.show([publisher.draft(live.room.sections(.all), of: live.room.id)], at: revision)
        }
        publisher.show([publisher.draft(sections.sections(.room), of: nil)], at: revision)
    }
}

extension RoomList {
    /// The stored rooms, or the first room of a new hub.
    fileprivate convenience init(_ recovered: [RecoveredRoom], or parts: HubParts, _ ledger: Ledger) throws(JournalFault) {
        let clock = HubClock(parts.reactor, parts.journal, wallMs: parts.wallMs)
        let present = recovered.filter { $0.deletion == 0 }
        guard present.isEmpty else {
            let deleted = recovered.filter { $0.deletion > 0 }.sorted { $0.deletion < $1.deletion }
            self.init(
                present.map { LiveRoom(Room($0, limits: parts.volume, at: clock.now), output: $0.room.output, limits: parts.limits) },
                deleted: deleted, order: recovered.map(\.room.id))
            return
        }
        let live = LiveRoom(Room(id: RoomID("main"), name: parts.roomName, volume: parts.volume), limits: parts.limits)
        try ledger.keep([Change(room: RoomRow(live.room, output: nil, at: clock.now), revision: ledger.revision)])
        self.init([live])
    }
}
