import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Sessions of clips. `ClipSession` decides; the service has clips generated as jobs of the session's worker, has scenes
/// mixed, and tells rooms that a loop changes with its next round.
///
/// A job is stored before its session refers to it, and a mix is on disk before the session refers to it. A hub that ends
/// between the two finds the job by its number, or mixes again.
@Loop
final class ClipService: MakingHearer {
    var sessions: [ClipSession] = []
    let jobs: MakingJobs
    let rooms: RoomList
    let changes: RoomChanges
    let log: Log
    var mixing: Task<Void, Never>?
    /// Sessions that cannot be mixed until they change or are resumed, with the reasons.
    var stuck: [String: (session: ClipSession, sentence: String)] = [:]
    private let writing = BackgroundQueue()
    private(set) var isClosed = false

    init(_ jobs: MakingJobs, _ rooms: RoomList, _ changes: RoomChanges, _ log: Log) {
        self.jobs = jobs
        self.rooms = rooms
        self.changes = changes
        self.log = log
        jobs.add(self)
    }

    // MARK: Opening

    /// Reads the sessions. This comes before the jobs, since the first job begins as soon as they are open.
    func read(_ keeper: any JobKeeper) async {
        do throws(SourceFault) {
            let kept = try await jobs.sources.inBlockingPool { () async throws(SourceFault) in try keeper.plans(.session) }
            sessions = kept.values.compactMap(ClipSession.init(text:)).sorted { ($0.startedMs, $0.id) < ($1.startedMs, $1.id) }
        } catch {
            let fault = FeatureFault("The sessions of clips cannot be read: \(error.sentence)")
            jobs.sources.events.send(.featureFailed(.making, fault))
        }
    }

    /// Connects the sessions with the open jobs.
    func open() {
        for job in jobs.queue.inOrder { recall(job) }
        jobs.sources.hold.whenOver { [weak self] in self?.consider() }
    }

    /// Applies a change of the job that the session has missed.
    private func recall(_ job: GenerationJob) {
        guard let (at, number) = place(of: job), let wish = job.request.clip else { return }
        if number > sessions[at].made, job.state != .cancelled {
            drop(sessions[at].recall(number, wish.layer, scene: wish.scene, bars: wish.bars).dropped, at)
            keep(at)
        }
        stepped(job)
    }

    func close() async {
        isClosed = true
        mixing?.cancel()
        await mixing?.value
        await writing.finish()
    }

    // MARK: Finding

    /// Throws when this hub has no workers.
    func check() throws(SourceFault) { _ = try jobs.opened() }

    /// The index of the session; without an id it is the one that was started or resumed last.
    func index(_ id: String?) throws(SourceFault) -> Int {
        try check()
        if let at = id == nil ? newest : sessions.firstIndex(where: { $0.id == id }) { return at }
        throw id.map { SourceFault(.notFound, "This hub has no session “\($0)”.") }
            ?? SourceFault(.notFound, "There is no session yet. Begin one: baton clips start \"slow piano\".")
    }

    private var newest: Int? { sessions.indices.max { sessions[$0].usedMs < sessions[$1].usedMs } }

    private func place(of job: GenerationJob) -> (Int, Int)? {
        for (at, session) in sessions.enumerated() { if let number = session.number(of: job.id) { return (at, number) } }
        return nil
    }

    /// The reason why the loop of a scene is not made from its clips.
    func trouble(_ scene: Int, of session: ClipSession) -> String? {
        guard let stuck = stuck[session.id], stuck.session == session, session.unmixed == scene else { return nil }
        return stuck.sentence
    }

    /// The state of a clip's job, if known.
    func state(of clip: ClipSession.Clip, in session: ClipSession) -> GenerationJob.State {
        clip.isMade ? .ready : jobs.queue[session.job(clip.number)]?.state ?? .failed
    }

    // MARK: Clips

    func hear(_ news: MakingNews) { if case .stepped(let job) = news { stepped(job) } }

    private func stepped(_ job: GenerationJob) {
        guard job.state == .ready, let (at, number) = place(of: job) else { return }
        let before = sessions[at]
        drop(sessions[at].finish(number), at)
        if sessions[at] != before { keep(at) }
        // A missing sound may have stopped the mix of the scene.
        stuck[sessions[at].id] = nil
        consider()
    }

    /// The session for the worker of the job.
    func session(of job: GenerationJob) -> WorkerSession? {
        guard job.worker != jobs.workers.builtIn?.name else { return nil }
        return sessions.first { $0.has(job.id) }.map(BuiltInPieces.worker)
    }

    /// Stores the worker's report on its session. It is on disk when this returns.
    func agree(on worker: WorkerSession, of job: String) async throws(SourceFault) {
        guard let at = sessions.firstIndex(where: { $0.has(job) }) else { return }
        let recipe = BuiltInPieces.recipe(of: sessions[at], planned: worker)
        if sessions[at].agree(with: worker, recipe: recipe) { try await save(sessions[at]) }
    }

    /// Drops removed clips: unfinished ones are cancelled, and the sound of others may be deleted.
    func drop(_ numbers: [Int], _ at: Int) {
        for id in numbers.map(sessions[at].job) {
            writing.add { [jobs] in
                await jobs.withdraw(id)
                _ = try? await jobs.setKept(id, false)
            }
        }
    }

    // MARK: Keeping

    private func keep(_ at: Int) {
        let session = sessions[at]
        writing.add { [weak self] in try? await self?.put(session) }
    }

    /// Writes a session. Writes run one after the other, so that an older state never replaces a newer one.
    func save(_ session: ClipSession) async throws(SourceFault) {
        try await writing.inTurn { [weak self] () async throws(SourceFault) in try await self?.put(session) }
    }

    private func put(_ session: ClipSession) async throws(SourceFault) {
        guard let keeper = jobs.parts?.keeper else { return }
        let newest = sessions.first { $0.id == session.id } ?? session
        try await jobs.sources.inBlockingPool { () async throws(SourceFault) in
            try keeper.put(newest.text, .session, named: newest.id)
        }
    }
}
