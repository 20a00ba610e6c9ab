import BatonCore
import BatonProtocol
import BatonSeams

/// Sessions of clips. `ClipSession` decides; the service has clips made as jobs of the built-in composer, has scenes mixed, and lets the
/// rooms know that a loop is another one from its next round on.
///
/// A job is kept before its session knows of it, and a mix stands on the disk before the session says so: a hub that ends between the
/// two finds the job by its number, or mixes again.
@Loop
final class ClipService {
    private(set) var sessions: [ClipSession] = []
    private let generating: GenerationService
    private let rooms: RoomList
    private let changes: RoomChanges
    private let log: Log
    private var mixing: Task<Void, Never>?
    /// Sessions that cannot be mixed until they change.
    private var stuck: [String: ClipSession] = [:]
    private let writing = BackgroundQueue()
    private var isClosed = false

    private static let most = 100

    init(_ generating: GenerationService, _ rooms: RoomList, _ changes: RoomChanges, _ log: Log) {
        self.generating = generating
        self.rooms = rooms
        self.changes = changes
        self.log = log
    }

    // MARK: Opening

    /// Before the jobs, of which the first begins as soon as they are open.
    func read(_ keeper: any JobKeeper) async {
        do throws(SourceFault) {
            let kept = try await generating.sources.inBlockingPool { () async throws(SourceFault) in try keeper.plans(.session) }
            sessions = kept.values.compactMap(ClipSession.init(text:)).sorted { ($0.startedMs, $0.id) < ($1.startedMs, $1.id) }
        } catch {
            log(.error, "The sessions of clips cannot be read: \(error.sentence)")
        }
    }

    /// The jobs are open.
    func open() {
        for id in generating.order { if let job = generating.jobs[id] { recall(job) } }
        consider()
    }

    /// What happened to the job while the session was not told.
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

    /// Throws where this hub makes no music.
    func check() throws(SourceFault) { _ = try generating.opened() }

    /// The one that was begun last, where none is named.
    func index(_ id: String?) throws(SourceFault) -> Int {
        try check()
        if let at = id == nil ? sessions.indices.last : sessions.firstIndex(where: { $0.id == id }) { return at }
        throw id.map { SourceFault(.notFound, "This hub has no session “\($0)”.") }
            ?? SourceFault(.notFound, "There is no session yet. Begin one: baton clips start \"slow piano\".")
    }

    private func place(of job: GenerationJob) -> (Int, Int)? {
        for (at, session) in sessions.enumerated() { if let number = session.number(of: job.id) { return (at, number) } }
        return nil
    }

    /// The job of a clip, as far as it is known.
    func state(of clip: ClipSession.Clip, in session: ClipSession) -> GenerationJob.State {
        clip.isMade ? .ready : generating.jobs[session.job(clip.number)]?.state ?? .failed
    }

    // MARK: What people ask for

    func start(_ prompt: String, name: String?, author: String?, once: CommandKey) async throws(SourceFault) -> ClipSession {
        let parts = try generating.opened()
        guard generating.builtIn != nil else { throw EndlessService.noComposer }
        let mark = "\(once.device) \(once.key)"
        if let known = sessions.first(where: { $0.once == mark }) { return known }
        guard sessions.count < Self.most else { throw SourceFault(.quota, "This hub keeps \(Self.most) sessions.") }
        let session = ClipSession(
            id: parts.newID(), name: name ?? BuiltInPieces.name(prompt), prompt: prompt,
            recipe: BuiltInPieces.plan(prompt, seed: parts.random() >> 12), author: author, startedMs: changes.clock.wallMs(), once: mark)
        try await save(session)
        sessions.append(session)
        return session
    }

    /// The job is kept first, with the key of the command.
    func add(
        _ wish: ClipWish, words: String, to id: String?, author: Identity, once: CommandKey
    ) async throws(SourceFault) -> GenerationJob {
        if let known = try await generating.job(madeBy: once) { return known }
        let at = try index(id)
        guard let composer = generating.builtIn else { throw EndlessService.noComposer }
        let (clip, dropped) = sessions[at].add(wish.layer, scene: wish.scene, bars: wish.bars)
        let session = sessions[at]
        var job = GenerationJob(
            id: session.job(clip.number), worker: composer.name, request: try BuiltInPieces.clip(wish, words, of: session),
            author: author.author, owner: author.owner, startedMs: changes.clock.wallMs(), room: nil, playsWhenReady: false)
        // A clip is heard as a part of its scene only, so no list or queue protects its sound.
        job.isKept = true
        do throws(SourceFault) { try await generating.add(job, once: once) } catch {
            if let at = sessions.firstIndex(where: { $0.id == session.id }) { drop([clip.number], at) }
            throw error
        }
        if let at = sessions.firstIndex(where: { $0.id == session.id }) { drop(dropped, at) }
        try await save(session)
        generating.begin(job.id)
        return job
    }

