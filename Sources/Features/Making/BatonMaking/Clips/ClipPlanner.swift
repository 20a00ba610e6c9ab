import BatonCore
import BatonProtocol
import BatonSeams

/// The planner of sessions of clips: a value that says which job a clip gets, which clips a finished one replaces, and which
/// scene is mixed next. `ClipSession` decides for one session; `ClipMaking` carries out what is decided.
struct ClipPlanner {
    private(set) var sessions: [ClipSession] = []
    /// Sessions that cannot be mixed until they change or are resumed, with the reasons.
    private var stuck: [String: (session: ClipSession, sentence: String)] = [:]

    private static let most = 100
    /// Length of a piece from a session when the person names none.
    private static let pieceS = 90

    /// A changed session, and the jobs of clips that it has dropped.
    struct Change {
        let session: ClipSession
        var dropped: [String] = []
        /// False when only the sound of one of its clips is new.
        var isNew = true
    }

    init(_ kept: some Sequence<String> = []) {
        sessions = kept.compactMap(ClipSession.init(text:)).sorted { ($0.startedMs, $0.id) < ($1.startedMs, $1.id) }
    }

    // MARK: Finding

    /// The session with this id; without one it is the one that was started or resumed last.
    func session(_ id: String?) throws(SourceFault) -> ClipSession {
        let found = id == nil ? sessions.max { $0.usedMs < $1.usedMs } : sessions.first { $0.id == id }
        if let found { return found }
        throw id.map(Self.missing)
            ?? SourceFault(.notFound, "There is no session yet. Begin one: baton clips start \"slow piano\".")
    }

    /// The session of a job that makes a clip or a piece.
    func session(ofJob id: String) -> ClipSession? { sessions.first { $0.has(id) } }

    /// The session that this command has begun.
    func session(begunBy once: String) -> ClipSession? { sessions.first { $0.once == once } }

    /// The newest state of a session.
    func newest(_ session: ClipSession) -> ClipSession { sessions.first { $0.id == session.id } ?? session }

    /// The reason why the loop of a scene is not made from its clips.
    func trouble(_ scene: Int, of session: ClipSession) -> String? {
        guard let stuck = stuck[session.id], stuck.session == session, session.unmixed == scene else { return nil }
        return stuck.sentence
    }

    func isStuck(_ session: ClipSession) -> Bool { stuck[session.id]?.session == session }

    private static func missing(_ id: String) -> SourceFault { SourceFault(.notFound, "This hub has no session “\(id)”.") }

    private func index(_ session: ClipSession) -> Int? { sessions.firstIndex { $0.id == session.id } }

    private func indices(of job: String) -> (session: Int, clip: Int)? {
        for (at, session) in sessions.enumerated() { if let number = session.number(of: job) { return (at, number) } }
        return nil
    }

    // MARK: Sessions

    /// Throws when there are as many sessions as the hub keeps.
    func checkRoom() throws(SourceFault) {
        guard sessions.count < Self.most else { throw SourceFault(.quota, "This hub keeps \(Self.most) sessions.") }
    }

    /// A session that begins. It is not among the others before it is stored.
    func begun(
        _ prompt: String, name: String?, by worker: String, author: String?, once: String, parts: MakingParts, atMs nowMs: Milliseconds
    ) -> ClipSession {
        ClipSession(
            id: parts.numbers.newID(), name: name ?? BuiltInPieces.name(prompt), prompt: prompt, worker: worker,
            recipe: BuiltInPieces.plan(prompt, seed: parts.numbers.random() >> 12), author: author, startedMs: nowMs, once: once)
    }

    mutating func add(_ session: ClipSession) { sessions.append(session) }

    /// Changes a session, and returns it; `nil` when it stays the same.
    mutating func change(_ session: ClipSession, _ edit: (inout ClipSession) -> Void) -> ClipSession? {
        guard let at = index(session) else { return nil }
        let before = sessions[at]
        edit(&sessions[at])
        return sessions[at] == before ? nil : sessions[at]
    }

    /// Takes the worker's report on the session of a job. Returns the session when it has changed.
    mutating func agree(on worker: WorkerSession, of job: String) -> ClipSession? {
        guard let session = session(ofJob: job) else { return nil }
        let recipe = BuiltInPieces.recipe(of: session, planned: worker)
        return change(session) { _ = $0.agree(with: worker, recipe: recipe) }
    }

    // MARK: Clips

    /// The request for a clip of a session.
    static func request(
        _ wish: ClipWish, _ line: PromptLine, of session: ClipSession, by worker: any GenerationWorker, numbers: any MakingNumbers
    ) throws(SourceFault) -> GenerationRequest {
        let request = try BuiltInPieces.clip(wish, line, of: session)
        guard worker.about.kind == .http else { return request }
        // Readers that store numbers as doubles would round larger ones.
        let asked = line.settings.seed == PromptSettings.off ? nil : line.settings.seed
        return BuiltInPieces.request(wish, line, of: session, seed: asked ?? String(numbers.random() >> 12))
    }

    /// Adds a clip, and returns the id of its job. The clips that it replaces stay until the job is stored.
    mutating func add(_ wish: ClipWish, to session: ClipSession) throws(SourceFault) -> String {
        guard let at = index(session) else { throw Self.missing(session.id) }
        return session.job(sessions[at].enter(wish.layer, scene: wish.scene, bars: wish.bars).number)
    }

