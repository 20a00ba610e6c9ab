import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Sessions of clips. `ClipPlanner` decides; this part has clips made as jobs of the session's worker, has scenes mixed one after
/// the other, and tells rooms that a loop changes with its next round.
///
/// A command stores the job of its clip before the session, and a mix is on disk before the session refers to it. A hub that ends
/// between the two finds the job by its number, or mixes again.
@Loop
final class ClipMaking: MakingObserver {
    private(set) var planner = ClipPlanner()
    private let jobs: MakingJobs
    private let rooms: RoomList
    private let changes: RoomChanges
    private let log: Log
    private var mixing: Task<Void, Never>?
    private let writing = BackgroundQueue()
    private var isClosed = false

    init(jobs: MakingJobs, rooms: RoomList, changes: RoomChanges, log: Log) {
        self.jobs = jobs
        self.rooms = rooms
        self.changes = changes
        self.log = log
        jobs.add(self)
    }

    // MARK: Opening

    /// Reads the sessions. This comes before the jobs, since the first job begins as soon as they are open.
    func read(_ storage: any JobStorage) async {
        do throws(SourceFault) {
            let kept = try await jobs.sources.inBlockingPool { () async throws(SourceFault) in try storage.plans(.session) }
            planner = ClipPlanner(kept.values)
        } catch {
            let fault = FeatureFault("The sessions of clips cannot be read: \(error.sentence)")
            jobs.sources.events.send(.featureFailed(.making, fault))
        }
    }

    /// Connects the sessions with the open jobs, whose changes they may have missed.
    func open() {
        for job in jobs.queue.inOrder {
            if let change = planner.recall(job) { take(change) }
            stepped(job)
        }
        jobs.sources.hold.whenOver { [weak self] in self?.consider() }
    }

    func close() async {
        isClosed = true
        mixing?.cancel()
        await mixing?.value
        await writing.finish()
    }

    // MARK: Finding

    /// The session with this id, or the one that was used last. Throws also when this hub has no workers.
    func session(_ id: String?) throws(SourceFault) -> ClipSession {
        _ = try jobs.opened()
        return try planner.session(id)
    }

    /// All sessions, those that were used last first.
    func latest() throws(SourceFault) -> [ClipSession] {
        _ = try jobs.opened()
        return planner.sessions.sorted { $0.usedMs > $1.usedMs }
    }

    /// The state of a clip's job, if known.
    func state(of clip: ClipSession.Clip, in session: ClipSession) -> GenerationJob.State {
        clip.isMade ? .ready : jobs.queue[session.job(clip.number)]?.state ?? .failed
    }

    private func worker(of session: ClipSession) throws(SourceFault) -> any GenerationWorker {
        guard let composer = jobs.workers.builtIn else { throw Workers.noComposer }
        return session.worker == nil ? composer : try jobs.worker(session.worker)
    }

    /// The worker of this name. Without a name it is the usual one if it makes clips, else the composer, which also mixes the
    /// clips of others.
    private func maker(_ name: String?) throws(SourceFault) -> any GenerationWorker {
        guard let composer = jobs.workers.builtIn else { throw Workers.noComposer }
        let worker = try jobs.worker(name)
        if worker.about.makesClips { return worker }
        guard name == nil else {
            throw SourceFault(.unsupported, "“\(worker.name)” makes whole pieces and no clips. Name another worker: baton worker.")
        }
        return composer
    }

    // MARK: Commands

    func start(
        _ prompt: String, name: String?, by worker: String?, author: String?, once: CommandKey
    ) async throws(SourceFault) -> ClipSession {
        let parts = try jobs.opened()
        let mark = "\(once.device) \(once.key)"
        if let known = planner.session(begunBy: mark) { return known }
        try planner.checkRoom()
        let session = planner.begun(
            prompt, name: name, by: try maker(worker).name, author: author, once: mark, parts: parts, atMs: changes.clock.wallMs())
        try await save(session)
        planner.add(session)
        return session
    }

