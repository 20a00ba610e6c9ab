import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Rooms with endless music. `EndlessPlan` decides; the service watches queues and store, orders pieces, and stores each plan
/// before it acts on it.
@Loop
final class EndlessService: MakingHearer {
    var plans: [RoomID: EndlessPlan] = [:] { didSet { hasPlans = !plans.isEmpty } }
    private(set) var hasPlans = false
    let jobs: MakingJobs
    let rooms: RoomList
    let changes: RoomChanges
    let clock: HubClock
    let log: Log
    var keeper: (any JobKeeper)?
    /// Rooms for which a piece is being asked for.
    var busy: [RoomID: Task<Void, Never>] = [:]
    /// The reasons why rooms get no next piece, such as a full disk.
    var trouble: [RoomID: String] = [:]
    var shown: [RoomID: EndlessSection] = [:]
    var alarm: (any Alarm)?
    let writing = BackgroundQueue()
    private(set) var isClosed = false

    init(_ jobs: MakingJobs, _ rooms: RoomList, _ changes: RoomChanges, _ log: Log) {
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
        keeper = parts.keeper
        do throws(SourceFault) {
            let kept = try await jobs.sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.plans(.endless) }
            for (name, text) in kept.sorted(by: { $0.key < $1.key }) { recall(RoomID(name), EndlessPlan(text: text)) }
        } catch {
            let fault = FeatureFault("Which rooms play without end cannot be read: \(error.sentence)")
            jobs.sources.events.send(.featureFailed(.making, fault))
        }
        jobs.sources.hold.whenOver { [weak self] in self?.lookSoon() }
    }

    /// Restores a plan. A hub that ended during a move of music may have stored the plan for the old room, or for both.
    private func recall(_ kept: RoomID, _ plan: EndlessPlan?) {
        guard var plan, let live = home(of: plan, keptFor: kept) else { return keep(nil, kept) }
        if let known = plans.first(where: { $0.value.run == plan.run })?.key {
            if known != kept { keep(nil, kept) }
            return
        }
        let room = live.room.id
        if room != kept {
            keep(plan, room)
            keep(nil, kept)
        }
        // Pieces that were ordered before the hub ended get the entries that they may still need.
        for job in known(plan).sorted(by: { $0.number < $1.number }) where job.number > plan.made {
            if !isQueued(job.job.uri) { try? place(job.job, plan, live) }
            plan.ask(for: job.number, recipe: BuiltInPieces.outcome(of: job.job.request))
        }
        plans[room] = plan
        show(room)
    }

    /// The room of the plan's newest piece, since the old room may still play an earlier one; else the room for which it is stored.
    private func home(of plan: EndlessPlan, keptFor room: RoomID) -> LiveRoom? {
        let own = rooms.all.first { $0.room.id == room }
        func newest(_ live: LiveRoom) -> Int { live.room.queue.entries.compactMap { plan.number(of: $0) }.max() ?? 0 }
        guard let other = rooms.all.max(by: { newest($0) < newest($1) }), newest(other) > own.map(newest) ?? 0 else { return own }
        return other
    }

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
        if let plan = plans[room], plan.isOn, plan.wish == wish { return false }
        let parts = try jobs.opened()
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

    /// Turns endless music off. False when it was off.
    func turnOff(_ live: LiveRoom) async throws(SourceFault) -> Bool {
        _ = try jobs.opened()
        guard plans[live.room.id] != nil else { return false }
        try await save(nil, live.room.id)
        plans[live.room.id] = nil
        trouble[live.room.id] = nil
        show(live.room.id)
        return true
    }

    /// Steers a piece: one that waits for its composer, or else the next one of the room's endless music.
    func steer(_ live: LiveRoom, _ steer: Steer, once: CommandKey) async throws(SourceFault) -> SteeredPiece {
        let room = live.room.id
        if let known = try await jobs.job(madeBy: once) { return SteeredPiece(job: known.id, title: known.title) }
        if let waiting = jobs.waiting(in: room), try await jobs.steer(waiting, steer, once: once) {
            if var plan = plans[room], let job = jobs.queue[waiting], plan.number(of: waiting) == plan.made {
                plan.ask(for: plan.made, recipe: BuiltInPieces.outcome(of: job.request))
                plans[room] = plan
                keep(plan, room)
            }
            return SteeredPiece(job: waiting, title: jobs.queue[waiting]?.title)
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

    /// Moves the plan of a room whose music was moved.
    func handedOver(from source: LiveRoom, to target: LiveRoom) {
        let (old, new) = (source.room.id, target.room.id)
        guard old != new, let plan = plans.removeValue(forKey: old) else { return }
        plans[new] = plan
        trouble[new] = trouble.removeValue(forKey: old)
        keep(plan, new)
        keep(nil, old)
        show(old)
        show(new)
        lookSoon()
    }

    /// Notes a command of a person in the room.
    func pressed(_ live: LiveRoom) {
        guard hasPlans, var plan = plans[live.room.id], plan.isOn else { return }
        let before = plan.pressedMs
        plan.pressedMs = clock.wallMs()
        plans[live.room.id] = plan
        // A restart may lose the commands of some minutes.
        if plan.pressedMs - before > 10 * 60 * 1000 { keep(plan, live.room.id) }
    }
}
