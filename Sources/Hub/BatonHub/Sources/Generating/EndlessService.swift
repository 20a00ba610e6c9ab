import BatonCore
import BatonProtocol
import BatonSeams

/// Rooms that are never without their next piece. `EndlessPlan` decides; the service sees what stands in queues and store, asks for
/// pieces, and keeps each plan before it acts on it.
@Loop
final class EndlessService {
    private(set) var plans: [RoomID: EndlessPlan] = [:]
    private let generating: GenerationService
    private let rooms: RoomList
    private let changes: RoomChanges
    private let clock: HubClock
    private let log: Log
    private var keeper: (any JobKeeper)?
    /// Rooms for which a piece is being asked for.
    private var busy: [RoomID: Task<Void, Never>] = [:]
    /// What keeps a room from getting its next piece, such as a full disk.
    private var trouble: [RoomID: String] = [:]
    private var shown: [RoomID: EndlessSection] = [:]
    private var alarm: (any Alarm)?
    private let writing = BackgroundQueue()
    private var isClosed = false

    /// A room changes many times a second while its volume is turned.
    private static let pace = Duration.milliseconds(200)

    init(_ generating: GenerationService, _ rooms: RoomList, _ changes: RoomChanges, _ log: Log) {
        self.generating = generating
        self.rooms = rooms
        self.changes = changes
        clock = changes.clock
        self.log = log
    }

    // MARK: Opening

