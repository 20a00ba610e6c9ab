import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about pieces that are derived from others: endless music, steering, variations, repeated pieces, and pieces from
/// the motif of a session.
@Loop
final class ComposingCommands {
    private let service: GenerationService
    private let endless: EndlessService
    private let clips: ClipService
    private let pieces: GenerationCommands
    private let changes: RoomChanges

    init(
        _ service: GenerationService, _ endless: EndlessService, _ clips: ClipService, _ pieces: GenerationCommands, _ changes: RoomChanges
    ) {
        self.service = service
        self.endless = endless
        self.clips = clips
        self.pieces = pieces
        self.changes = changes
    }

    func install(in commands: CommandTable) {
        commands.work(on: Commands.Endless.self, turn)
        commands.work(on: Commands.SteerNext.self, steer)
        commands.work(on: Commands.Vary.self) { [self] command, visit async throws(ProtocolFault) in
            let request = try await variation(of: command.uri, by: command.amount, visit)
            return try await pieces.make(by: try composer(), at: command.target, visit) { request }
        }
        commands.work(on: Commands.Again.self) { [self] command, visit async throws(ProtocolFault) in
            let request = try faults(at: "/p/recipe") { () throws(SourceFault) in try BuiltInPieces.again(command.recipe) }
            return try await pieces.make(by: try composer(), at: command.target, visit) { request }
        }
        commands.work(on: Commands.ClipsContinue.self) { [self] command, visit async throws(ProtocolFault) in
            let piece = try faults(at: "/p/seconds") { () throws(SourceFault) in
                try clips.piece(of: command.session, seconds: command.seconds)
            }
            return try await pieces.make(by: piece.worker, at: command.target, visit, named: piece.session.piece) { piece.request }
        }
    }

    // MARK: Endless music

    private func turn(_ wish: Commands.Endless, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let wished = wish.isOn ? try await plan(wish, visit) : nil
        let isNew: Bool
        do throws(SourceFault) {
            isNew =
                if let wished { try await endless.turnOn(visit.live, wished, author: visit.identity.author) } else {
                    try await endless.turnOff(visit.live)
                }
        } catch {
            throw ProtocolFault(error, at: nil)
        }
        return changes.ledger.done(isNew, for: visit)
    }

    /// The plan for the command. Missing members keep their values of this room. The first command needs words.
    private func plan(_ wish: Commands.Endless, _ visit: Visit) async throws(ProtocolFault) -> EndlessPlan.Wish {
        let earlier = endless.plans[visit.live.room.id]?.wish
        let worker = try faults(at: "/p/worker") { () throws(SourceFault) in
            if wish.worker == nil, let builtIn = service.builtIn { return builtIn }
            return try service.worker(wish.worker)
        }
        let name = worker.about.kind == .builtIn ? nil : worker.name
        let ahead = wish.ahead ?? earlier?.ahead ?? EndlessPlan.usualAhead
        let follow = wish.follow ?? earlier?.follow ?? .motif
        guard let text = wish.text else {
            guard var earlier else {
                throw ProtocolFault(.badRequest, "Say what the music should be like: baton endless on \"slow piano\".", at: "/p/text")
            }
            (earlier.ahead, earlier.follow, earlier.worker) = (ahead, follow, wish.worker == nil ? earlier.worker : name)
            return earlier
        }
        let line = try pieces.read(text, for: worker)
        let settings: PromptSettings
        do throws(SourceFault) { settings = try await service.settings(of: visit.identity.owner, for: line, by: worker) } catch {
            throw ProtocolFault(error, at: nil)
        }
        let request = GenerationRequest(line, else: settings, random: 0)
        return EndlessPlan.Wish(
            prompt: request.prompt, durationS: request.durationS, ahead: ahead, follow: follow, worker: name, model: request.model,
            cfg: request.cfg)
    }

    // MARK: Steering

    private func steer(_ command: Commands.SteerNext, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        guard let once = visit.commandKey else { throw ProtocolFault(.badRequest, "A press that counts needs a key.", at: "/k") }
        let piece: SteeredPiece
        do throws(SourceFault) {
            _ = try service.opened()
            piece = try await endless.steer(visit.live, command.way, once: once)
        } catch {
            throw ProtocolFault(error, at: nil)
        }
        if let known = try KeptAnswers(ledger: changes.ledger).answer(to: visit) { return known }
        // Nothing of the room changes; the answer is kept with its key.
        let effect = try changes.change(visit.live, for: visit.id, keeping: visit.key, answering: piece) { _, _, _ in Outcome() }
        return Answer(effect.reply)
    }

    // MARK: Variations

    private func variation(of uri: ItemURI?, by amount: Int, _ visit: Visit) async throws(ProtocolFault) -> GenerationRequest {
        guard let uri = uri ?? visit.live.room.currentEntry?.uri else {
            throw ProtocolFault(.invalidState, "Nothing is current in this room that could be varied.")
        }
        do throws(SourceFault) {
            let parts = try service.opened()
            guard let id = GenerationJob.id(in: uri) else {
                throw SourceFault(.unsupported, "“\(uri.text)” was not made here, so there is no plan of which it is a piece.")
            }
            let job = try await service.sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.job(id) }
            guard let job else { throw SourceFault(.notFound, "“\(uri.text)” was not made here.") }
            guard let recipe = job.piece?.recipe ?? BuiltInPieces.outcome(of: job.request) else {
                throw SourceFault(
                    .unsupported,
                    job.piece == nil
                        ? "“\(job.title)” is not finished yet, so it cannot be varied."
                        : "“\(job.title)” was made by “\(job.worker)”, and only pieces of the composer have a recipe.")
            }
            return try BuiltInPieces.varied(recipe, by: amount, seed: parts.random() >> 12, prompt: job.request.prompt)
        } catch {
            throw ProtocolFault(error, at: error.code == .notFound ? "/p/uri" : nil)
        }
    }

    private func composer() throws(ProtocolFault) -> String {
        try faults(at: nil) { () throws(SourceFault) in
            guard let composer = service.builtIn else { throw EndlessService.noComposer }
            return composer.name
        }
    }

    private func faults<Found>(at pointer: String?, _ body: () throws(SourceFault) -> Found) throws(ProtocolFault) -> Found {
        do throws(SourceFault) { return try body() } catch {
            throw ProtocolFault(error, at: error.code == .notFound || error.code == .badRequest ? pointer : nil)
        }
    }
}
