/// A room that plays along with a room of another server: its connection, and the server's last state.
///
/// The server decides what plays and at which position. `JoinedRoom+Playing.swift` keeps the player in step,
/// `JoinedRoom+Commands.swift` sends people's commands to the server. A lost connection is opened again, except when the
/// server has removed this hub from the room or rejects the account; then it waits for a person.
import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

@Loop
final class JoinedRoom {
    /// The connection to the server.
    enum Link {
        case connecting
        case open(any ServerRoomConnection)
        case waiting(untilUs: Microseconds)
        /// A connection that stays closed, with the reason.
        case ended(String)
    }

    let live: LiveRoom
    let source: String
    let sourceTitle: String
    let parts: JoinedParts
    /// The name of the room at the server.
    private(set) var room: String
    private(set) var link = Link.connecting
    private(set) var attempt = 0
    private var connection = 0
    private var work: Task<Void, Never>?
    private var pause: (any Alarm)?
    private(set) var isClosed = false
    /// True when the first state has come, and our room shows it.
    private(set) var isEntered = false

    // The last state from the server.
    private(set) var state: ServerRoomState?
    private(set) var line: ServerRoomClock?
    private(set) var people: [String] = []
    /// Number of listeners in the last message that has one.
    private(set) var peopleCount = 0
    /// Length of the server's whole queue.
    private(set) var knownLength = 0
    private(set) var events = JoinedEvents()
    private var paceUs: Microseconds = 0
    private var heardCount = 0
    /// The ids of entries that are shown and never stored. The room's own entries have small ones.
    private var numbers: EntryNumbers

    // Playback here.
    var timing = JoinedTiming()
    var alarms = JoinedAlarms()
    let presses = JoinedPresses()

    /// A command that waits for the first state, up to its time limit.
    private var opening: (waiting: CheckedContinuation<SourceFault?, Never>, late: any Alarm)?
    private static let mostASecond = 40

    /// The id of the server, if it is a hub and has said so.
    private let serverHub: String?

    init(_ live: LiveRoom, at source: String, titled title: String, room: String, hub: String? = nil, parts: JoinedParts) {
        self.live = live
        self.source = source
        sourceTitle = title
        self.room = room
        serverHub = hub
        self.parts = parts
        numbers = EntryNumbers(next: UInt64(max(1, parts.clock.now.wallMs)) * 1000)
    }

    var name: String { state?.name ?? room }

    /// The hubs through which the music comes, the nearest last.
    var hubs: [String] {
        let told = state?.hubs ?? []
        return told + (serverHub.map { told.contains($0) ? [] : [$0] } ?? [])
    }

    // MARK: The connection

    /// Opens the connection and waits for the first state up to `limit`. Returns the fault when there is none.
    func begin(within limit: Duration) async -> SourceFault? {
        await withCheckedContinuation { waiting in
            opening = (waiting, parts.clock.after(limit) { [weak self] in _ = self?.close() })
            connect()
        }
    }

    /// Answers the command that waits for the first state. False when there is none.
    private func answer(_ fault: SourceFault?) -> Bool {
        guard let (waiting, late) = opening else { return false }
        opening = nil
        late.cancel()
        waiting.resume(returning: fault)
        return true
    }

    /// Opens the connection again: after the start of the hub, a change of the account, or a person's request.
    func connectAgain() {
        attempt = 0
        connect()
    }

    private func connect() {
        guard !isClosed else { return }
        pause?.cancel()
        work?.cancel()
        guard let connector = parts.sources.connectors.first(where: { $0.source == source }) else {
            return end("The account at “\(sourceTitle)” is switched off or removed.")
        }
        link = .connecting
        connection += 1
        let (number, room) = (connection, room)
        work = Task(executorPreference: parts.sources.blockingPool) { [weak self] in
            let fault = await Self.listen(
                to: room, of: connector, opened: { [weak self] in await self?.opened($0, number) },
                told: { [weak self] in await self?.heard($0, number) })
            await self?.lost(fault, number)
        }
    }

    /// Listens off the loop, until the connection has ended; returns the fault if there was no connection.
    @concurrent
    private nonisolated static func listen(
        to room: String, of connector: any Connector, opened: @escaping @Sendable (any ServerRoomConnection) async -> Void,
        told: @escaping @Sendable (ServerRoomNews) async -> Void
    ) async -> SourceFault? {
        let connection: any ServerRoomConnection
        do throws(SourceFault) { connection = try await connector.enter(room) } catch { return error }
        await opened(connection)
        while let news = await connection.next() { await told(news) }
        await connection.close()
        return nil
    }

    private func opened(_ opened: any ServerRoomConnection, _ number: Int) {
        guard number == connection, !isClosed else { return }
        link = .open(opened)
        note("Connected.")
    }

