import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The commands of people on sessions of clips.
extension ClipService {
    private static let most = 100
    /// Length of a piece from a session when the person names none.
    private static let pieceS = 90

    func start(
        _ prompt: String, name: String?, by worker: String?, author: String?, once: CommandKey
    ) async throws(SourceFault) -> ClipSession {
        let parts = try jobs.opened()
        let mark = "\(once.device) \(once.key)"
        if let known = sessions.first(where: { $0.once == mark }) { return known }
        guard sessions.count < Self.most else { throw SourceFault(.quota, "This hub keeps \(Self.most) sessions.") }
        let session = ClipSession(
            id: parts.newID(), name: name ?? BuiltInPieces.name(prompt), prompt: prompt, worker: try maker(worker).name,
            recipe: BuiltInPieces.plan(prompt, seed: parts.random() >> 12), author: author, startedMs: changes.clock.wallMs(), once: mark)
        try await save(session)
        sessions.append(session)
        return session
    }

    /// The worker of this name. Without a name it is the usual one if it makes clips, else the composer, which also mixes the
    /// clips of others.
    private func maker(_ name: String?) throws(SourceFault) -> any GenerationWorker {
        guard let composer = jobs.workers.builtIn else { throw EndlessService.noComposer }
        let worker = try jobs.worker(name)
        if worker.about.makesClips { return worker }
        guard name == nil else {
            throw SourceFault(.unsupported, "“\(worker.name)” makes whole pieces and no clips. Name another worker: baton worker.")
        }
        return composer
    }

    /// Adds a clip. The job is stored first, with the key of the command.
    func add(
        _ wish: ClipWish, _ line: PromptLine, to id: String?, author: Identity, once: CommandKey
    ) async throws(SourceFault) -> GenerationJob {
        if let known = try await jobs.job(madeBy: once) { return known }
        let at = try index(id)
        let worker = try self.worker(of: sessions[at])
        let request = try request(wish, line, of: sessions[at], by: worker)
        let (clip, dropped) = sessions[at].add(wish.layer, scene: wish.scene, bars: wish.bars)
        let session = sessions[at]
        // A clip is only heard in its scene, so no list or queue protects its sound from removal.
        let job = GenerationJob(
            id: session.job(clip.number), worker: worker.name, request: request,
            author: author.author, owner: author.owner, startedMs: changes.clock.wallMs(), room: nil, playsWhenReady: false, isKept: true)
        do throws(SourceFault) { try await jobs.add(job, once: once) } catch {
            if let at = sessions.firstIndex(where: { $0.id == session.id }) { drop([clip.number], at) }
            throw error
        }
        if let at = sessions.firstIndex(where: { $0.id == session.id }) { drop(dropped, at) }
        try await save(session)
        jobs.begin(job.id)
        return job
    }

    private func worker(of session: ClipSession) throws(SourceFault) -> any GenerationWorker {
        guard let composer = jobs.workers.builtIn else { throw EndlessService.noComposer }
        return session.worker == nil ? composer : try jobs.worker(session.worker)
    }

    private func request(
        _ wish: ClipWish, _ line: PromptLine, of session: ClipSession, by worker: any GenerationWorker
    ) throws(SourceFault) -> GenerationRequest {
        let request = try BuiltInPieces.clip(wish, line, of: session)
        guard worker.about.kind == .http else { return request }
        // Readers that store numbers as doubles would round larger ones.
        let asked = line.settings.seed == PromptSettings.off ? nil : line.settings.seed
        let random = try jobs.opened().random
        return BuiltInPieces.request(wish, line, of: session, seed: asked ?? String(random() >> 12))
    }

    /// Removes a clip. False when the cell was empty.
    func remove(_ layer: PromptLine.Layer, scene: Int, of id: String?) async throws(SourceFault) -> Bool {
        let at = try index(id)
        let numbers = sessions[at].remove(layer, scene: scene)
        guard !numbers.isEmpty else { return false }
        drop(numbers, at)
        try await save(sessions[at])
        consider()
        return true
    }

    func turn(_ layer: PromptLine.Layer, scene: Int, on isOn: Bool, of id: String?) async throws(SourceFault) -> Bool {
        let at = try index(id)
        switch sessions[at].turn(layer, scene: scene, on: isOn) {
        case .empty: throw SourceFault(.notFound, "This scene has no \(layer.rawValue). Add it: baton clips add \(layer.rawValue).")
        case .last:
            throw SourceFault(.invalidState, "It is the only clip of its scene that is on. Pause the music, or choose another scene.")
        case .same: return false
        case .changed:
            try await save(sessions[at])
            consider()
            return true
        }
    }

    /// Makes the session the current one. Its missing sound is generated again.
    func resume(_ id: String?) async throws(SourceFault) {
        let parts = try jobs.opened()
        let found = try index(id)
        sessions[found].use(atMs: changes.clock.wallMs())
        let session = sessions[found]
        let lost = try await jobs.sources.inBlockingPool { () async throws(SourceFault) in
            session.scenes.indices.filter { scene in
                session.scenes[scene].durationMs != nil
                    && (try? parts.keeper.file(LoopOrder.sound, of: session.folder(scene))) == nil
            }
        }
        guard let at = sessions.firstIndex(where: { $0.id == session.id }) else { return }
        for scene in lost { sessions[at].lost(scene) }
        try await save(sessions[at])
        for clip in session.clips { try await jobs.makeAgain(session.job(clip.number)) }
        stuck[session.id] = nil
        consider()
    }

    /// A whole piece that continues the motif of a session.
    func piece(of id: String?, seconds: Int?) throws(SourceFault) -> PiecePlanner.Wish {
        let session = sessions[try index(id)]
        let maker = try worker(of: session)
        let seconds = seconds ?? Self.pieceS
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
        let seed = try jobs.opened().random() >> 12
        let request = try BuiltInPieces.goOn(with: session, seed: seed, seconds: seconds, isOwn: isOwn)
        return PiecePlanner.Wish(request: request, worker: maker.name, session: session)
    }

    /// Names the scene, or lets it play from the next round on.
    func set(_ scene: Int, name: String?, of id: String?) async throws(SourceFault) -> Bool {
        let at = try index(id)
        let isNew = if let name { sessions[at].rename(scene, name) } else { sessions[at].choose(scene) }
        guard isNew else { return false }
        try await save(sessions[at])
        tell(sessions[at])
        consider()
        return true
    }
}