    /// False when the cell was empty.
    func remove(_ layer: PromptLine.Layer, scene: Int, of id: String?) async throws(SourceFault) -> Bool {
        let at = try index(id)
        let numbers = sessions[at].remove(layer, scene: scene)
        guard !numbers.isEmpty else { return false }
        drop(numbers, at)
        try await save(sessions[at])
        consider()
        return true
    }

    /// Gives the scene a name, or has it play from the next round on.
    func set(_ scene: Int, name: String?, of id: String?) async throws(SourceFault) -> Bool {
        let at = try index(id)
        let isNew = if let name { sessions[at].rename(scene, name) } else { sessions[at].choose(scene) }
        guard isNew else { return false }
        try await save(sessions[at])
        tell(sessions[at])
        consider()
        return true
    }

    // MARK: Clips

    func stepped(_ job: GenerationJob) {
        guard job.state == .ready, let (at, number) = place(of: job) else { return }
        let before = sessions[at]
        drop(sessions[at].finish(number), at)
        if sessions[at] != before { keep(at) }
        // Its sound may have been missing when the scene was to be mixed.
        stuck[sessions[at].id] = nil
        consider()
    }

    /// Clips that are heard no more: those that are coming are not made, and the sound of the others may go.
    private func drop(_ numbers: [Int], _ at: Int) {
        for id in numbers.map(sessions[at].job) {
            writing.add { [generating] in
                _ = try? await generating.cancel(id)
                _ = try? await generating.setKept(id, false)
            }
        }
    }

    // MARK: Mixing

    /// One scene after the other, off the loop.
    private func consider() {
        guard mixing == nil, !isClosed, generating.parts?.mixing != nil else { return }
        guard let session = sessions.first(where: { $0.unmixed != nil && stuck[$0.id] != $0 }) else { return }
        mixing = Task(executorPreference: Loop.jobs) { [weak self] in await self?.mixAndGoOn(session) }
    }

    private func mixAndGoOn(_ session: ClipSession) async {
        await mix(session)
        mixing = nil
        consider()
    }

    private func mix(_ session: ClipSession) async {
        guard let scene = session.unmixed, let parts = generating.parts, let mixer = parts.mixing else { return }
        let clips = session.active(scene)
        // The store hears of a finished job later, and forgets none.
        let sounds = clips.map { generating.jobs[session.job($0)]?.piece?.sound }
        let title = "Session \(session.name): \(session.scenes[scene].name)"
        do throws(SourceFault) {
            let durationMs = try await generating.sources.inBlockingPool { () async throws(SourceFault) in
                var files: [String] = []
                for (clip, known) in zip(clips, sounds) {
                    let id = session.job(clip)
                    let kept = try parts.keeper.job(id)?.piece?.sound
                    guard let sound = known ?? kept else {
                        throw SourceFault(.gone, "A clip is not there any more.")
                    }
                    files.append(try parts.keeper.file(sound, of: id).path)
                }
                let folder = try parts.keeper.folder(of: session.folder(scene), isFresh: false)
                return try await mixer.mix(LoopOrder(files: files, recipe: session.recipe, title: title, folder: folder))
            }
            guard !isClosed, let at = sessions.firstIndex(where: { $0.id == session.id }) else { return }
            sessions[at].mixed(scene, of: clips, durationMs: durationMs)
            try await save(sessions[at])
            if let at = sessions.firstIndex(where: { $0.id == session.id }), sessions[at].current == scene { tell(sessions[at]) }
        } catch {
            guard !isClosed else { return }
            log(.warning, "“\(title)” stays as it was: \(error.sentence)")
            stuck[session.id] = sessions.first { $0.id == session.id }
        }
    }

    /// Its entries show the scene, and the players that have its next round ready take the new one in its place.
    private func tell(_ session: ClipSession) {
        for live in rooms.all where live.room.queue.entries.contains(where: { $0.uri == session.uri }) {
            live.perform(changes.update(live) { room, now in room.describe(session.uri, session.tags, at: now) })
            if live.room.upcoming?.uri == session.uri { live.playerOrders?.kept(session.uri) }
        }
        changes.publisher.tell()
    }

    // MARK: Keeping

    private func keep(_ at: Int) {
        let session = sessions[at]
        writing.add { [weak self] in try? await self?.put(session) }
    }

    /// One write after the other, so that an older state never replaces a newer one.
    private func save(_ session: ClipSession) async throws(SourceFault) {
        try await writing.inTurn { [weak self] () async throws(SourceFault) in try await self?.put(session) }
    }

    private func put(_ session: ClipSession) async throws(SourceFault) {
        guard let keeper = generating.parts?.keeper else { return }
        let newest = sessions.first { $0.id == session.id } ?? session
        try await generating.sources.inBlockingPool { () async throws(SourceFault) in
            try keeper.put(newest.text, .session, named: newest.id)
        }
    }
}
