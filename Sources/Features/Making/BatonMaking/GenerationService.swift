import BatonCore
package import BatonKernel
import BatonProtocol
package import BatonSeams

/// Music from prompts: the jobs, the order in which they run, and the section `jobs`.
///
/// Each worker makes one piece at a time, in the order of the requests. A step is stored before the hub acts on it, so that
/// every job continues after a restart. `GenerationJob` decides which steps are possible.
@Loop
package final class GenerationService: PieceKeeping {
    var jobs: [String: GenerationJob] = [:]
    /// Ids of the jobs, oldest first.
    var order: [String] = []
    private(set) var parts: GenerationParts?
    let sources: Sources
    let marks: any ItemMarking
    let publisher: StatePublisher
    let clock: HubClock
    let log: Log
    let queues: GeneratedEntries
    let workers: Workers
    let cancelled: CancelledWork
    var running: [String: Task<Void, Never>] = [:]
    /// Tasks that were told to end, and may still run.
    var ending: [Task<Void, Never>] = []
    private(set) var times = MakingTimes()
    /// Times at which workers began, on the hub's clock.
    private(set) var begunUs: [String: Int64] = [:]
    /// Times at which offline jobs are tried again.
    var retryUs: [String: Int64] = [:]
    let writing = BackgroundQueue()
    /// Jobs with a step that could not be stored, as on a full disk.
    var unkept: Set<String> = []
    /// Jobs with a person's step that is being stored. They do not start before that.
    var unsettled: Set<String> = []
    var keepAlarm: (any Alarm)?
    package var kept = KeptPieces()
    /// Pieces that wait for compression as FLAC.
    var unstored: [String] = []
    /// Compressed pieces whose old file may still exist.
    var spare: Set<String> = []
    var storing: Task<Void, Never>?
    var retryAlarm: (any Alarm)?
    var showAlarm: (any Alarm)?
    var shownUs = Int64.min / 2
    var isClosed = false
    /// Parts that order pieces, and are told of each step of a job.
    weak var endless: EndlessService?
    weak var clips: ClipService?

    static let mostWaiting = 50
    /// Number of finished jobs in the list; older ones are only on the shelf.
    private static let mostOver = 1_000
    static let retryUs: Int64 = 5_000_000

    init(
        _ sources: Sources, _ items: ItemExpansion, _ marks: any ItemMarking, _ rooms: RoomList, _ changes: RoomChanges,
        _ publisher: StatePublisher, _ clock: HubClock, _ log: Log
    ) {
        self.sources = sources
        self.marks = marks
        self.publisher = publisher
        self.clock = clock
        self.log = log
        queues = GeneratedEntries(rooms, changes, items)
        workers = Workers(sources, clock, log)
        cancelled = CancelledWork(sources, clock)
        queues.service = self
        cancelled.service = self
    }

    // MARK: Opening

    func open(_ parts: GenerationParts) async throws(FeatureFault) {
        do throws(SourceFault) {
            let kept = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.jobs() }
            for job in kept.filter({ !$0.state.isOver }) + kept.filter({ $0.state.isOver }).suffix(Self.mostOver) { jobs[job.id] = job }
            order = kept.map(\.id).filter { jobs[$0] != nil }
            times = MakingTimes(kept)
            self.kept = KeptPieces(kept)
        } catch {
            throw FeatureFault("Music in the making cannot be read, so none is made: \(error.sentence)")
        }
        self.parts = parts
        await workers.open(parts.workers, parts.adding)
        workers.service = self
        for job in jobs.values where !job.state.isOver { queues.watch(job) }
        queues.opened()
        if !order.isEmpty { showSoon() }
        sources.events.send(.madePiecesChanged)
        sources.hold.whenOver { [weak self] in self?.goOn() }
    }

    private func goOn() {
        for job in jobs.values where job.state.isOver { endAtWorker(job) }
        goOnStoring()
        consider()
    }

    func opened() throws(SourceFault) -> GenerationParts {
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

    func close() async {
        isClosed = true
        retryAlarm?.cancel()
        showAlarm?.cancel()
        keepAlarm?.cancel()
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

    func roomChanged(_ live: LiveRoom) { queues.roomChanged(live) }

    // MARK: Changing

    /// The job that this command has made before.
    func job(madeBy once: CommandKey?) async throws(SourceFault) -> GenerationJob? {
        guard let once, let parts else { return nil }
        let found = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.job(madeBy: once) }
        guard let found else { return nil }
        guard found.hash == once.hash else { throw SourceFault(.keyMismatch, "This key was used for another command.") }
        return jobs[found.job.id] ?? found.job
    }

    /// Stores a new job. It starts after `begin`.
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

    /// The known facts about the piece of an item.
    func knowledge(of uri: ItemURI) -> GeneratedEntries.Knowledge {
        if let job = GenerationJob.id(in: uri).flatMap({ jobs[$0] }), job.piece != nil { return .made(job.shownTags) }
        return unmade(uri).map(GeneratedEntries.Knowledge.unmade) ?? .coming
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

    static func missing(_ id: String) -> SourceFault { SourceFault(.notFound, "This hub has no job “\(id)”.") }

    /// Takes a step in memory; the caller stores it if it must survive.
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
        endless?.stepped(job)
        clips?.stepped(job)
        return true
    }

    /// The time of a past moment on the hub's own clock, since the wall clock may have been set.
    private func momentUs(atMs wallMs: Int64) -> Int64 {
        let nowUs = clock.nowUs
        return nowUs - min(max(0, (clock.wallMs() - wallMs) * 1_000), nowUs)
    }

    private func forgetOld() {
        let over = order.filter { jobs[$0]?.state.isOver == true }
        for id in over.dropLast(Self.mostOver) { jobs[id] = nil }
        order.removeAll { jobs[$0] == nil }
    }
}
