package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The parts that every feature uses: rooms and their players, the journal, the published state, people and devices, sources,
/// and events. It names no feature; questions to features go through `ports`.
@Loop
package final class Kernel {
    /// The id, the name and the boot id of the hub, which do not change while it runs.
    package let identity: HubIdentity
    /// The limits of the protocol, as the configuration sets them.
    package let limits: WireLimits
    /// The log of the hub, which all features share.
    package let log: Log
    /// The level and the limits with which new rooms begin.
    package let volume: VolumeRail
    package let guests: GuestRules
    /// The clocks, which all parts share, so that a test moves all of them at once.
    package let clock: HubClock
    /// The way by which parts tell features of events, available before any of them exists.
    package let events = HubEvents()
    /// The ports by which features answer the kernel and each other; empty until features are installed.
    package let ports = Ports()
    let problems = FeatureProblems()
    /// Rows of single persons, which features store.
    package let personRows = PersonalRows()
    /// The wait for the sources at the start, which commands that name items need.
    package let settling = Settling()
    /// The hold on the hub's own work after crashes.
    package let hold: WorkHold
    /// The devices that may connect from other machines; without it none may.
    package let deviceRegistry: DeviceRegistry?
    /// The people with an account; without it none can sign in.
    package let users: UserRegistry?
    // Rooms.
    /// All rooms, private ones included.
    package let rooms: RoomList
    /// The outputs of rooms, known and unknown.
    package let outputs: RoomOutputs
    let search: OutputSearch
    /// The way to change one room, by which each change is stored and published.
    package let changes: RoomChanges
    let sleepAlarms: RoomAlarms
    let chapterAlarms: RoomAlarms
    /// The room that each client chose last, across connections and restarts.
    package let choices: RoomChoices
    /// The players of all rooms, each of which is replaced when the output of its room changes.
    package let players: RoomPlayers
    /// Changes of several rooms at once, such as a move of the music.
    package let arranger: RoomArranger
    // Published state.
    /// The revision, the ids of entries and the stored answers.
    package let ledger: Ledger
    /// The state as clients see it.
    package let publisher: StatePublisher
    /// The connected people, by device, with the rooms that they are in.
    package let people: People
    let sections: HubSections
    /// The facts of `hub.info`, a part of which the program provides.
    package let information: HubInformation
    // Sources and dialects.
    /// The sources of items, by which all questions to them go.
    package let sources: Sources
    /// The way from items to queue entries.
    package let items: ItemExpansion
    /// The links by which clients fetch items over HTTP.
    package let media = MediaPasses()
    /// The protocols that serve clients; added after the hub is made.
    package let dialects: Dialects
    /// The release of free memory after many connections have ended.
    package let memoryRelease: MemoryRelease

    /// Loads the journal and makes all parts. Rooms have no players, and no state is published before `publishRooms`.
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
        hold = WorkHold(notes: parts.crashes, parts.reactor, parts.log)
        sources = Sources(
            parts.connectors, blockingPool: parts.blockingPool, quietPool: parts.quietPool, threads: parts.sourceThreads,
            reactor: parts.reactor, hold: hold, settling: settling, events: events, pageBytes: parts.limits.pageBytes,
            searchDeadline: parts.searchDeadline, fittingRows: parts.codec.fittingRows, log: parts.log, wallMs: parts.wallMs)
        items = ItemExpansion(sources: sources, ports: ports)
        memoryRelease = MemoryRelease(parts.reactor, release: parts.releaseMemory)
        rooms = try RoomList(recovered.rooms, or: parts, ledger)
        people = People(rooms: rooms, publisher: publisher, clock: clock, events: events, limits: parts.limits)
        choices = RoomChoices(recovered.lastRooms, ledger)
        outputs = RoomOutputs(rooms, hub: parts.output, allowed: parts.allowedOutputs)
        sections = HubSections(
            identity: parts.identity, rooms: rooms, outputs: outputs, ledger: ledger, sources: sources, devices: parts.deviceRegistry,
            features: problems)
        changes = RoomChanges(rooms: rooms, ledger: ledger, publisher: publisher, sections: sections, clock: clock)
        sleepAlarms = RoomAlarms(changes, at: { $0.sleepDueUs }) { room, now in room.sleepIsDue(at: now) }
        chapterAlarms = RoomAlarms(changes, at: { $0.chapterDueUs }) { room, now in room.chapterIsDue(at: now) }
        search = OutputSearch(parts.listDevices, reactor: parts.reactor)
        players = RoomPlayers(
            makeEngine: parts.makeEngine, sources: sources, changes: changes, outputs: outputs, search: search, ports: ports,
            memoryRelease: memoryRelease, log: parts.log)
        players.hasSilentRooms = parts.hasSilentRooms
        arranger = RoomArranger(changes, players)
        information = HubInformation(
            hub: parts.identity, rooms: rooms, ledger: ledger, sections: sections, clock: clock, dialects: dialects)
    }

    /// Gives each room its player, and publishes the state for later clients.
    package func publishRooms(telling observers: RoomObservers) throws(JournalFault) {
        players.observers = observers
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
        try ledger.store([Change(room: RoomRow(live.room, output: nil, at: clock.now), revision: ledger.revision)])
        self.init([live])
    }
}
