import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The workers that generate music: those of the settings and added ones, the usual one, and the health of each.
///
/// The health comes from a check when a person looks, and from the worker's jobs; a hub without such a person checks none.
@Loop
final class Workers {
    struct Entry {
        let worker: any GenerationWorker
        /// The description; `nil` for a worker that is built in or from the settings.
        var added: WorkerDescription?
        var health: WorkerTested
        /// Wall-clock time of its last check.
        var polledMs: Milliseconds?
        var polledUs = Microseconds.min / 2
        /// The running check.
        var asking: Task<Void, Never>?
        var askedUs: Microseconds = 0
    }

    private(set) var entries: [Entry] = []
    private(set) var kept = StoredWorkers()
    private(set) var parts: WorkerParts?
    let sources: Sources
    private let clock: HubClock
    private let log: Log
    private var looks: [Look] = []
    private var isChanging = false
    /// Number of running tests of services that are not added.
    private var trials = 0

    static let stillNewUs: Microseconds = 5_000_000
    /// Time limit of a check. A worker that mixes may not answer for many seconds, and is not down.
    static let patience = Duration.seconds(65)

    init(_ sources: Sources, clock: HubClock, log: Log) {
        self.sources = sources
        self.clock = clock
        self.log = log
    }

    func open(_ fixed: [any GenerationWorker], _ parts: WorkerParts?) async {
        entries = fixed.map { Entry(worker: $0, health: WorkerTested(state: .unknown)) }
        self.parts = parts
        guard let parts else { return }
        do throws(SourceFault) {
            use(try await sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.stored() })
        } catch {
            let fault = FeatureFault("The workers that were added cannot be read: \(error.sentence)")
            sources.events.send(.featureFailed(.making, fault))
        }
    }

    func close() {
        for entry in entries { entry.asking?.cancel() }
        for look in looks { look.end() }
    }

    // MARK: Finding

    var all: [any GenerationWorker] { entries.map(\.worker) }

    /// The worker that is used when a person names none.
    var usual: (any GenerationWorker)? { (named(kept.usual) ?? entries.first)?.worker }

    /// The composer that comes with the hub.
    var builtIn: (any GenerationWorker)? { all.first { $0.about.kind == .builtIn } }

    static let noComposer = SourceFault(.unsupported, "This hub has no composer of its own: baton-composer is not installed beside batond.")

    func named(_ name: String?) -> Entry? { entries.first { $0.worker.name == name } }

    // MARK: Changing

    /// Uses the stored list: makes workers that are new or changed, and drops the others.
    func use(_ next: StoredWorkers) {
        guard let parts else { return }
        let before = entries
        entries.removeAll { $0.added != nil }
        for one in next.workers where named(one.name) == nil {
            if let same = before.first(where: { $0.added == one }) {
                entries.append(same)
                continue
            }
            do throws(SourceFault) {
                entries.append(Entry(worker: try parts.maker.worker(one, token: nil), added: one, health: WorkerTested(state: .unknown)))
            } catch {
                log(.error, "The worker “\(one.name)” is not used: \(error.sentence)")
            }
        }
        kept = next
    }

    func changing() throws(SourceFault) -> WorkerParts {
        guard let parts else { throw SourceFault(.unsupported, "This hub makes no music.") }
        return parts
    }

    /// Makes one change at a time, so that each starts from the result of the one before.
    func change(
        _ edit: @escaping @Sendable (inout StoredWorkers, any WorkerStorage) throws(SourceFault) -> Void
    ) async throws(SourceFault) -> Bool {
        let storage = try changing().storage
        guard !isChanging else { throw SourceFault(.unavailable, "Another change of workers is being kept. Try again in a moment.") }
        isChanging = true
        defer { isChanging = false }
        let before = kept
        let next = try await sources.inBlockingPool { () async throws(SourceFault) -> StoredWorkers in
            var next = before
            try edit(&next, storage)
            if next != before { try storage.store(next) }
            return next
        }
        use(next)
        return next != before
    }

    // MARK: Asking

    /// Checks workers that were not checked for a while, and waits for them up to a limit.
    func look(within limit: Duration) async {
        for entry in entries where clock.nowUs - entry.polledUs >= Self.stillNewUs { ask(entry.worker.name) }
        await settled(within: limit)
    }

    /// Checks a worker, unless a check is running.
    func ask(_ name: String) {
        guard let at = entries.firstIndex(where: { $0.worker.name == name }), entries[at].asking == nil else { return }
        let worker = entries[at].worker
        let askedUs = clock.nowUs
        entries[at].askedUs = askedUs
        entries[at].asking = Task(executorPreference: Loop.jobs) { [weak self] in await self?.ask(worker, askedUs) }
    }

    private func ask(_ worker: any GenerationWorker, _ askedUs: Microseconds) async {
        let question = Question<WorkerHealth>()
        question.ask(
            in: sources.blockingPool, within: Self.patience, sources.reactor,
            orElse: SourceFault(.unavailable, "The worker “\(worker.name)” does not answer.")
        ) { () async throws(SourceFault) in
            try await worker.health()
        }
        heard(worker.name, askedUs: askedUs, result: await question.answer)
    }

    /// Handles the result of a check, unless the worker was replaced meanwhile.
    private func heard(_ name: String, askedUs: Microseconds, result: Result<WorkerHealth, SourceFault>) {
        guard let at = entries.firstIndex(where: { $0.worker.name == name }), entries[at].askedUs == askedUs else { return }
        entries[at].asking = nil
        entries[at].health = WorkerTested(result, ms: Milliseconds(clock.nowUs - askedUs))
        entries[at].polledMs = clock.wallMs()
        entries[at].polledUs = clock.nowUs
        guard !entries.contains(where: { $0.asking != nil }) else { return }
        for look in looks { look.end() }
        looks = []
    }

    /// Updates a worker's health from a job: it has answered, or cannot be reached.
    func note(_ name: String, _ fault: SourceFault?) {
        guard let at = entries.firstIndex(where: { $0.worker.name == name }) else { return }
        if let fault {
            entries[at].health = WorkerTested(.failure(fault), ms: nil)
        } else if entries[at].health.state == .down || entries[at].health.state == .unknown {
            entries[at].health = WorkerTested(state: .ready)
        }
        entries[at].polledMs = clock.wallMs()
    }

    /// Waits until all running checks are done.
    func settled(within limit: Duration) async {
        guard entries.contains(where: { $0.asking != nil }) else { return }
        await withCheckedContinuation { waiting in looks.append(Look(waiting, on: sources.reactor, within: limit)) }
    }

    /// Limit on running tests, since each may wait for a service that does not answer.
    private static let mostTrials = 4

    /// Tests a service without adding it. Nothing is stored.
    func tryOut(_ url: String, _ token: WorkerToken?) async throws(SourceFault) -> WorkerTested {
        let worker = try changing().maker.worker(WorkerDescription("worker", url: url), token: token?.text)
        guard trials < Self.mostTrials else {
            throw SourceFault(.unavailable, "Other workers are being tested. Try again in a moment.")
        }
        trials += 1
        defer { trials -= 1 }
        let beganUs = sources.reactor.nowUs
        let question = Question<WorkerHealth>()
        question.ask(
            in: sources.blockingPool, within: Self.testLimit, sources.reactor,
            orElse: SourceFault(.unavailable, "The service has not answered for 10 seconds.")
        ) { () async throws(SourceFault) in
            try await worker.health()
        }
        return WorkerTested(await question.answer, ms: Milliseconds(sources.reactor.nowUs - beganUs))
    }

    /// A person's wait for the checks.
    @Loop
    private final class Look {
        private var waiting: CheckedContinuation<Void, Never>?
        private var alarm: (any Alarm)?

        init(_ waiting: CheckedContinuation<Void, Never>, on reactor: any Reactor, within limit: Duration) {
            self.waiting = waiting
            alarm = reactor.after(limit) { [weak self] in self?.end() }
        }

        func end() {
            alarm?.cancel()
            waiting?.resume()
            waiting = nil
        }
    }
}

extension WorkerTested {
    init(_ result: Result<WorkerHealth, SourceFault>, ms: Milliseconds?) {
        switch result {
        case .success(let health):
            self.init(
                state: health.placeholder == nil ? .ready : .placeholder, latencyMs: ms, sentence: health.placeholder,
                models: health.models, extensions: health.extensions)
        case .failure(let fault): self.init(state: .down, sentence: fault.sentence)
        }
    }
}