    /// Notes that the job of a clip is stored. Returns the session and the jobs of unfinished clips that it replaces.
    mutating func stored(_ job: String) throws(SourceFault) -> Change {
        guard let (at, number) = indices(of: job) else { throw SourceFault(.notFound, "This hub has no session of the job “\(job)”.") }
        let dropped = sessions[at].dropReplaced(by: number)
        return Change(session: sessions[at], dropped: dropped.map(sessions[at].job))
    }

    /// Takes out the clip of a job that could not be stored. `nil` when it is not in its session.
    mutating func takeOut(_ job: String) -> Change? {
        guard let (at, number) = indices(of: job) else { return nil }
        return change(sessions[at]) { $0.takeOut(number) }.map { Change(session: $0) }
    }

    /// Removes the clips of a cell. `nil` when it was empty.
    mutating func remove(_ layer: PromptLine.Layer, scene: Int, of session: ClipSession) -> Change? {
        guard let at = index(session) else { return nil }
        let dropped = sessions[at].remove(layer, scene: scene)
        return dropped.isEmpty ? nil : Change(session: sessions[at], dropped: dropped.map(session.job))
    }

    /// Turns a clip on or off. `nil` when it was so.
    mutating func turn(_ layer: PromptLine.Layer, scene: Int, on isOn: Bool, of session: ClipSession) throws(SourceFault) -> ClipSession? {
        guard let at = index(session) else { return nil }
        switch sessions[at].turn(layer, scene: scene, on: isOn) {
        case .empty: throw SourceFault(.notFound, "This scene has no \(layer.rawValue). Add it: baton clips add \(layer.rawValue).")
        case .last:
            throw SourceFault(.invalidState, "It is the only clip of its scene that is on. Pause the music, or choose another scene.")
        case .same: return nil
        case .changed: return sessions[at]
        }
    }

    /// Adds the clip of a job that its session does not know yet, since the hub ended between the two.
    mutating func recall(_ job: GenerationJob) -> Change? {
        guard let (at, number) = indices(of: job.id), let wish = job.request.clip, number > sessions[at].made, job.state != .cancelled
        else { return nil }
        let dropped = sessions[at].add(wish.layer, scene: wish.scene, bars: wish.bars, number: number).dropped
        return Change(session: sessions[at], dropped: dropped.map(sessions[at].job))
    }

    /// Takes a finished clip into its session. `nil` for other jobs.
    mutating func finished(_ job: GenerationJob) -> Change? {
        guard job.state == .ready, let (at, number) = indices(of: job.id) else { return nil }
        let before = sessions[at]
        let dropped = sessions[at].finish(number)
        // A missing sound may have stopped the mix of the scene.
        stuck[before.id] = nil
        return Change(session: sessions[at], dropped: dropped.map(before.job), isNew: sessions[at] != before)
    }

    /// The wish for a whole piece that continues the motif of a session.
    static func piece(
        of session: ClipSession, by maker: any GenerationWorker, seconds: Int?, numbers: any MakingNumbers
    ) throws(SourceFault) -> PiecePlanner.Wish {
        let seconds = seconds ?? pieceS
        let bounds = maker.about.bounds.durationS
        guard bounds.contains(seconds) else {
            throw SourceFault(
                .badRequest, "“\(maker.name)” makes \(bounds.lowerBound) to \(bounds.upperBound) seconds, and not \(seconds).")
        }
        let isOwn = maker.about.kind != .http
        guard isOwn || session.plan != nil else {
            throw SourceFault(
                .invalidState,
                "“\(session.name)” has no motif yet: “\(maker.name)” plans it with the first clip. Add one: baton clips add lead.")
        }
        let request = try BuiltInPieces.goOn(with: session, seed: numbers.random() >> 12, seconds: seconds, isOwn: isOwn)
        return PiecePlanner.Wish(request: request, worker: maker.name, session: session)
    }

    // MARK: Mixing

    /// The session whose scene is mixed next.
    func nextMix(in queue: MakingQueue) -> ClipSession? { sessions.first { !isStuck($0) && canBeMixed($0, in: queue) } }

    /// True when the clips can be mixed. Clips of other workers must first be stored without loss.
    private func canBeMixed(_ session: ClipSession, in queue: MakingQueue) -> Bool {
        guard let scene = session.unmixed else { return false }
        return session.active(scene).allSatisfy { queue[session.job($0)]?.piece?.sound.hasSuffix(".wav") != true }
    }

    /// Notes that the scene of a session is mixed from these clips. Returns the session.
    mutating func mixed(_ scene: Int, of session: ClipSession, clips: [Int], durationMs: Milliseconds) -> ClipSession? {
        guard let at = index(session) else { return nil }
        sessions[at].mixed(scene, of: clips, durationMs: durationMs)
        return sessions[at]
    }

    /// Notes that a session cannot be mixed for now.
    mutating func stick(_ session: ClipSession, _ sentence: String) { stuck[session.id] = (session, sentence) }

    mutating func unstick(_ session: ClipSession) { stuck[session.id] = nil }
}