    /// Adds a clip. It is in its session at once, so that clips are there in the order of the commands; the job is stored with the key of
    /// the command before the session is.
    func add(
        _ wish: ClipWish, _ line: PromptLine, to id: String?, author: Identity, once: CommandKey
    ) async throws(SourceFault) -> GenerationJob {
        if let known = try await jobs.job(madeBy: once) { return known }
        let session = try session(id)
        let worker = try worker(of: session)
        let request = try ClipPlanner.request(wish, line, of: session, by: worker, numbers: try jobs.opened().numbers)
        let id = try planner.add(wish, to: session)
        // A clip is only heard in its scene, so no list or queue protects its sound from removal.
        let job = GenerationJob(
            id: id, worker: worker.name, request: request, author: author.author, owner: author.owner,
            startedMs: changes.clock.wallMs(), room: nil, playsWhenReady: false, isKept: true)
        do throws(SourceFault) { try await jobs.add(job, once: once) } catch {
            if let change = planner.takeOut(id) { take(change) }
            throw error
        }
        let change = try planner.stored(id)
        drop(change.dropped)
        try await save(change.session)
        jobs.begin(id)
        return job
    }

    /// Removes a clip. False when the cell was empty.
    func remove(_ layer: PromptLine.Layer, scene: Int, of id: String?) async throws(SourceFault) -> Bool {
        guard let change = planner.remove(layer, scene: scene, of: try session(id)) else { return false }
        drop(change.dropped)
        try await save(change.session)
        consider()
        return true
    }

    func turn(_ layer: PromptLine.Layer, scene: Int, on isOn: Bool, of id: String?) async throws(SourceFault) -> Bool {
        guard let session = try planner.turn(layer, scene: scene, on: isOn, of: try session(id)) else { return false }
        try await save(session)
        consider()
        return true
    }

    /// Makes the session the current one. Its missing sound is generated again.
    func resume(_ id: String?) async throws(SourceFault) {
        let (session, storage) = (try session(id), try jobs.opened().storage)
        let nowMs = changes.clock.wallMs()
        _ = planner.change(session) { $0.use(atMs: nowMs) }
        let lost = try await jobs.sources.inBlockingPool { () async throws(SourceFault) in
            session.scenes.indices.filter { scene in
                session.scenes[scene].durationMs != nil && (try? storage.file(LoopOrder.sound, of: session.folder(scene))) == nil
            }
        }
        _ = planner.change(session) { session in for scene in lost { session.lost(scene) } }
        try await save(session)
        for clip in session.clips { try await jobs.makeAgain(session.job(clip.number)) }
        planner.unstick(session)
        consider()
    }

    /// The wish for a whole piece that continues the motif of a session.
    func piece(of id: String?, seconds: Int?) throws(SourceFault) -> PiecePlanner.Wish {
        let session = try session(id)
        return try ClipPlanner.piece(of: session, by: try worker(of: session), seconds: seconds, numbers: try jobs.opened().numbers)
    }

    /// Names the scene, or lets it play from the next round on.
    func set(_ scene: Int, name: String?, of id: String?) async throws(SourceFault) -> Bool {
        let changed = planner.change(try session(id)) { session in
            if let name { _ = session.rename(scene, name) } else { _ = session.choose(scene) }
        }
        guard let changed else { return false }
        try await save(changed)
        tell(planner.newest(changed))
        consider()
        return true
    }

    // MARK: Jobs

    func hear(_ news: MakingNews) { if case .stepped(let job) = news { stepped(job) } }

    private func stepped(_ job: GenerationJob) {
        guard let change = planner.finished(job) else { return }
        take(change)
        consider()
    }

    private func take(_ change: ClipPlanner.Change) {
        drop(change.dropped)
        guard change.isNew else { return }
        writing.add { [weak self] in try? await self?.put(change.session) }
    }

