import BatonCore
import BatonProtocol
import BatonSeams

/// The planner of endless music: a value that says for each room which piece is made next, and what becomes of one that is
/// steered, fails or waits. `EndlessPlan` decides for one run; `EndlessMaking` carries out what is decided.
struct EndlessPlanner {
    private var plans: [RoomID: EndlessPlan] = [:]
    /// The reasons why rooms get no next piece, such as a full disk.
    private var troubles: [RoomID: String] = [:]

    // MARK: Finding

    subscript(room: RoomID) -> EndlessPlan? { plans[room] }

    var isEmpty: Bool { plans.isEmpty }
    var rooms: [RoomID] { Array(plans.keys) }
    /// True while a run requests pieces.
    var isOn: Bool { plans.values.contains(where: \.isOn) }

    func trouble(of room: RoomID) -> String? { troubles[room] }

    func section(of room: RoomID) -> EndlessSection? {
        plans[room].map { plan in
            EndlessSection(
                isOn: plan.isOn, prompt: plan.wish.prompt, ahead: plan.wish.ahead, follow: plan.wish.follow, worker: plan.wish.worker,
                author: plan.author, startedMs: plan.startedMs, made: plan.made, steering: plan.steering(of: plan.next),
                sentence: plan.ended ?? troubles[room])
        }
    }

    func room(ofRun run: String) -> RoomID? { plans.first { $0.value.run == run }?.key }

    /// True for a job whose steps may change what is made next.
    func concerns(_ job: GenerationJob) -> Bool { plans.values.contains { $0.isOn && $0.number(of: job.id) != nil } }

    /// The jobs of the plan's pieces.
    private static func jobs(of plan: EndlessPlan, in queue: MakingQueue) -> [(number: Int, job: GenerationJob)] {
        queue.jobs.values.compactMap { job in plan.number(of: job.id).map { ($0, job) } }
    }

    /// The state of the run's pieces. A job that is only in the store is finished.
    static func pieces(
        of plan: EndlessPlan, ahead entries: some Sequence<QueueEntry>, in queue: MakingQueue, composer: String?
    ) -> [EndlessPlan.Piece] {
        let ahead = Set(entries.compactMap { plan.number(of: $0) })
        let known = jobs(of: plan, in: queue)
        let old = ahead.subtracting(known.map(\.number)).map {
            EndlessPlan.Piece(number: $0, state: .ready, isBuiltIn: true, isAhead: true)
        }
        return old
            + known.map { number, job in
                EndlessPlan.Piece(
                    number: number, state: job.state, isBuiltIn: job.worker == composer, isAhead: ahead.contains(number),
                    sentence: job.sentence)
            }
    }

    // MARK: Pieces

    /// The next steps of a room, and its plan if they have changed it.
    mutating func steps(
        in room: RoomID, ahead entries: some Sequence<QueueEntry>, in queue: MakingQueue, composer: String?, atMs nowMs: Milliseconds
    ) -> (steps: [EndlessPlan.Step], changed: EndlessPlan?) {
        guard var plan = plans[room] else { return ([], nil) }
        let steps = plan.steps(Self.pieces(of: plan, ahead: entries, in: queue, composer: composer), nowMs: nowMs)
        let isChanged = plan != plans[room]
        plans[room] = plan
        return (steps, isChanged ? plan : nil)
    }

    /// The job for a piece of the room. From now on the plan counts it as requested.
    mutating func job(
        for number: Int, in room: RoomID, by worker: any GenerationWorker, random: UInt64, startsRoom: Bool, atMs nowMs: Milliseconds
    ) -> GenerationJob? {
        guard var plan = plans[room] else { return nil }
        var request: GenerationRequest
        if worker.about.kind == .builtIn {
            request = BuiltInPieces.next(plan.wish, after: plan.recipe, seed: random)
            request.steering = plan.steering(of: number)
        } else {
            request = GenerationRequest(
                prompt: plan.wish.prompt, durationS: plan.wish.durationS, seed: String(random >> 12), model: plan.wish.model,
                cfg: plan.wish.cfg)
        }
        plan.ask(for: number, recipe: BuiltInPieces.outcome(of: request))
        plans[room] = plan
        // The first piece was ordered by a person; later ones never start in a room that a person has stopped.
        return GenerationJob(
            id: plan.id(number), worker: worker.name, request: request, author: plan.author, startedMs: nowMs, room: room,
            playsWhenReady: number == 1 && startsRoom)
    }

    /// Notes that the room has its next piece, or the reason why it has none.
    mutating func note(_ trouble: String?, in room: RoomID) { troubles[room] = trouble }

    /// A stored plan with the pieces that were requested before the hub ended, and their jobs.
    static func recalled(_ plan: EndlessPlan, in queue: MakingQueue) -> (plan: EndlessPlan, jobs: [GenerationJob]) {
        var plan = plan
        let later = jobs(of: plan, in: queue).filter { $0.number > plan.made }.sorted { $0.number < $1.number }
        for (number, job) in later { plan.ask(for: number, recipe: BuiltInPieces.outcome(of: job.request)) }
        return (plan, later.map(\.job))
    }

    // MARK: People

    /// The plan for a wish. The same prompt continues the run.
    func plan(for wish: EndlessPlan.Wish, in room: RoomID, run: String, author: String?, atMs nowMs: Milliseconds) -> EndlessPlan {
        guard var earlier = plans[room], earlier.isOn, earlier.wish.prompt == wish.prompt else {
            return EndlessPlan(run: run, wish, author: author, atMs: nowMs)
        }
        earlier.wish = wish
        earlier.pressedMs = nowMs
        return earlier
    }

    func isOn(in room: RoomID, with wish: EndlessPlan.Wish) -> Bool { plans[room].map { $0.isOn && $0.wish == wish } ?? false }

    /// Begins the endless music of a room, or continues it with a changed plan.
    mutating func begin(_ plan: EndlessPlan, in room: RoomID) {
        plans[room] = plan
        troubles[room] = nil
    }

    /// Replaces the plan by one that has changed in the store.
    mutating func replace(_ plan: EndlessPlan, in room: RoomID) { plans[room] = plan }

    mutating func end(in room: RoomID) {
        plans[room] = nil
        troubles[room] = nil
    }

    /// Handles a job that was steered while it waited. Returns the plan if the next piece continues that job.
    mutating func steered(_ job: GenerationJob, in room: RoomID) -> EndlessPlan? {
        guard var plan = plans[room], plan.number(of: job.id) == plan.made else { return nil }
        plan.ask(for: plan.made, recipe: BuiltInPieces.outcome(of: job.request))
        plans[room] = plan
        return plan
    }

    /// Moves the plan of a room whose music was moved, and returns it.
    mutating func move(from old: RoomID, to new: RoomID) -> EndlessPlan? {
        guard old != new, let plan = plans.removeValue(forKey: old) else { return nil }
        plans[new] = plan
        troubles[new] = troubles.removeValue(forKey: old)
        return plan
    }

    /// Notes a command of a person in the room. Returns the plan when it should be stored: a restart may lose the commands of
    /// some minutes.
    mutating func pressed(in room: RoomID, atMs nowMs: Milliseconds) -> EndlessPlan? {
        guard var plan = plans[room], plan.isOn else { return nil }
        let before = plan.pressedMs
        plan.pressedMs = nowMs
        plans[room] = plan
        return nowMs - before > 10 * 60 * 1000 ? plan : nil
    }
}

extension EndlessPlan {
    /// The piece number of this entry.
    func number(of entry: QueueEntry) -> Int? { GenerationJob.id(in: entry.uri).flatMap(number(of:)) }
}
