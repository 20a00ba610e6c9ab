import BatonCore

/// The jobs of generated music and the order of their turns: a value that decides which jobs start. `MakingJobs` owns it.
///
/// Each worker makes one piece at a time, in the order of the requests. `GenerationJob` decides which steps are possible.
struct MakingQueue {
    private(set) var jobs: [String: GenerationJob] = [:]
    /// Ids of the jobs, oldest first.
    private(set) var order: [String] = []
    private(set) var times = MakingTimes()
    /// Times at which workers began, on the hub's clock.
    private(set) var begunUs: [String: Microseconds] = [:]
    /// Times at which offline jobs are tried again.
    private var retryUs: [String: Microseconds] = [:]
    /// Jobs with a person's step that is being stored. They do not start before that.
    private var unsettled: Set<String> = []

    /// Limit on jobs that are not over.
    static let mostWaiting = 50
    /// Number of finished jobs in the list; older ones are only on the shelf.
    private static let mostOver = 1_000

    init(_ kept: [GenerationJob] = []) {
        for job in kept.filter({ !$0.state.isOver }) + kept.filter({ $0.state.isOver }).suffix(Self.mostOver) { jobs[job.id] = job }
        order = kept.map(\.id).filter { jobs[$0] != nil }
        times = MakingTimes(kept)
    }

    // MARK: Finding

    subscript(id: String) -> GenerationJob? { jobs[id] }

    var isFull: Bool { jobs.values.count(where: { !$0.state.isOver }) >= Self.mostWaiting }

    /// The jobs in the order of their requests.
    var inOrder: some BidirectionalCollection<GenerationJob> { order.compactMap { jobs[$0] } }

    /// The room's first job that waits for this worker, which has not received it yet.
    func waiting(in room: RoomID, at worker: String?, besides running: Set<String>) -> String? {
        inOrder.first { $0.room == room && $0.state == .submitting && !running.contains($0.id) && $0.worker == worker }?.id
    }

    enum Knowledge {
        case made(Tags)
        case unmade(String)
        case coming
    }

    /// The known facts about the piece of an item.
    func knowledge(of uri: ItemURI) -> Knowledge {
        if let job = GenerationJob.id(in: uri).flatMap({ jobs[$0] }), job.piece != nil { return .made(job.shownTags) }
        return unmade(uri).map(Knowledge.unmade) ?? .coming
    }

    /// The reason why an item without a length will never get one.
    func unmade(_ uri: ItemURI) -> String? {
        // The loop of a session gets its sound with its first clip.
        if uri.source == ClipSession.scheme { return nil }
        guard let id = GenerationJob.id(in: uri), let job = jobs[id] else { return "This piece is not known any more." }
        switch job.state {
        case .failed: return job.sentence ?? "It could not be made."
        case .cancelled: return "It was cancelled before it was made."
        default: return nil
        }
    }

    // MARK: Changing

    /// Adds a job as the newest one.
    mutating func add(_ job: GenerationJob) {
        jobs[job.id] = job
        order.append(job.id)
    }

    mutating func remove(_ id: String) {
        jobs[id] = nil
        order.removeAll { $0 == id }
    }

    /// Makes a job the last in the order of turns.
    mutating func moveToEnd(_ id: String) {
        order.removeAll { $0 == id }
        order.append(id)
    }

    /// Sets the state of a job, as after a step that could not be stored. An old job from the store stays outside the order.
    mutating func put(_ job: GenerationJob) { jobs[job.id] = job }

    /// Drops an old job that has no place in the order.
    mutating func dropUnlisted(_ id: String) { if !order.contains(id) { jobs[id] = nil } }

    mutating func forgetOld() {
        let over = order.filter { jobs[$0]?.state.isOver == true }
        for id in over.dropLast(Self.mostOver) { jobs[id] = nil }
        order.removeAll { jobs[$0] == nil }
    }

    mutating func setKept(_ id: String, _ isOn: Bool) { jobs[id]?.keep(isOn) }

    /// Applies an event to a job, and returns the job; `nil` when nothing changed.
    mutating func take(_ event: GenerationJob.Event, of id: String, atMs nowMs: Milliseconds, nowUs: Microseconds) -> GenerationJob? {
        guard var job = jobs[id], job.take(event, atMs: nowMs) else { return nil }
        jobs[id] = job
        if job.state.isOver {
            begunUs[id] = nil
            times.note(job)
        } else if begunUs[id] == nil || event == .begun {
            // The hub's own clock, since the wall clock may have been set.
            begunUs[id] = job.begunMs.map { begunMs in nowUs - min(max(0, Microseconds(nowMs - begunMs)), nowUs) }
        }
        return job
    }

    // MARK: Turns

    /// The jobs that start now, those whose worker is not known, and the time at which the next offline job is due.
    struct Turns {
        var starting: [GenerationJob] = []
        var orphans: [GenerationJob] = []
        var dueUs: Microseconds?
    }

    func turns(besides running: Set<String>, workers: Set<String>, nowUs: Microseconds) -> Turns {
        var turns = Turns()
        var busy = Set(running.compactMap { jobs[$0]?.worker })
        for job in inOrder where !job.state.isOver && job.state != .approval && !running.contains(job.id) {
            guard !busy.contains(job.worker), !unsettled.contains(job.id) else { continue }
            if let retry = retryUs[job.id], retry > nowUs {
                turns.dueUs = min(turns.dueUs ?? retry, retry)
            } else if workers.contains(job.worker) {
                busy.insert(job.worker)
                turns.starting.append(job)
            } else {
                turns.orphans.append(job)
            }
        }
        return turns
    }

    /// Tries an offline job again at this time; `nil` means with the next turn.
    mutating func retry(_ id: String, atUs dueUs: Microseconds?) { retryUs[id] = dueUs }

    /// Tries all offline jobs with the next turn.
    mutating func retryOffline() { for job in jobs.values where job.state == .offline { retryUs[job.id] = nil } }

    /// Begins a person's step. False while another one of the same job is being stored.
    mutating func beginSettling(_ id: String) -> Bool { unsettled.insert(id).inserted }

    mutating func endSettling(_ id: String) { unsettled.remove(id) }
}