    func session(of job: GenerationJob) -> WorkerSession? {
        guard job.worker != jobs.workers.builtIn?.name else { return nil }
        return planner.session(ofJob: job.id).map(BuiltInPieces.worker)
    }

    func agree(on worker: WorkerSession, of job: String) async throws(SourceFault) {
        if let session = planner.agree(on: worker, of: job) { try await save(session) }
    }

    /// Drops the jobs of removed clips: unfinished ones are cancelled, and the sound of others may be deleted.
    private func drop(_ ids: [String]) {
        for id in ids {
            writing.add { [jobs] in
                await jobs.withdraw(id)
                _ = try? await jobs.setKept(id, false)
            }
        }
    }

    // MARK: Store

    /// Writes a session. Writes run one after the other, so that an older state never replaces a newer one.
    private func save(_ session: ClipSession) async throws(SourceFault) {
        try await writing.inTurn { [weak self] () async throws(SourceFault) in try await self?.put(session) }
    }

    private func put(_ session: ClipSession) async throws(SourceFault) {
        guard let storage = jobs.parts?.storage else { return }
        let newest = planner.newest(session)
        try await jobs.sources.inBlockingPool { () async throws(SourceFault) in
            try storage.put(newest.text, .session, named: newest.id)
        }
    }

    // MARK: Mixing

    /// Mixes the next scene, off the loop.
    private func consider() {
        guard mixing == nil, !isClosed, !jobs.sources.hold.isOn, let parts = jobs.parts, let mixer = parts.mixing,
            let session = planner.nextMix(in: jobs.queue), let scene = session.unmixed
        else { return }
        mixing = Task(executorPreference: Loop.jobs) { [weak self] in
            await self?.mixAndGoOn(scene, of: session, by: mixer, parts.storage)
        }
    }

    private func mixAndGoOn(_ scene: Int, of session: ClipSession, by mixer: any LoopMixing, _ storage: any JobStorage) async {
        await mix(scene, of: session, by: mixer, storage)
        mixing = nil
        consider()
    }

    private func mix(_ scene: Int, of session: ClipSession, by mixer: any LoopMixing, _ storage: any JobStorage) async {
        let clips = session.active(scene)
        // The store gets finished jobs later, and drops none of them.
        let sounds = clips.map { jobs.queue[session.job($0)]?.piece?.sound }
        let title = "Session \(session.name): \(session.scenes[scene].name)"
        do throws(SourceFault) {
            let durationMs = try await jobs.sources.inBlockingPool(isQuiet: true) { () async throws(SourceFault) in
                var files: [String] = []
                for (clip, known) in zip(clips, sounds) {
                    let id = session.job(clip)
                    let kept = try storage.job(id)?.piece?.sound
                    guard let sound = known ?? kept else { throw SourceFault(.gone, "A clip is not there any more.") }
                    files.append(try storage.file(sound, of: id).path)
                }
                let id = session.folder(scene)
                let folder = try storage.folder(of: id, isFresh: false)
                // The result's files have their final names by then.
                defer { storage.removeUnfinished(of: id) }
                return try await mixer.mix(LoopOrder(files: files, recipe: session.recipe, title: title, folder: folder))
            }
            guard !isClosed, let mixed = planner.mixed(scene, of: session, clips: clips, durationMs: durationMs) else { return }
            try await save(mixed)
            let newest = planner.newest(mixed)
            if newest.current == scene { tell(newest) }
        } catch {
            guard !isClosed else { return }
            log(.warning, "“\(title)” stays as it was: \(error.sentence)")
            planner.stick(session, error.sentence)
        }
    }

    /// Updates the session's entries with the scene. Players that have its next round ready replace it.
    private func tell(_ session: ClipSession) {
        for live in rooms.all where live.room.queue.entries.contains(where: { $0.uri == session.uri }) {
            live.perform(changes.update(live) { room, now in room.describe(session.uri, session.tags, at: now) })
            if live.room.upcoming?.uri == session.uri { live.playerOrders?.kept(session.uri) }
        }
        changes.publisher.tell()
    }
}
