import BatonCore
import BatonProtocol
import BatonSeams

/// Music that is made from prompts: the jobs, which of them is made now, and the section `jobs`.
///
/// Each worker makes one piece at a time, in the order in which they were asked for. A step is in the store before the hub acts on it,
/// so that after a restart every job goes on from where it was. What a job may do is decided by `GenerationJob`.
@Loop
final class GenerationService {
    private(set) var jobs: [String: GenerationJob] = [:]
    /// Oldest first.
    private(set) var order: [String] = []
    private(set) var parts: GenerationParts?
    let sources: Sources
    let publisher: StatePublisher
    let clock: HubClock
    let log: Log
    let queues: GeneratedEntries
    let workers: Workers
    let cancelled: CancelledWork
    var running: [String: Task<Void, Never>] = [:]
    /// Tasks that were told to end, and may still do something.
    private var ending: [Task<Void, Never>] = []
    /// What people have marked of these.
    var marked: @Loop ([ItemURI]) async throws(SourceFault) -> LibraryService.Marked = { _ in .init() }
    private(set) var times = MakingTimes()
    /// When workers began, on the hub's clock.
    private(set) var begunUs: [String: Int64] = [:]
    /// When an offline job is tried again.
    var retryUs: [String: Int64] = [:]
    let writing = BackgroundQueue()
    private(set) var kept = KeptPieces()
    /// There is another kept piece, or one of them is ready.
    var keptChanged: @Loop () -> Void = {}
    /// Pieces whose sound is to be stored as FLAC.
    var unstored: [String] = []
    /// Pieces that are stored, and whose first file may still be there.
    var spare: Set<String> = []
    var storing: Task<Void, Never>?
    var retryAlarm: (any Alarm)?
    var showAlarm: (any Alarm)?
    var shownUs = Int64.min / 2
    var isClosed = false
    /// A job took a step.
    var stepped: @Loop (GenerationJob) -> Void = { _ in }
    /// The session of clips to which a job belongs, and what a worker says of it.
    var session: @Loop (GenerationJob) -> WorkerSession? = { _ in nil }
    var heard: @Loop (WorkerSession, String) async throws(SourceFault) -> Void = { _, _ in }

    static let mostWaiting = 50
    /// Of the jobs that are over, so many are listed; the others are on the shelf only.
    private static let mostOver = 1_000
    static let retryUs: Int64 = 5_000_000

    init(
        _ sources: Sources, _ rooms: RoomList, _ changes: RoomChanges, _ publisher: StatePublisher, _ clock: HubClock, _ log: Log
    ) {
        self.sources = sources
        self.publisher = publisher
        self.clock = clock
        self.log = log
        queues = GeneratedEntries(rooms, changes, sources)
        workers = Workers(sources, clock, log)
        cancelled = CancelledWork(sources, clock)
        queues.left = { [weak self] in self?.left($0) }
        queues.known = { [weak self] in self?.knowledge(of: $0) ?? .coming }
    }

    // MARK: Opening

