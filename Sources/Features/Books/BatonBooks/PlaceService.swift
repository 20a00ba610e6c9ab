import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// People's places in spoken items. It gets the progress from rooms, writes it off the loop, and gives each room the start
/// positions of its entries.
///
/// All changes go through one queue, so they are stored in order. A waiting report is replaced by the next one of the same
/// stretch, and a failed write is repeated.
@Loop
final class PlaceService: PersonFinding {
    let rooms: RoomList
    let changes: RoomChanges
    let sources: Sources
    let clock: HubClock
    private let events: HubEvents
    let log: Log
    private var storage: (any PlaceStorage)?
    var watched: [RoomID: Watched] = [:]
    private var starts: [Person: [ItemURI: ResumePoint]] = [:]
    private var waiting = PlaceNotes()
    private var sessions = RoomSessions()
    let queue = BackgroundQueue()
    /// Questions for the next book of a series. Places do not wait for them, since a server may take seconds to answer.
    let proposals = BackgroundQueue()
    private var retry: (any Alarm)?
    private var isTroubled = false
    private var isClosed = false
    private let speeds: PersonSpeeds
    /// Sends places that were reported or set here to servers, one after the other, outside the turn of the room.
    weak var serverPlaces: ServerPlaces?

    typealias StoredPlaces = (change: Places.Change, places: Places)

    struct ServerReport {
        var uri: ItemURI
        var place: ItemPlace
        var person: Person
        /// The state of the room or the device.
        var state: ServerPlaceNote.State
    }

    /// The listening in one room. It is a class, so that a change is made in its place.
    @Loop
    final class Watched {
        var watch = PlaceWatch()
        var asked: Asked?
        /// The person who pressed play last.
        var person = Person.home
        var dueUs: Microseconds?
        var alarm: (any Alarm)?
    }

    /// Limit on begun items whose start positions rooms get.
    private nonisolated static let mostStarts = 2000
    private static let retryAfter = Duration.seconds(20)

    init(rooms: RoomList, changes: RoomChanges, sources: Sources, clock: HubClock, events: HubEvents, log: Log) {
        self.rooms = rooms
        self.changes = changes
        self.sources = sources
        self.clock = clock
        self.events = events
        self.log = log
        speeds = PersonSpeeds(rooms: rooms, changes: changes, sources: sources, log: log)
    }

    func open(_ storage: any PlaceStorage) {
        self.storage = storage
        queue.add { [weak self] in await self?.readStarts() }
        speeds.open(storage)
        for live in rooms.all { roomChanged(live) }
    }

    /// Writes the last positions and closes.
    func close() async {
        isClosed = true
        retry?.cancel()
        for one in watched.values {
            one.alarm?.cancel()
            add(one.watch.close(at: clock.now))
        }
        watched = [:]
        await proposals.finish()
        await queue.finish()
        await speeds.close()
    }

    var isOpen: Bool { storage != nil }

    // MARK: Rooms

    /// Whether a person begins to listen by such a command.
    static func begins(_ kind: CommandKind) -> Bool {
        switch kind {
        case .play, .toggle, .jump, .next, .prev, .queueReplace, .queueContinue, .bookChapter, .roomMove: true
        default: false
        }
    }

    func listener(in room: RoomID) -> Person { watched[room]?.person ?? .home }

    /// Notes the listener, before the command is carried out.
    func pressed(_ kind: CommandKind, by person: Person, in live: LiveRoom) {
        guard Self.begins(kind), storage != nil, listener(in: live.id) != person else { return }
        watching(live.id).person = person
        tellStarts(to: live)
        speeds.roomChanged(live, person)
    }

    /// The listening in this room, noted from now on if it was not before.
    private func watching(_ room: RoomID) -> Watched {
        let one = watched[room] ?? Watched()
        watched[room] = one
        return one
    }

    /// Called at each change of a room.
    func roomChanged(_ live: LiveRoom) {
        guard storage != nil, !isClosed else { return }
        let known = watched[live.id]
        let one = known ?? watching(live.id)
        let hadStretch = one.watch.hasStretch
        let notes = live.isGone ? one.watch.close(at: clock.now) : one.watch.look(at: live.room, by: one.person, now: clock.now)
        arm(one, for: live)
        if live.isGone { watched[live.id] = nil }
        add(asking(live, live.isGone ? nil : one, with: notes, hadStretch: hadStretch))
        speeds.roomChanged(live, one.person)
        if known == nil, !live.isGone { tellStarts(to: live) }
    }

    private func arm(_ one: Watched, for live: LiveRoom) {
        let dueUs = live.isGone ? nil : one.watch.dueUs
        guard dueUs != one.dueUs else { return }
        one.alarm?.cancel()
        one.dueUs = dueUs
        one.alarm = dueUs.map { dueUs in
            clock.after(.microseconds(max(0, dueUs - clock.nowUs))) { [weak self, weak live] in
                guard let self, let live else { return }
                self.watched[live.room.id]?.dueUs = nil
                self.roomChanged(live)
            }
        }
    }

    private func tellStarts(to live: LiveRoom) {
        let starts = starts[listener(in: live.id)] ?? [:]
        guard live.room.starts != starts else { return }
        live.perform(changes.update(live) { room, _ in room.setStarts(starts) })
    }