    private func lost(_ fault: SourceFault?, _ number: Int) {
        guard number == connection, !isClosed else { return }
        work = nil
        if case .ended = link { return }
        if answer(fault ?? SourceFault(.unavailable, "“\(sourceTitle)” ended the connection to its room at once.")) { return }
        if let fault, [.forbidden, .notFound, .unsupported].contains(fault.code) { return end(fault.sentence) }
        let seconds = ServerRoomPause.seconds(attempt: attempt)
        attempt += 1
        let sentence = fault?.sentence ?? "“\(sourceTitle)” ended the connection."
        note("\(sentence) Trying again in \(seconds) s.")
        link = .waiting(untilUs: parts.clock.nowUs + Microseconds(seconds) * 1_000_000)
        presses.fail(because: SourceFault(.unavailable, "The connection to “\(sourceTitle)” was lost. Try again in a moment."))
        show(problem: "The connection to the room at “\(sourceTitle)” is lost; the hub tries again. \(sentence)")
        pause = parts.clock.after(.seconds(seconds)) { [weak self] in self?.connect() }
    }

    /// Closes the connection until a person reconnects.
    private func end(_ sentence: String) {
        link = .ended(sentence)
        work?.cancel()
        note(sentence)
        presses.fail(because: SourceFault(.unavailable, sentence))
        if answer(SourceFault(.unavailable, sentence)) { return }
        show(problem: sentence)
        guard isEntered else { return }
        haltSteps()
        state?.track = nil
        perform { room, now in room.fallSilent(at: now) }
    }

    /// Closes the connection and ignores later news; the caller handles the room itself.
    func close() -> Task<Void, Never>? {
        isClosed = true
        pause?.cancel()
        haltSteps()
        alarms.cancelTick()
        presses.fail(because: .cancelled)
        _ = answer(.cancelled)
        work?.cancel()
        return work
    }

    // MARK: News

    private func heard(_ news: ServerRoomNews, _ number: Int) async {
        guard number == connection, !isClosed else { return }
        take(news)
        await keepPace()
    }

    /// Limits the rate of news. A server that sends more than rooms need is not read for a moment, so that other rooms are
    /// not slowed down.
    private func keepPace() async {
        let nowUs = parts.clock.nowUs
        if nowUs - paceUs >= 1_000_000 { (paceUs, heardCount) = (nowUs, 0) }
        heardCount += 1
        guard heardCount >= Self.mostASecond else { return }
        let rest = Duration.microseconds(max(0, paceUs + 1_000_000 - nowUs))
        await withCheckedContinuation { waiting in _ = parts.clock.after(rest) { waiting.resume() } }
    }

    private func take(_ news: ServerRoomNews) {
        switch news {
        case .state(let state, let atUs): take(state, atUs: atUs)
        case .rooms(let rooms):
            if let mine = rooms.first(where: { $0.id == room }) { (people, peopleCount) = (mine.people, mine.peopleCount) }
        case .moved(let other):
            room = other
            note("The server moved this hub to the room “\(other)”.")
            parts.rooms?.storeNote(of: self)
        case .refused(let sentence):
            note("Refused: \(sentence)")
            presses.refuse(sentence, at: sourceTitle)
        case .removed(let reason):
            end(
                "“\(sourceTitle)” has put this hub out of the room\(reason.isEmpty ? "." : ": \(reason)") Join it again: baton join \(source)"
            )
        case .unreadable(let sentence): note(sentence)
        }
    }

    private func take(_ state: ServerRoomState, atUs: Microseconds) {
        guard state.room == room else { return note("Left out what it says of another room, “\(state.room)”.") }
        if state.hubs.contains(parts.hub) {
            return end("What that room plays comes from this hub, so neither would ever play anything of its own. It is not followed.")
        }
        attempt = 0
        if !isEntered {
            parts.rooms?.enter(self)
            isEntered = true
            tick()
        }
        let before = (entry: live.room.queue.current, track: self.state?.track?.uri)
        self.state = state
        peopleCount = state.peopleCount
        if let queue = state.queue { knownLength = queue.length }
        perform { room, now in room.show(state, numbers: &numbers, at: now) }
        let isOther = before.entry != live.room.queue.current || before.track != state.track?.uri || line == nil
        var isMoved = isOther
        if isOther {
            line = ServerRoomClock(positionMs: state.positionMs, isPaused: state.isPaused, atUs: atUs)
            timing.trackChanged()
            note("Plays “\(state.track?.tags.title ?? "nothing")” from \(Int(state.positionMs)) ms.")
        } else {
            isMoved = line?.take(positionMs: state.positionMs, isPaused: state.isPaused, atUs: atUs) ?? true
            if isMoved { note("Moved to \(Int(state.positionMs)) ms.") }
        }
        show(problem: nil)
        align(isNew: isMoved)
        presses.settle(by: state, atUs: parts.clock.nowUs)
        parts.changes.publisher.tell()
        _ = answer(nil)
    }

    // MARK: The room

    /// Applies the server's decision to the room and its player.
    func perform(_ decide: (inout Room, Moment) -> Outcome) {
        live.perform(parts.changes.update(live, decide))
    }

    func show(problem: String?) {
        guard isEntered else { return }
        perform { room, _ in room.setJoinedProblem(problem) }
        parts.changes.publisher.tell()
    }

    func note(_ text: String) {
        events.note(text, atMs: parts.clock.now.wallMs)
        parts.log(.debug, "The room “\(live.room.name)” at “\(sourceTitle)”: \(text)")
    }
}