    func open(_ parts: GenerationParts) async {
        do throws(SourceFault) {
            let kept = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.jobs() }
            for job in kept.filter({ !$0.state.isOver }) + kept.filter({ $0.state.isOver }).suffix(Self.mostOver) { jobs[job.id] = job }
            order = kept.map(\.id).filter { jobs[$0] != nil }
            times = MakingTimes(kept)
            self.kept = KeptPieces(kept)
        } catch {
            return log(.error, "Music in the making cannot be read, so none is made: \(error.sentence)")
        }
        self.parts = parts
        await workers.open(parts.workers, parts.adding)
        workers.changed = { [weak self] in self?.workersChanged() }
        cancelled.done = { [weak self] in self?.forget($0) }
        for job in jobs.values {
            if job.state.isOver { endAtWorker(job) } else { queues.watch(job) }
        }
        queues.opened()
        if !order.isEmpty { showSoon() }
        goOnStoring()
        keptChanged()
        consider()
    }

    func opened() throws(SourceFault) -> GenerationParts {
        guard let parts, workers.usual != nil else {
            throw SourceFault(.unsupported, "This hub has no worker that makes music. Name one in batond.conf: [worker NAME].")
        }
        return parts
    }

    /// `nil` names the usual one.
    func worker(_ name: String?) throws(SourceFault) -> any GenerationWorker {
        _ = try opened()
        if let worker = name == nil ? workers.usual : workers.named(name)?.worker { return worker }
        throw workers.missing(name ?? "")
    }

    func close() async {
        isClosed = true
        retryAlarm?.cancel()
        showAlarm?.cancel()
        await queues.close()
        workers.close()
        cancelled.close()
        storing?.cancel()
        await storing?.value
        for task in running.values { task.cancel() }
        for task in running.values { await task.value }
        for task in ending { await task.value }
        await writing.finish()
    }

    /// A room was changed.
    func roomChanged(_ live: LiveRoom) { queues.roomChanged(live) }

    // MARK: Changing

    /// The job that this command made before.
    func job(madeBy once: CommandKey?) async throws(SourceFault) -> GenerationJob? {
        guard let once, let parts else { return nil }
        let found = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.job(madeBy: once) }
        guard let found else { return nil }
        guard found.hash == once.hash else { throw SourceFault(.keyMismatch, "This key was used for another command.") }
        return jobs[found.job.id] ?? found.job
    }

    /// Keeps a new job. It is made once `begin` was called.
    func add(_ job: GenerationJob, once: CommandKey?) async throws(SourceFault) {
        guard jobs.values.count(where: { !$0.state.isOver }) < Self.mostWaiting else {
            throw SourceFault(.quota, "\(Self.mostWaiting) pieces are waiting to be made. Wait until one of them is ready.")
        }
        jobs[job.id] = job
        order.append(job.id)
        do throws(SourceFault) { try await keep(job.id, once: once) } catch {
            jobs[job.id] = nil
            order.removeAll { $0 == job.id }
            throw error
        }
        forgetOld()
    }

    func begin(_ id: String) {
        if let job = jobs[id] { queues.watch(job) }
        showSoon()
        consider()
    }

    /// False when it had ended.
    func cancel(_ id: String) async throws(SourceFault) -> Bool {
        _ = try opened()
        guard jobs[id] != nil else { throw Self.missing(id) }
        guard step(id, .cancelled) else { return false }
        end(id)
        try await keep(id)
        removeFiles(of: id)
        if let job = jobs[id] {
            endAtWorker(job)
            queues.noted(job.uri, unmade(job.uri))
        }
        consider()
        return true
    }

    func retry(_ id: String) async throws(SourceFault) -> Bool {
        _ = try opened()
        guard jobs[id] != nil else { throw Self.missing(id) }
        if jobs[id]?.state == .offline {
            tryAgain(id)
            return true
        }
        if try await hasLostItsSound(id) { _ = step(id, .lost) }
        guard step(id, .retried) else { return false }
        if let job = jobs[id] { queues.noted(job.uri, nil) }
        order.removeAll { $0 == id }
        order.append(id)
        try await keep(id)
        begin(id)
        return true
    }

    /// Has a piece made again that failed, was cancelled, or lost its sound. Older ones are in the store only.
    func makeAgain(_ id: String) async throws(SourceFault) {
        let parts = try opened()
        if jobs[id] == nil, let old = try await sources.inBlockingPool({ () async throws(SourceFault) in try parts.keeper.job(id) }) {
            jobs[id] = old
        }
        if jobs[id] != nil { _ = try await retry(id) }
        if !order.contains(id) { jobs[id] = nil }
    }

    func approve(_ id: String) async throws(SourceFault) -> Bool {
        _ = try opened()
        guard jobs[id] != nil else { throw Self.missing(id) }
        guard step(id, .approved) else { return false }
        try await keep(id)
        begin(id)
        return true
    }

    func setKept(_ id: String, _ isOn: Bool) async throws(SourceFault) -> Bool {
        let parts = try opened()
        if jobs[id] == nil {
            // Older ones are in the store only.
            jobs[id] = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.job(id) }
        }
        defer { if !order.contains(id) { jobs[id] = nil } }
        guard let job = jobs[id] else { throw Self.missing(id) }
        guard job.isKept != isOn else { return false }
        if isOn, job.worker != builtIn?.name, try await hasLostItsSound(id) {
            throw SourceFault(.invalidState, "The sound of “\(job.title)” was removed to make room. Have it made anew: baton jobs retry.")
        }
        jobs[id]?.isKept = isOn
        do throws(SourceFault) { try await keep(id) } catch {
            jobs[id]?.isKept = !isOn
            throw error
        }
        if !isOn { makeRoom() }
        showSoon()
        return true
    }

    private func knowledge(of uri: ItemURI) -> GeneratedEntries.Knowledge {
        if let job = GenerationJob.id(in: uri).flatMap({ jobs[$0] }), job.piece != nil { return .made(job.shownTags) }
        return unmade(uri).map(GeneratedEntries.Knowledge.unmade) ?? .coming
    }

    /// Why an item that has no length will get none, if it is so.
    private func unmade(_ uri: ItemURI) -> String? {
        // The loop of a session comes with its first clip.
        if uri.source == ClipSession.scheme { return nil }
        guard let id = GenerationJob.id(in: uri), let job = jobs[id] else { return "This piece is not known any more." }
        switch job.state {
        case .failed: return job.sentence ?? "It could not be made."
        case .cancelled: return "It was cancelled before it was made."
        default: return nil
        }
    }

    private static func missing(_ id: String) -> SourceFault { SourceFault(.notFound, "This hub has no job “\(id)”.") }

    /// Its last entry was taken out of the queues.
    private func left(_ id: String) {
        guard let job = jobs[id], !job.state.isOver else { return }
        log(.debug, "“\(job.title)” is not made: its entry was taken out of the queue.")
        writing.add { [weak self] in _ = try? await self?.cancelQuietly(id) }
    }

    private func cancelQuietly(_ id: String) async throws(SourceFault) {
        guard step(id, .cancelled) else { return }
        end(id)
        try await put(id, once: nil)
        removeFiles(of: id)
        if let job = jobs[id] { endAtWorker(job) }
        consider()
    }

    /// What a worker that was told to end has left. It may still write for a moment; the rest goes when the job is made anew.
    func removeFiles(of id: String) {
        guard let parts else { return }
        writing.add { [sources] in
            _ = try? await sources.inBlockingPool { () async throws(SourceFault) in parts.keeper.removeFiles(of: id) }
        }
    }

    /// What the worker still has of a cancelled job.
    private func endAtWorker(_ job: GenerationJob) {
        guard job.state == .cancelled, let memory = job.memory, let worker = workers.named(job.worker)?.worker else { return }
        cancelled.end(job.id, memory, at: worker)
    }

    private func forget(_ id: String) {
        guard step(id, .forgotten) else { return }
        writing.add { [weak self] in try? await self?.put(id, once: nil) }
    }

    private func end(_ id: String) {
        guard let task = running.removeValue(forKey: id) else { return }
        task.cancel()
        if ending.count >= Self.mostWaiting { ending.removeFirst() }
        ending.append(task)
    }

    /// Takes the step in memory; the caller keeps it where it must survive.
    func step(_ id: String, _ event: GenerationJob.Event) -> Bool {
        guard var job = jobs[id], job.take(event, atMs: clock.wallMs()) else { return false }
        jobs[id] = job
        if job.state.isOver {
            begunUs[id] = nil
            times.note(job)
        } else if begunUs[id] == nil || event == .begun {
            begunUs[id] = job.begunMs.map(momentUs)
        }
        showSoon()
        stepped(job)
        return true
    }

    /// A moment of the past on the hub's own clock. The wall clock may have been set since.
    private func momentUs(atMs wallMs: Int64) -> Int64 {
        let nowUs = clock.nowUs
        return nowUs - min(max(0, (clock.wallMs() - wallMs) * 1_000), nowUs)
    }

    /// The job is again as it was before a step that could not be kept.
    func undo(to before: GenerationJob) {
        jobs[before.id] = before
        showSoon()
    }

    /// One write after the other, each with the newest state of its job.
    func keep(_ id: String, once: CommandKey? = nil) async throws(SourceFault) {
        try await inTurn { [weak self] () async throws(SourceFault) in try await self?.put(id, once: once) }
    }

    func inTurn<Found: Sendable>(_ body: @escaping @Loop () async throws(SourceFault) -> Found) async throws(SourceFault) -> Found {
        try await writing.inTurn(body)
    }

    private func put(_ id: String, once: CommandKey?) async throws(SourceFault) {
        guard let parts = parts, let job = jobs[id] else { return }
        try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.put(job, once: once) }
        if kept.note(job) { keptChanged() }
    }

    private func forgetOld() {
        let over = order.filter { jobs[$0]?.state.isOver == true }
        for id in over.dropLast(Self.mostOver) { jobs[id] = nil }
        order.removeAll { jobs[$0] == nil }
    }
}