    private func readStarts() async {
        do throws(SourceFault) {
            let begun = try await look { storage throws(SourceFault) in try storage.begun(atMost: Self.mostStarts) }
            for one in begun { starts[one.person, default: [:]][one.uri] = one.point }
            for live in rooms.all { tellStarts(to: live) }
        } catch {
            log(.warning, "The places in books and episodes cannot be read: \(error.sentence)")
        }
    }

    /// Moves a person's places to another, or deletes them where that is `home`.
    func replace(_ person: Person, by other: Person) {
        guard storage != nil, person != other else { return }
        if person != .home {
            for one in watched.values where one.person == person { one.person = other }
        }
        speeds.replace(person, by: other)
        queue.add { [weak self] in
            self?.starts = [:]
            await self?.readStarts()
        }
    }

    // MARK: Writing

    func add(_ notes: [PlaceWatch.Note]) {
        guard !notes.isEmpty else { return }
        for note in notes { waiting.add(note) }
        writeSoon()
    }

    private func writeSoon() {
        guard retry == nil || isClosed else { return }
        queue.add { [weak self] in await self?.writeWaiting() }
    }

    private func writeWaiting() async {
        while let note = waiting.takeFirst() {
            do throws(SourceFault) {
                try await write(note)
                isTroubled = false
            } catch {
                if !isTroubled { log(.warning, "A place in “\(note.stretch.entry.tags.title)” could not be noted: \(error.sentence)") }
                isTroubled = true
                guard error.code == .unavailable, !isClosed else { continue }
                waiting.putBack(note)
                return tryLater()
            }
        }
    }

    private func tryLater() {
        retry = clock.after(Self.retryAfter) { [weak self] in
            self?.retry = nil
            self?.writeSoon()
        }
    }

    private func write(_ note: PlaceWatch.Note) async throws(SourceFault) {
        let stretch = note.stretch
        let (person, uri) = (stretch.person, stretch.entry.uri)
        switch note {
        case .began:
            let places = try await look { storage throws(SourceFault) in try storage.places(of: person, in: uri) }
            sessions.begin(stretch, at: places.current)
        case .reached(_, let positionMs, let isAtEnd):
            let session = ListeningSession(
                stretch.session, on: stretch.roomName, in: stretch.room, from: sessions.parent(of: stretch.session))
            let report = PlaceReport(
                session, positionMs: positionMs, durationMs: stretch.entry.tags.durationMs, isAtEnd: isAtEnd, atMs: clock.wallMs())
            let stored = try await write(NewEntry(uri: uri, tags: stretch.entry.tags), of: person) { places, _ throws(Refusal) in
                try places.take(report)
            }
            sessions.noteReport(of: stretch.session)
            guard stored.change != .aside, let place = stored.places.current, place.session == stretch.session else { return }
            await serverPlaces?.tell(ServerReport(uri: uri, place: place, person: person, state: isAtEnd ? .stopped : state(of: stretch)))
        }
    }

    /// The state of the stretch's room, if the stretch is still its current one.
    private func state(of stretch: PlaceWatch.Stretch) -> ServerPlaceNote.State {
        guard !isClosed, let room = rooms[stretch.room]?.room, room.queue.current == stretch.entry.id else { return .stopped }
        return switch room.timeline.state {
        case .playing, .buffering: .playing
        case .paused: .paused
        case .stopped: .stopped
        }
    }

    func write(
        _ item: NewEntry, of person: Person,
        _ body: @escaping @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) async throws(SourceFault) -> StoredPlaces {
        let stored = try await write { storage throws(SourceFault) in try storage.change(item, of: person, body) }
        took(stored, in: item.uri, of: person)
        return stored
    }

    func write(
        known uri: ItemURI, of person: Person,
        _ body: @escaping @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) async throws(SourceFault) -> StoredPlaces? {
        let stored = try await write { storage throws(SourceFault) in try storage.change(known: uri, of: person, body) }
        if let stored { took(stored, in: uri, of: person) }
        return stored
    }

    private func took(_ stored: StoredPlaces, in uri: ItemURI, of person: Person) {
        guard stored.change == .moved else { return }
        let place = stored.places.current
        let point = place.flatMap { $0.isInside ? ResumePoint(positionMs: $0.positionMs, atMs: $0.atMs) : nil }
        starts[person, default: [:]][uri] = point
        for live in rooms.all { tellStarts(to: live) }
        if place?.isFinished == true { events.send(.itemFinished(uri, person)) }
    }

    private func present() throws(SourceFault) -> any PlaceStorage {
        guard let storage else { throw SourceFault(.unsupported, "This hub was started without a place to keep such things.") }
        return storage
    }

    func look<Answer: Sendable>(
        _ question: @escaping @Sendable (any PlaceStorage) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        try await ask(within: Sources.Limit.list, question)
    }

    func write<Answer: Sendable>(
        _ change: @escaping @Sendable (any PlaceStorage) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        try await ask(within: Sources.Limit.background, change)
    }

    private func ask<Answer: Sendable>(
        within limit: Duration, _ question: @escaping @Sendable (any PlaceStorage) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let storage = try present()
        return try await sources.limited(limit) { () async throws(SourceFault) in try question(storage) }
    }
}
