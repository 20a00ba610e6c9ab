import BatonCore
import BatonProtocol
package import BatonSeams

/// Puts the hub together from parts that are passed in (clock and descriptors, journal, sources, players), so that the same
/// code runs in the daemon and in simulated time. Each part gets the parts that it needs, and none knows the hub.
@Loop
package final class Hub {
    package let identity: HubIdentity
    /// The devices that may connect from elsewhere; without it none may.
    package let deviceRegistry: DeviceRegistry?
    /// The people with an account; without it none can sign in.
    package let users: UserRegistry?
    let limits: WireLimits
    let clock: HubClock
    let events = HubEvents()
    // Rooms.
    let rooms: RoomList
    let outputs: RoomOutputs
    let changes: RoomChanges
    let sleepAlarms: RoomAlarms
    let chapterAlarms: RoomAlarms
    let players: RoomPlayers
    let choices: RoomChoices
    let privateRooms: PrivateRooms
    let emptyRooms: EmptyRooms
    // Published state.
    let ledger: Ledger
    let publisher: StatePublisher
    let people: People
    let information: HubInformation
    // Sources.
    let sources: Sources
    package let delivery: OutboxDelivery
    package let mirrorPasses: MirrorPasses
    let mirroredLists: MirroredLists
    let library: LibraryService
    package let accounts: SourceAccounts
    let savedQueues: SavedQueues
    let listening: SourceListening
    let queueSync: QueueSync
    let serverLists: ServerListCommands
    let radio: RadioService
    let plays: PlayCounter
    let ahead: ReadingAhead
    let keeping: KeepService
    let podcasts: PodcastService
    let places: PlaceService
    let serverPlaces: ServerPlaces
    let silences: SilenceService
    let generating: GenerationService
    let personal: PersonalRows
    let endless: EndlessService
    let clips: ClipService
    let joining: JoinedRooms
    let media = MediaPasses()
    let streams: RoomStreams
    let transcodes: Transcodes
    let settling = Settling()
    package let hold: WorkHold
    // Commands and dialects.
    let commands: CommandProcessor
    let playback: PlaybackCommands
    let dialects: Dialects
    let presence: PresenceCommands
    let memoryRelease: MemoryRelease
    /// What dialects get of the hub.
    package let ports: DialectPorts

    package init(_ parts: HubParts) throws(JournalFault) {
        let recovered = try parts.journal.load()
        identity = parts.identity
        limits = parts.limits
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
            searchDeadline: parts.searchDeadline,
            fittingRows: parts.codec.fittingRows, log: parts.log, wallMs: parts.wallMs)
        delivery = OutboxDelivery(sources, parts.reactor, parts.log)
        mirrorPasses = MirrorPasses(sources, clock, parts.log)
        mirroredLists = MirroredLists(sources, mirrorPasses, parts.log)
        library = LibraryService(sources, delivery, settling, publisher, clock, parts.log)
        accounts = SourceAccounts(sources, delivery, mirrorPasses, publisher, clock, parts.log)
        savedQueues = SavedQueues(sources, delivery, accounts, dialects, clock, parts.log)
        radio = RadioService(sources, library, publisher, clock, parts.log)
        memoryRelease = MemoryRelease(parts.reactor, release: parts.releaseMemory)

        rooms = try RoomList(recovered.rooms, or: parts, ledger)
        people = People(rooms, publisher, clock, events, parts.limits)
        choices = RoomChoices(recovered.lastRooms, ledger)
        outputs = RoomOutputs(rooms, hub: parts.output, allowed: parts.allowedOutputs)
        let sections = HubSections(parts.identity, rooms, outputs, ledger, sources, parts.deviceRegistry)
        changes = RoomChanges(rooms, ledger, publisher, sections, clock)
        sleepAlarms = RoomAlarms(changes, at: { $0.sleepDueUs }) { room, now in room.sleepIsDue(at: now) }
        chapterAlarms = RoomAlarms(changes, at: { $0.chapterDueUs }) { room, now in room.chapterIsDue(at: now) }
        streams = RoomStreams(rooms, sources, clock, parts.limits, parts.log)
        ahead = ReadingAhead(rooms, sources, streams, clock, parts.log)
        queueSync = QueueSync(rooms, sources, delivery, clock, parts.log)
        keeping = KeepService(sources, rooms, ahead, publisher, clock, parts.log)
        library.keeping = keeping
        podcasts = PodcastService(sources, library, keeping, clock, parts.log)
        places = PlaceService(rooms, changes, library, clock, events, parts.log)
        plays = PlayCounter(library, places, clock)
        serverPlaces = ServerPlaces(places, delivery, sources, dialects, clock, parts.log)
        listening = SourceListening(sources, savedQueues, mirrorPasses, serverPlaces, clock, parts.log)
        silences = SilenceService(sources, rooms, changes, parts.log)
        generating = GenerationService(sources, library, rooms, changes, publisher, clock, parts.log)
        keeping.generating = generating
        personal = PersonalRows(library, generating, places)
        endless = EndlessService(generating, rooms, changes, parts.log)
        clips = ClipService(generating, rooms, changes, parts.log)
        let search = OutputSearch(parts.listDevices, reactor: parts.reactor)
        transcodes = Transcodes(sources, clock, parts.log)
        emptyRooms = EmptyRooms(rooms, changes, outputs, people, streams)
        let hearers = RoomHearers(
            people: people, emptyRooms: emptyRooms, generating: generating, sleepAlarms: sleepAlarms, chapterAlarms: chapterAlarms,
            endless: endless, places: places, silences: silences, plays: plays, ahead: ahead, queueSync: queueSync)
        players = RoomPlayers(parts.makeEngine, sources, changes, outputs, search, hearers, silences, memoryRelease, parts.log)
        players.hasSilentRooms = parts.hasSilentRooms
        joining = JoinedRooms(
            rooms, changes, players, sources, accounts, rails: parts.volume, hub: parts.identity.id, parts.log)
        information = HubInformation(parts.identity, rooms, ledger, clock, dialects)

        let guests = GuestRules(mostEntries: parts.limits.guestEntries, volume: parts.guestVolume)
        let items = ItemExpansion(sources: sources, library: library)
        let arranger = RoomArranger(changes, players)
        let arranging = RoomCommands(
            rooms, arranger, outputs, search, ledger, clock, events, parts.limits, rails: parts.volume)
        privateRooms = PrivateRooms(rooms, arranger, people, clock, parts.limits, rails: parts.volume, random: parts.randomName)
        let pasts = StationPasts(radio: radio, clock: clock)
        playback = PlaybackCommands(rooms, changes, arranging, items, pasts, settling, guests, parts.limits)
        serverLists = ServerListCommands(sources, items, mirroredLists, changes, parts.limits)
        let sessions = ClipCommands(clips, changes, settling)
        let pieces = GenerationCommands(generating, sessions, playback, changes, settling)
        let keepCommands = KeepCommands(keeping, library, ledger, settling)
        let playlists = PlaylistCommands(
            library, items, serverLists, ledger, settling, clock, parts.limits, users: parts.users)
        let userCommands = parts.users.map { [personal, ledger, settling] in
            UserCommands($0, parts.deviceRegistry, personal, ledger, settling)
        }
        presence = PresenceCommands(people, rooms, changes, players, clock)
        commands = CommandProcessor(
            rooms, changes, players, people, parts.limits,
            CommandFamilies(
                playback: playback, arranging: arranging,
                library: LibraryCommands(sources, library, radio, places, media, rooms, changes, settling, clock),
                playlists: playlists,
                accounts: SourceCommands(accounts, delivery, savedQueues, mirrorPasses, ledger, settling),
                savedQueues: SavedQueueCommands(sources, playback, savedQueues, ledger, settling, clock),
                keeping: keepCommands,
                radio: RadioCommands(radio, pasts, playback, ledger, settling),
                podcasts: PodcastCommands(podcasts, ledger, settling),
                bookmarks: BookmarkCommands(library, items, ledger, settling, clock),
                progress: ProgressCommands(places, sources, library, changes, settling, clock),
                generating: pieces, composing: ComposingCommands(generating, endless, clips, pieces, changes, settling),
                clips: sessions,
                prompts: PromptCommands(generating, ledger, settling),
                workers: WorkerCommands(generating.workers, ledger, settling),
                joining: JoiningCommands(joining, items, changes, settling, queueLength: parts.limits.queueLength),
                presence: presence,
                listening: ListeningCommands(
                    people, sources, media, settling, changes.ledger, clock, LinkCommands(streams, changes),
                    PrivateRoomCommands(privateRooms, changes, items, places, queueLength: parts.limits.queueLength)),
                devices: parts.deviceRegistry,
                users: userCommands, information: information, hold: hold, guests: guests, privacy: PlaylistPrivacy(library: library),
                rules: RoomRules(users: parts.users), ledger: ledger))
        ports = DialectPorts(
            identity: parts.identity, limits: parts.limits, reactor: parts.reactor, door: commands, state: publisher.state,
            queues: rooms, attendance: people, choices: choices, media: MediaService(library, sources, media, clock, transcodes),
            uploads: accounts,
            devices: parts.deviceRegistry, users: parts.users, guestVolume: parts.guestVolume,
            connections: { [dialects] in dialects.connections },
            connectionEnded: { [weak memoryRelease] in memoryRelease?.note() },
            joinedHubs: { [weak joining] in joining?.hubs(of: $0) ?? [] }, streams: streams)
        parts.deviceRegistry?.open(hub: parts.identity.id, dialects, events)
        parts.users?.open(events, personal)
        events.hearer = self
        if hold.isOn { hold.whenOver { [weak changes] in changes?.refresh(nil, [.room]) } }
        try publishRooms(sections)
        if let library = parts.library { open(library) }
    }

    private func publishRooms(_ sections: HubSections) throws(JournalFault) {
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
    /// The rooms as they were kept, or the first room of a new hub.
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
