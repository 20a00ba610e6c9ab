import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about pieces that are derived from others: endless music, steering, variations, repeated pieces, and pieces from
/// the motif of a session.
@Loop
struct ComposingCommands {
    let jobs: MakingJobs
    let prompts: MakingPrompts
    let endless: EndlessMaking
    let clips: ClipMaking
    let pieces: MakingCommands
    let changes: RoomChanges

    func install(in commands: CommandTable) {
        commands.work(on: Commands.Endless.self, turn)
        commands.work(on: Commands.SteerNext.self, steer)
        commands.work(on: Commands.Vary.self) { command, accepted async throws(ProtocolFault) in
            let request = try await variation(of: command.uri, by: command.amount, accepted)
            return try await pieces.make(.init(request: request, worker: try composer()), at: command.target, accepted)
        }
        commands.work(on: Commands.Again.self) { command, accepted async throws(ProtocolFault) in
            let request = try await ProtocolFault.translating(.notFound, .badRequest, at: "/p/recipe") { () throws(SourceFault) in
                try BuiltInPieces.again(command.recipe)
            }
            return try await pieces.make(.init(request: request, worker: try composer()), at: command.target, accepted)
        }
        commands.work(on: Commands.ClipsContinue.self) { command, accepted async throws(ProtocolFault) in
            let wish = try await ProtocolFault.translating(.notFound, .badRequest, at: "/p/seconds") { () throws(SourceFault) in
                try clips.piece(of: command.session, seconds: command.seconds)
            }
            return try await pieces.make(wish, at: command.target, accepted)
        }
    }

    // MARK: Endless music

    private func turn(_ wish: Commands.Endless, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let wished = wish.isOn ? try await plan(wish, accepted) : nil
        let isNew = try await ProtocolFault.translating { () async throws(SourceFault) in
            guard let wished else { return try await endless.turnOff(accepted.live) }
            return try await endless.turnOn(accepted.live, wished, author: accepted.identity.author)
        }
        return changes.ledger.done(isNew, for: accepted)
    }

    /// The plan for the command. Missing members keep their values of this room. The first command needs words.
    private func plan(_ wish: Commands.Endless, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> EndlessPlan.Wish {
        let earlier = endless.planner[accepted.live.room.id]?.wish
        let worker = try await ProtocolFault.translating(.notFound, .badRequest, at: "/p/worker") { () throws(SourceFault) in
            if wish.worker == nil, let builtIn = jobs.workers.builtIn { return builtIn }
            return try jobs.worker(wish.worker)
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
        let settings = try await ProtocolFault.translating { () async throws(SourceFault) in
            try await prompts.settings(of: accepted.identity.owner, for: line, by: worker)
        }
        let request = GenerationRequest(line, else: settings, random: 0)
        return EndlessPlan.Wish(
            prompt: request.prompt, durationS: request.durationS, ahead: ahead, follow: follow, worker: name, model: request.model,
            cfg: request.cfg)
    }

    // MARK: Steering

    private func steer(_ command: Commands.SteerNext, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let piece = try await ProtocolFault.translating { () async throws(SourceFault) in
            _ = try jobs.opened()
            return try await endless.steer(accepted.live, command.way, once: accepted.neededKey)
        }
        return try changes.storedAnswer(accepted, with: piece)
    }

    // MARK: Variations

    private func variation(of uri: ItemURI?, by amount: Int, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> GenerationRequest {
        guard let uri = uri ?? accepted.live.room.currentEntry?.uri else {
            throw ProtocolFault(.invalidState, "Nothing is current in this room that could be varied.")
        }
        return try await ProtocolFault.translating(.notFound, at: "/p/uri") { () async throws(SourceFault) in
            let planner = PiecePlanner(parts: try jobs.opened())
            guard let id = GenerationJob.id(in: uri) else {
                throw SourceFault(.unsupported, "“\(uri.text)” was not made here, so there is no plan of which it is a piece.")
            }
            guard let job = try await jobs.stored(id) else { throw SourceFault(.notFound, "“\(uri.text)” was not made here.") }
            return try planner.variation(of: job, by: amount)
        }
    }

    private func composer() throws(ProtocolFault) -> String {
        guard let composer = jobs.workers.builtIn else { throw ProtocolFault(Workers.noComposer, at: nil) }
        return composer.name
    }
}
