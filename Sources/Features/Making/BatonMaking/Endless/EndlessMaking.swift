import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Rooms with endless music. `EndlessPlanner` decides; this part watches queues and jobs, requests pieces, and stores each plan
/// before it acts on it.
@Loop
final class EndlessMaking: MakingObserver {
    private(set) var planner = EndlessPlanner()
    private let jobs: MakingJobs
    private let rooms: RoomList
    private let changes: RoomChanges
    private let clock: HubClock
    private let log: Log
    private var storage: (any JobStorage)?
    /// Rooms for which a piece is being requested.
    private var busy: [RoomID: Task<Void, Never>] = [:]
    private var shown: [RoomID: EndlessSection] = [:]
    private var alarm: (any Alarm)?
    private let writing = BackgroundQueue()
    private var isClosed = false

    /// Time between two checks. A room changes many times a second while its volume is turned.
    private static let pace = Duration.milliseconds(200)

    init(jobs: MakingJobs, rooms: RoomList, changes: RoomChanges, log: Log) {
        self.jobs = jobs
        self.rooms = rooms
        self.changes = changes
        clock = changes.clock
        self.log = log
        jobs.add(self)
    }

    // MARK: Opening

    /// Called when the jobs are open, in the same turn of the loop in which the first of them may begin.
    func open() async {
        guard let parts = jobs.parts else { return }
        storage = parts.storage
        do throws(SourceFault) {
            let kept = try await jobs.sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.plans(.endless) }
            for (name, text) in kept.sorted(by: { $0.key < $1.key }) { recall(RoomID(name), EndlessPlan(text: text)) }
        } catch {
            let fault = FeatureFault("Which rooms play without end cannot be read: \(error.sentence)")
            jobs.sources.events.send(.featureFailed(.making, fault))
        }
        jobs.sources.hold.whenOver { [weak self] in self?.lookSoon() }
    }

    /// Restores a plan. A hub that ended during a move of music may have stored the plan for the old room, or for both.
    private func recall(_ kept: RoomID, _ plan: EndlessPlan?) {
        guard let plan, let live = home(of: plan, keptFor: kept) else { return store(nil, kept) }
        if let known = planner.room(ofRun: plan.run) {
            if known != kept { store(nil, kept) }
            return
        }
        let room = live.room.id
        if room != kept {
            store(plan, room)
            store(nil, kept)
        }
        // Pieces that were requested before the hub ended get the entries that they may still need.
        let (recalled, later) = EndlessPlanner.recalled(plan, in: jobs.queue)
        for job in later where !isQueued(job.uri) { try? enqueue(job, of: recalled, in: live) }
        begin(recalled, in: room)
    }

    func begin(_ plan: EndlessPlan, in room: RoomID) {
        planner.begin(plan, in: room)
        show(room)
    }

    /// The room of the plan's newest piece, since the old room may still play an earlier one; else the room for which it is stored.
    private func home(of plan: EndlessPlan, keptFor room: RoomID) -> LiveRoom? {
        let own = rooms.all.first { $0.room.id == room }
        func newest(_ live: LiveRoom) -> Int { live.room.queue.entries.compactMap { plan.number(of: $0) }.max() ?? 0 }
        guard let other = rooms.all.max(by: { newest($0) < newest($1) }), newest(other) > own.map(newest) ?? 0 else { return own }
        return other
    }

    private func isQueued(_ uri: ItemURI) -> Bool { rooms.all.contains { $0.room.queue.entries.contains { $0.uri == uri } } }

    func close() async {
        isClosed = true
        alarm?.cancel()
        for task in busy.values { task.cancel() }
        for task in busy.values { await task.value }
        await writing.finish()
    }

    // MARK: Commands

    /// Turns endless music on. False when it was on with the same wish.
    func turnOn(_ live: LiveRoom, _ wish: EndlessPlan.Wish, author: String?) async throws(SourceFault) -> Bool {
        let room = live.room.id
        if planner.isOn(in: room, with: wish) { return false }
        let run = try jobs.opened().numbers.newID()
        let plan = planner.plan(for: wish, in: room, run: run, author: author, atMs: clock.wallMs())
        try await save(plan.text, room)
        begin(plan, in: room)
        lookSoon()
        return true
    }

    /// Turns endless music off. False when it was off.
    func turnOff(_ live: LiveRoom) async throws(SourceFault) -> Bool {
        _ = try jobs.opened()
        guard planner[live.room.id] != nil else { return false }
        try await save(nil, live.room.id)
        planner.end(in: live.room.id)
        show(live.room.id)
        return true
    }

    /// Steers a piece: one that waits for its composer, or else the next one of the room's endless music.
    func steer(_ live: LiveRoom, _ steer: Steer, once: CommandKey) async throws(SourceFault) -> SteeredPiece {
        let room = live.room.id
        if let known = try await jobs.job(madeBy: once) { return SteeredPiece(job: known.id, title: known.title) }
        if let waiting = jobs.waiting(in: room), try await jobs.steer(waiting, steer, once: once) {
            let job = jobs.queue[waiting]
            if let plan = job.flatMap({ planner.steered($0, in: room) }) { store(plan, room) }
            return SteeredPiece(job: waiting, title: job?.title)
        }
        guard var plan = planner[room], plan.isOn else {
            throw SourceFault(
                .invalidState, "No piece of this room waits to be made. Turn endless music on, and steer what comes: baton endless on.")
        }
        let piece = plan.press(steer, once: "\(once.device) \(once.key)")
        try await save(plan.text, room)
        planner.replace(plan, in: room)
        show(room)
        let pieces = EndlessPlanner.pieces(of: plan, ahead: live.entriesAhead, in: jobs.queue, composer: jobs.workers.builtIn?.name)
        return SteeredPiece(piece: piece, ahead: pieces.count { $0.isAhead })
    }

    /// Moves the plan of a room whose music was moved.
    func handedOver(from source: LiveRoom, to target: LiveRoom) {
        let (old, new) = (source.room.id, target.room.id)
        guard let plan = planner.move(from: old, to: new) else { return }
        store(plan, new)
        store(nil, old)
        show(old)
        show(new)
        lookSoon()
    }

    /// Notes a command of a person in the room.
    func pressed(_ live: LiveRoom) {
        guard !planner.isEmpty, let plan = planner.pressed(in: live.room.id, atMs: clock.wallMs()) else { return }
        store(plan, live.room.id)
    }

    // MARK: Looking

    func roomChanged(_ live: LiveRoom) { if !planner.isEmpty, planner[live.id] != nil { lookSoon() } }

    func hear(_ news: MakingNews) { if case .stepped(let job) = news, planner.concerns(job) { lookSoon() } }

    /// Checks for the next pieces after changes of queues and jobs.
    private func lookSoon() {
        guard alarm == nil, !isClosed, !jobs.sources.hold.isOn, planner.isOn else { return }
        alarm = clock.after(Self.pace) { [weak self] in
            self?.alarm = nil
            self?.look()
        }
    }

    private func look() {
        for room in planner.rooms {
            guard let live = rooms.all.first(where: { $0.room.id == room }), !live.isGone else {
                planner.end(in: room)
                store(nil, room)
                continue
            }
            if busy[room] == nil { look(at: live) }
        }
    }

    private func look(at live: LiveRoom) {
        let room = live.id
        let (steps, changed) = planner.steps(
            in: room, ahead: live.entriesAhead, in: jobs.queue, composer: jobs.workers.builtIn?.name, atMs: clock.wallMs())
        if let changed { store(changed, room) }
        for step in steps {
            switch step {
            case .make(let number, let isBuiltIn):
                busy[room] = Task(executorPreference: Loop.jobs) { [weak self] in await self?.make(number, isBuiltIn: isBuiltIn, for: live)
                }
            case .drop(let number): if let plan = planner[room] { drop(plan.id(number), live) }
            case .end(let sentence): log(.notice, "\(live.room.name): \(sentence)")
            }
        }
        show(room)
    }

    // MARK: Making

    /// Makes a piece. The job is stored first, then its entry is placed, then the plan is stored. A hub that ends between
    /// two of these steps finds the job by its number.
    private func make(_ number: Int, isBuiltIn: Bool, for live: LiveRoom) async {
        let room = live.room.id
        guard let plan = planner[room] else { return busy[room] = nil }
        do throws(SourceFault) {
            let numbers = try jobs.opened().numbers
            let worker = try worker(of: plan, isBuiltIn)
            let next = planner.job(
                for: number, in: room, by: worker, random: numbers.random(), startsRoom: !live.isPlaying, atMs: clock.wallMs())
            guard let job = next else { throw .cancelled }
            try await jobs.add(job, once: nil)
            guard planner[room]?.run == plan.run, !live.isGone else { throw .cancelled }
            try enqueue(job, of: plan, in: live)
            planner.note(nil, in: room)
            jobs.begin(job.id)
            if let newest = planner[room] { try await save(newest.text, room) }
        } catch {
            // This includes a plan that was turned off meanwhile, since a job without an entry is not wanted.
            _ = try? await jobs.cancel(plan.id(number))
            guard error.code != .cancelled else { return busy[room] = nil }
            log(.warning, "\(live.room.name) gets no next piece: \(error.sentence)")
            planner.note(error.sentence, in: room)
        }
        busy[room] = nil
        show(room)
        // A piece that could not be requested waits for the next change of a room or job.
        if planner.trouble(of: room) == nil { lookSoon() }
    }

    private func worker(of plan: EndlessPlan, _ isBuiltIn: Bool) throws(SourceFault) -> any GenerationWorker {
        let named = isBuiltIn ? nil : plan.wish.worker.flatMap { jobs.workers.named($0)?.worker }
        guard let worker = named ?? jobs.workers.builtIn ?? (try? jobs.worker(plan.wish.worker)) else { throw Workers.noComposer }
        return worker
    }

    private func enqueue(_ job: GenerationJob, of plan: EndlessPlan, in live: LiveRoom) throws(SourceFault) {
        do throws(ProtocolFault) {
            let effect = try changes.change(live) { room, numbers, now throws(Refusal) in
                try room.append(
                    NewEntry(uri: job.uri, tags: job.tags), retiring: { plan.number(of: $0) != nil }, at: now, numbers: &numbers)
            }
            live.perform(effect.orders)
            changes.publisher.tell()
        } catch {
            throw SourceFault(.unavailable, error.sentence)
        }
    }

    /// Cancels a piece and removes its entry. Another piece replaces it.
    private func drop(_ id: String, _ live: LiveRoom) {
        let uri = ItemURI("\(GenerationJob.scheme):\(id)")
        let entries = live.room.queue.entries.filter { $0.uri == uri }.map(\.id)
        live.perform(changes.update(live) { room, now in room.retire(entries, at: now) })
        changes.publisher.tell()
        writing.add { [jobs] in await jobs.withdraw(id) }
    }

    // MARK: Store and section

    private func store(_ plan: EndlessPlan?, _ room: RoomID) {
        let text = plan?.text
        writing.add { [weak self] in try? await self?.put(text, room) }
    }

    /// Writes a plan. Writes run one after the other, so that an older plan never replaces a newer one.
    private func save(_ text: String?, _ room: RoomID) async throws(SourceFault) {
        try await writing.inTurn { [weak self] () async throws(SourceFault) in try await self?.put(text, room) }
    }

    private func put(_ text: String?, _ room: RoomID) async throws(SourceFault) {
        guard let storage else { return }
        try await jobs.sources.inBlockingPool { () async throws(SourceFault) in
            try storage.put(text, .endless, named: room.text)
        }
    }

    private func show(_ room: RoomID) {
        let section = planner.section(of: room)
        guard section != shown[room] else { return }
        shown[room] = section
        let news = section.map { SectionNews(.endless($0)) } ?? SectionNews(removing: .endless)
        changes.publisher.publish([changes.publisher.draft([news], of: room)])
        changes.publisher.tell()
    }
}

extension LiveRoom {
    /// The entries after the current one. A current entry that has not started counts as well.
    fileprivate var entriesAhead: ArraySlice<QueueEntry> {
        guard let current = room.queue.currentIndex else { return [] }
        let hasBegun = isPlaying || room.timeline.state == .paused
        return room.queue.entries[(hasBegun ? current + 1 : current)...]
    }
}
