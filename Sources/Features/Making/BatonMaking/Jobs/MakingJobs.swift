import BatonCore
package import BatonKernel
import BatonProtocol
package import BatonSeams

/// The owner of all jobs of generated music: of their order, the steps that they take, their store, and the turns at the workers.
///
/// A step is stored before the hub acts on it, so that every job continues after a restart. `MakingQueue` decides which jobs
/// start. The parts that act on steps hear `MakingNews`; none of them changes a job.
@Loop
package final class MakingJobs: PieceKeeping {
    private(set) var queue = MakingQueue()
    private(set) var parts: MakingParts?
    package private(set) var kept = KeptPieces()
    /// Jobs with a step that could not be stored, as on a full disk.
    private(set) var unstored: Set<String> = []
    private(set) var observers = MakingObservers()
    private(set) var isClosed = false
    private var storeAlarm: (any Alarm)?
    let sources: Sources
    let clock: HubClock
    let log: Log
    let workers: Workers
    let turns: WorkerTurns
    /// Work on the store, one piece after the other.
    let writing = BackgroundQueue()

    static let retryUs: Microseconds = 5_000_000

    init(_ sources: Sources, clock: HubClock, log: Log) {
        self.sources = sources
        self.clock = clock
        self.log = log
        workers = Workers(sources, clock: clock, log: log)
        turns = WorkerTurns(clock)
    }

    /// Adds a part that acts on the steps of jobs. Parts hear in the order in which they were added.
    func add(_ observer: any MakingObserver) { observers.add(observer) }

    // MARK: Opening

    func open(_ parts: MakingParts) async throws(FeatureFault) {
        do throws(SourceFault) {
            let kept = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.jobs() }
            queue = MakingQueue(kept)
            self.kept = KeptPieces(kept)
        } catch {
            throw FeatureFault("Music in the making cannot be read, so none is made: \(error.sentence)")
        }
        self.parts = parts
        await workers.open(parts.workers, parts.adding)
        observers.tell(.opened)
        if !queue.order.isEmpty { observers.tell(.changed) }
        sources.events.send(.madePiecesChanged)
        sources.hold.whenOver { [weak self] in
            self?.observers.tell(.goesOn)
            self?.consider()
        }
    }

    func opened() throws(SourceFault) -> MakingParts {
        guard let parts, workers.usual != nil else {
            throw SourceFault(.unsupported, "This hub has no worker that makes music. Name one in batond.conf: [worker NAME].")
        }
        return parts
    }

    /// The worker of this name; `nil` means the usual one.
    func worker(_ name: String?) throws(SourceFault) -> any GenerationWorker {
        _ = try opened()
        if let worker = name == nil ? workers.usual : workers.named(name)?.worker { return worker }
        throw workers.missing(name ?? "")
    }

    /// Starts nothing more. `close` waits for the work that runs.
    func stop() {
        isClosed = true
        turns.stop()
        storeAlarm?.cancel()
        workers.close()
    }

    func close() async {
        await turns.close()
        await writing.finish()
    }

    /// The room's first piece that waits for the built-in composer, which has not received it yet.
    func waiting(in room: RoomID) -> String? { queue.waiting(in: room, at: workers.builtIn?.name, besides: turns.running) }

    // MARK: Adding

    /// The job that this command has made before.
    func job(madeBy once: CommandKey?) async throws(SourceFault) -> GenerationJob? {
        guard let once, let parts else { return nil }
        let found = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.job(madeBy: once) }
        guard let found else { return nil }
        guard found.hash == once.hash else { throw SourceFault(.keyMismatch, "This key was used for another command.") }
        return queue[found.job.id] ?? found.job
    }

    /// The job in the store, where old ones are as well.
    func stored(_ id: String) async throws(SourceFault) -> GenerationJob? {
        let parts = try opened()
        return try await sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.job(id) }
    }

    /// Stores a new job. It starts after `begin`.
    func add(_ job: GenerationJob, once: CommandKey?) async throws(SourceFault) {
        guard !queue.isFull else {
            throw SourceFault(.quota, "\(MakingQueue.mostWaiting) pieces are waiting to be made. Wait until one of them is ready.")
        }
        queue.add(job)
        do throws(SourceFault) { try await store(job.id, once: once) } catch {
            queue.remove(job.id)
            throw error
        }
        queue.forgetOld()
    }

    func begin(_ id: String) {
        if let job = queue[id] { observers.tell(.waits(job)) }
        observers.tell(.changed)
        consider()
    }

    static func missing(_ id: String) -> SourceFault { SourceFault(.notFound, "This hub has no job “\(id)”.") }

    // MARK: Steps

    /// Takes a step in memory; the caller stores it if it must survive.
    func step(_ id: String, _ event: GenerationJob.Event) -> Bool {
        guard let job = queue.take(event, of: id, atMs: clock.wallMs(), nowUs: clock.nowUs) else { return false }
        observers.tell(.changed)
        observers.tell(.stepped(job))
        return true
    }

    /// Restores a job's state before a step that could not be stored.
    func undo(to before: GenerationJob) {
        queue.put(before)
        observers.tell(.changed)
    }

    /// Takes and stores a step that a person asked for. When it cannot be stored, the job stays as before.
    func store(_ id: String, taking event: GenerationJob.Event) async throws(SourceFault) -> Bool {
        guard let before = queue[id], queue.beginSettling(id) else { return false }
        defer { queue.endSettling(id) }
        guard step(id, event) else { return false }
        do throws(SourceFault) { try await store(id) } catch {
            undo(to: before)
            queue.endSettling(id)
            // The worker may have reported meanwhile, and the report was ignored.
            consider()
            throw error
        }
        return true
    }

    /// Writes a job. Writes run one after the other, each with the newest state.
    func store(_ id: String, once: CommandKey? = nil) async throws(SourceFault) {
        try await writing.inTurn { [weak self] () async throws(SourceFault) in try await self?.put(id, once: once) }
    }

    /// Schedules another write for a job. Its step stays in memory, since it has happened.
    func storeLater(_ id: String) {
        unstored.insert(id)
        guard storeAlarm == nil, !isClosed else { return }
        storeAlarm = clock.after(.microseconds(Self.retryUs * 12)) { [weak self] in self?.storeAgain() }
    }

    private func storeAgain() {
        storeAlarm = nil
        let due = unstored
        unstored = []
        for id in due { writing.add { [weak self] in await self?.storeOrWait(id) } }
    }

    /// Writes a job, or schedules it for later. It is called in turn.
    func storeOrWait(_ id: String) async {
        do throws(SourceFault) { try await put(id, once: nil) } catch { storeLater(id) }
    }

    private func put(_ id: String, once: CommandKey?) async throws(SourceFault) {
        guard let parts, let job = queue[id] else { return }
        try await sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.put(job, once: once) }
        if kept.note(job) { sources.events.send(.madePiecesChanged) }
    }

    // MARK: Changes by people

    func retry(_ id: String) async throws(SourceFault) -> Bool {
        _ = try opened()
        guard let job = queue[id] else { throw Self.missing(id) }
        if job.state == .offline {
            retry(id, atUs: nil)
            consider()
            return true
        }
        let lost = try await hasLostItsSound(id) ? queue[id] : nil
        if lost != nil { _ = step(id, .lost) }
        do throws(SourceFault) {
            guard try await store(id, taking: .retried) else { return false }
        } catch {
            if let lost, queue[id]?.state == .failed { undo(to: lost) }
            throw error
        }
        if let job = queue[id] { observers.tell(.unmade(job, nil)) }
        queue.moveToEnd(id)
        begin(id)
        return true
    }

    /// Repeats a piece that failed, was cancelled, or lost its sound. Old jobs are only in the store.
    func makeAgain(_ id: String) async throws(SourceFault) {
        try await recall(id)
        if queue[id] != nil { _ = try await retry(id) }
        queue.dropUnlisted(id)
    }

    /// Reads an old job, which is only in the store.
    private func recall(_ id: String) async throws(SourceFault) {
        _ = try opened()
        if queue[id] == nil, let old = try await stored(id) { queue.put(old) }
    }

    func approve(_ id: String) async throws(SourceFault) -> Bool {
        _ = try opened()
        guard queue[id] != nil else { throw Self.missing(id) }
        guard try await store(id, taking: .approved) else { return false }
        begin(id)
        return true
    }

    /// Steers a job. False when its worker has received it.
    func steer(_ id: String, _ way: Steer, once: CommandKey) async throws(SourceFault) -> Bool {
        guard step(id, .steered(way)) else { return false }
        try await store(id, once: once)
        return true
    }

    package func setKept(_ id: String, _ isOn: Bool) async throws(SourceFault) -> Bool {
        try await recall(id)
        defer { queue.dropUnlisted(id) }
        guard let job = queue[id] else { throw Self.missing(id) }
        guard job.isKept != isOn else { return false }
        if isOn, job.worker != workers.builtIn?.name, try await hasLostItsSound(id) {
            throw SourceFault(.invalidState, "The sound of “\(job.title)” was removed to make room. Have it made anew: baton jobs retry.")
        }
        queue.setKept(id, isOn)
        do throws(SourceFault) { try await store(id) } catch {
            queue.setKept(id, !isOn)
            throw error
        }
        if !isOn { observers.tell(.released) }
        observers.tell(.changed)
        return true
    }

    // MARK: Order of turns

    /// Tries an offline job again at this time; `nil` means with the next turn.
    func retry(_ id: String, atUs dueUs: Microseconds?) { queue.retry(id, atUs: dueUs) }

    /// Retries the jobs that waited for a worker.
    func workersChanged() {
        queue.retryOffline()
        consider()
    }

    // MARK: Sound

    /// True for a finished piece whose sound was removed, and that only its worker could make.
    private func hasLostItsSound(_ id: String) async throws(SourceFault) -> Bool {
        guard let parts, let piece = queue[id]?.piece else { return false }
        return try await sources.inBlockingPool { () async throws(SourceFault) in (try? parts.storage.file(piece.sound, of: id)) == nil }
    }

    /// Notes that the sound of a finished piece is in another file. False when the piece has changed meanwhile.
    func replaceSound(of job: GenerationJob, with new: StoredFile) async throws(SourceFault) -> Bool {
        guard let old = job.piece, queue[job.id]?.piece?.sound == old.sound,
            step(job.id, .stored(sound: new.name, bytes: new.bytes))
        else { return false }
        do throws(SourceFault) { try await store(job.id) } catch {
            _ = step(job.id, .stored(sound: old.sound, bytes: old.bytes))
            throw error
        }
        return true
    }
}