    /// Called when the jobs are open, in the same turn of the loop in which the first of them may begin.
    func open() async {
        guard let parts = generating.parts else { return }
        keeper = parts.keeper
        do throws(SourceFault) {
            let kept = try await generating.sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.plans(.endless) }
            for (name, text) in kept { recall(RoomID(name), EndlessPlan(text: text)) }
        } catch {
            log(.error, "Which rooms play without end cannot be read: \(error.sentence)")
        }
        lookSoon()
    }

    private func recall(_ room: RoomID, _ plan: EndlessPlan?) {
        guard var plan, let live = rooms.all.first(where: { $0.room.id == room }) else { return keep(nil, room) }
        // Pieces that were asked for when the hub ended: each gets the entry that it may not have got any more.
        for job in jobs(of: plan).sorted(by: { $0.number < $1.number }) where job.number > plan.made {
            if !isQueued(job.job.uri) { try? place(job.job, live) }
            plan.ask(for: job.number, recipe: BuiltInPieces.outcome(of: job.job.request))
        }
        plans[room] = plan
        show(room)
    }

    func close() async {
        isClosed = true
        alarm?.cancel()
        for task in busy.values { task.cancel() }
        for task in busy.values { await task.value }
        await writing.finish()
    }

    // MARK: What people ask for

    /// False when it was on already, in this way.
    func turnOn(_ live: LiveRoom, _ wish: EndlessPlan.Wish, author: String?) async throws(SourceFault) -> Bool {
        let room = live.room.id
        if let plan = plans[room], plan.isOn, plan.wish == wish { return false }
        let parts = try generating.opened()
        var plan = EndlessPlan(run: parts.newID(), wish, author: author, atMs: clock.wallMs())
        if let earlier = plans[room], earlier.isOn, earlier.wish.prompt == wish.prompt {
            plan = earlier
            plan.wish = wish
            plan.pressedMs = clock.wallMs()
        }
        try await save(plan.text, room)
        plans[room] = plan
        trouble[room] = nil
        show(room)
        lookSoon()
        return true
    }

    /// False when it was off.
    func turnOff(_ live: LiveRoom) async throws(SourceFault) -> Bool {
        _ = try generating.opened()
        guard plans[live.room.id] != nil else { return false }
        try await save(nil, live.room.id)
        plans[live.room.id] = nil
        trouble[live.room.id] = nil
        show(live.room.id)
        return true
    }

    /// The piece that is shaped: one that waits for its composer, else the next of the room's endless music.
    func steer(_ live: LiveRoom, _ steer: Steer, once: CommandKey) async throws(SourceFault) -> SteeredPiece {
        let room = live.room.id
        if let known = try await generating.job(madeBy: once) { return SteeredPiece(job: known.id, title: known.title) }
        if let waiting = generating.waitingPiece(of: room), generating.step(waiting, .steered(steer)) {
            try await generating.keep(waiting, once: once)
            if var plan = plans[room], let job = generating.jobs[waiting], plan.number(of: waiting) == plan.made {
                plan.ask(for: plan.made, recipe: BuiltInPieces.outcome(of: job.request))
                plans[room] = plan
                keep(plan, room)
            }
            return SteeredPiece(job: waiting, title: generating.jobs[waiting]?.title)
        }
        guard var plan = plans[room], plan.isOn else {
            throw SourceFault(
                .invalidState, "No piece of this room waits to be made. Turn endless music on, and steer what comes: baton endless on.")
        }
        let piece = plan.press(steer, once: "\(once.device) \(once.key)")
        try await save(plan.text, room)
        plans[room] = plan
        show(room)
        return SteeredPiece(piece: piece, ahead: pieces(of: plan, in: live).count { $0.isAhead })
    }

    /// A person did something in the room.
    func pressed(_ live: LiveRoom) {
        guard var plan = plans[live.room.id], plan.isOn else { return }
        let before = plan.pressedMs
        plan.pressedMs = clock.wallMs()
        plans[live.room.id] = plan
        // A restart may forget the presses of some minutes.
        if plan.pressedMs - before > 10 * 60 * 1000 { keep(plan, live.room.id) }
    }

    // MARK: Looking

    func roomChanged(_ live: LiveRoom) { if plans[live.room.id] != nil { lookSoon() } }

    func stepped(_ job: GenerationJob) {
        if plans.values.contains(where: { $0.isOn && $0.number(of: job.id) != nil }) { lookSoon() }
    }

    private func lookSoon() {
        guard alarm == nil, !isClosed, plans.values.contains(where: \.isOn) else { return }
        alarm = clock.after(Self.pace) { [weak self] in
            self?.alarm = nil
            self?.look()
        }
    }

    private func look() {
        for room in plans.keys {
            guard let live = rooms.all.first(where: { $0.room.id == room }), !live.isGone else {
                plans[room] = nil
                keep(nil, room)
                continue
            }
            if busy[room] == nil { look(at: live) }
        }
    }

    private func look(at live: LiveRoom) {
        let room = live.room.id
        guard var plan = plans[room] else { return }
        let before = plan
        let steps = plan.steps(pieces(of: plan, in: live), nowMs: clock.wallMs())
        plans[room] = plan
        if plan != before { keep(plan, room) }
        for step in steps {
            switch step {
            case .make(let number, let isBuiltIn): ask(for: number, isBuiltIn, live)
            case .drop(let number): drop(plan.id(number), live)
            case .end(let sentence): log(.notice, "\(live.room.name): \(sentence)")
            }
        }
        show(room)
    }

    private func jobs(of plan: EndlessPlan) -> [(number: Int, job: GenerationJob)] {
        generating.jobs.values.compactMap { job in plan.number(of: job.id).map { ($0, job) } }
    }

    /// What is known of the run's pieces. One whose job is so old that only the store knows it is finished.
    private func pieces(of plan: EndlessPlan, in live: LiveRoom) -> [EndlessPlan.Piece] {
        let ahead = Set(live.entriesAhead.compactMap { GenerationJob.id(in: $0.uri).flatMap(plan.number(of:)) })
        let known = jobs(of: plan)
        let old = ahead.subtracting(known.map(\.number)).map {
            EndlessPlan.Piece(number: $0, state: .ready, isBuiltIn: true, isAhead: true)
        }
        return old
            + known.map { number, job in
                EndlessPlan.Piece(
                    number: number, state: job.state, isBuiltIn: job.worker == generating.builtIn?.name, isAhead: ahead.contains(number),
                    sentence: job.sentence)
            }
    }

    private func isQueued(_ uri: ItemURI) -> Bool { rooms.all.contains { $0.room.queue.entries.contains { $0.uri == uri } } }

    // MARK: Asking for a piece

    private func ask(for number: Int, _ isBuiltIn: Bool, _ live: LiveRoom) {
        let room = live.room.id
        busy[room] = Task(executorPreference: Loop.jobs) { [weak self] in await self?.make(number, isBuiltIn, live) }
    }

    /// The job is kept first, then its entry is placed, then the plan says so: a hub that ends between two of these steps finds the job
    /// by its number.
    private func make(_ number: Int, _ isBuiltIn: Bool, _ live: LiveRoom) async {
        let room = live.room.id
        guard var plan = plans[room] else { return busy[room] = nil }
        do throws(SourceFault) {
            let job = try job(number, isBuiltIn, plan, live)
            plan.ask(for: number, recipe: BuiltInPieces.outcome(of: job.request))
            plans[room] = plan
            try await generating.add(job, once: nil)
            guard plans[room]?.run == plan.run, !live.isGone else { throw .cancelled }
            try place(job, live)
            trouble[room] = nil
            generating.begin(job.id)
            if let newest = plans[room] { try await save(newest.text, room) }
        } catch {
            // Also where it was turned off meanwhile: a job without an entry is not made.
            try? await drop(plan.id(number))
            guard error.code != .cancelled else { return busy[room] = nil }
            log(.warning, "\(live.room.name) gets no next piece: \(error.sentence)")
            trouble[room] = error.sentence
        }
        busy[room] = nil
        show(room)
        // A piece that could not be asked for waits for the next change of room or jobs.
        if trouble[room] == nil { lookSoon() }
    }

    private func job(_ number: Int, _ isBuiltIn: Bool, _ plan: EndlessPlan, _ live: LiveRoom) throws(SourceFault) -> GenerationJob {
        let parts = try generating.opened()
        let named = isBuiltIn ? nil : plan.wish.worker.flatMap { generating.workers.named($0)?.worker }
        guard let worker = named ?? generating.builtIn ?? (try? generating.worker(plan.wish.worker)) else { throw Self.noComposer }
        var request: GenerationRequest
        if worker.about.kind == .builtIn {
            request = BuiltInPieces.next(plan.wish, after: plan.recipe, seed: parts.random())
            request.steering = plan.steering(of: number)
        } else {
            request = GenerationRequest(
                prompt: plan.wish.prompt, durationS: plan.wish.durationS, seed: String(parts.random() >> 12), model: plan.wish.model,
                cfg: plan.wish.cfg)
        }
        // The first piece was asked for by a press; later ones never begin to play in a room that a person has stopped.
        let isFirst = number == 1 && !live.room.isPlaying
        return GenerationJob(
            id: plan.id(number), worker: worker.name, request: request, author: plan.author, startedMs: clock.wallMs(), room: live.room.id,
            playsWhenReady: isFirst)
    }

    static let noComposer = SourceFault(.unsupported, "This hub has no composer of its own: baton-composer is not installed beside batond.")

    private func place(_ job: GenerationJob, _ live: LiveRoom) throws(SourceFault) {
        do throws(ProtocolFault) {
            let effect = try changes.change(live) { room, numbers, now throws(Refusal) in
                try room.apply(.add([NewEntry(uri: job.uri, tags: job.tags)], at: .end), at: now, numbers: &numbers)
            }
            live.perform(effect.orders)
            changes.publisher.tell()
        } catch {
            throw SourceFault(.unavailable, error.sentence)
        }
    }

    private func drop(_ id: String) async throws(SourceFault) { _ = try await generating.cancel(id) }

    /// The entry goes with it: another piece takes its place.
    private func drop(_ id: String, _ live: LiveRoom) {
        let uri = ItemURI("\(GenerationJob.scheme):\(id)")
        let entries = live.room.queue.entries.filter { $0.uri == uri }.map(\.id)
        let effect = try? changes.change(live) { room, numbers, now throws(Refusal) in
            try room.apply(.remove(entries), at: now, numbers: &numbers)
        }
        live.perform(effect?.orders ?? [])
        changes.publisher.tell()
        writing.add { [generating] in _ = try? await generating.cancel(id) }
    }

    // MARK: Keeping and showing

    private func keep(_ plan: EndlessPlan?, _ room: RoomID) {
        let text = plan?.text
        writing.add { [weak self] in try? await self?.put(text, room) }
    }

    /// One write after the other, so that an older plan never replaces a newer one.
    private func save(_ text: String?, _ room: RoomID) async throws(SourceFault) {
        try await writing.inTurn { [weak self] () async throws(SourceFault) in try await self?.put(text, room) }
    }

    private func put(_ text: String?, _ room: RoomID) async throws(SourceFault) {
        guard let keeper else { return }
        try await generating.sources.inBlockingPool { () async throws(SourceFault) in
            try keeper.put(text, .endless, named: room.text)
        }
    }

    private func show(_ room: RoomID) {
        let section = plans[room].map { EndlessSection($0, trouble: trouble[room]) }
        guard section != shown[room] else { return }
        shown[room] = section
        let news = section.map { SectionNews(.endless($0)) } ?? SectionNews(removing: .endless)
        changes.publisher.publish([changes.publisher.draft([news], of: room)])
        changes.publisher.tell()
    }
}

extension LiveRoom {
    /// What comes behind the entry that plays; one that has not begun to play comes itself.
    fileprivate var entriesAhead: ArraySlice<QueueEntry> {
        guard let current = room.queue.currentIndex else { return [] }
        let hasBegun = room.isPlaying || room.timeline.state == .paused
        return room.queue.entries[(hasBegun ? current + 1 : current)...]
    }
}

extension EndlessSection {
    fileprivate init(_ plan: EndlessPlan, trouble: String?) {
        self.init(
            isOn: plan.isOn, prompt: plan.wish.prompt, ahead: plan.wish.ahead, follow: plan.wish.follow, worker: plan.wish.worker,
            author: plan.author, startedMs: plan.startedMs, made: plan.made, steering: plan.steering(of: plan.next),
            sentence: plan.ended ?? trouble)
    }
}
