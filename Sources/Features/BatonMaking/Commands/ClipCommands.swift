package import BatonCore
package import BatonKernel
package import BatonProtocol
package import BatonSeams

/// Commands about sessions of clips.
@Loop
package final class ClipCommands {
    private let service: ClipService
    private let changes: RoomChanges
    private var ledger: Ledger { changes.ledger }

    init(_ service: ClipService, _ changes: RoomChanges) {
        self.service = service
        self.changes = changes
    }

    package func install(in commands: CommandTable) {
        commands.ask(Commands.ClipsStart.self, start)
        commands.ask(Commands.ClipsList.self, list)
        commands.ask(Commands.ClipsAdd.self) { [self] command, visit async throws(SourceFault) in
            let cell = command.cell
            return try await add(
                ClipWish(cell.layer, scene: cell.scene - 1, bars: command.bars), try line(command.text ?? ""), to: cell.session, visit)
        }
        commands.ask(Commands.ClipsRemove.self) { [self] command, visit async throws(SourceFault) in
            let cell = command.cell
            return ledger.done(try await service.remove(cell.layer, scene: cell.scene - 1, of: cell.session), for: visit)
        }
        commands.ask(Commands.ClipsTurn.self) { [self] command, visit async throws(SourceFault) in
            let cell = command.cell
            return ledger.done(
                try await service.turn(cell.layer, scene: cell.scene - 1, on: command.isOn, of: cell.session), for: visit)
        }
        commands.ask(Commands.ClipsResume.self) { [self] command, visit async throws(SourceFault) in
            try await service.resume(command.session)
            return ledger.done(true, for: visit)
        }
        commands.ask(Commands.ClipsScene.self) { [self] command, visit async throws(SourceFault) in
            ledger.done(try await service.set(command.scene - 1, name: command.name, of: command.session), for: visit)
        }
    }

    /// Handles a line such as `/bass deep`, which adds a clip to the current session and the chosen scene.
    package func add(_ layer: PromptLine.Layer, _ line: PromptLine, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        guard visit.identity.role != .guest else { throw ProtocolFault(.forbidden, "Guests change no sessions of clips.") }
        do throws(SourceFault) {
            let session = service.sessions[try service.index(nil)]
            let wish = ClipWish(layer, scene: session.current, bars: ClipSession.usualBars)
            return try await add(wish, line, to: session.id, visit)
        } catch {
            throw ProtocolFault(error, at: nil)
        }
    }

    private func add(_ wish: ClipWish, _ line: PromptLine, to session: String?, _ visit: Visit) async throws(SourceFault) -> Answer {
        let job = try await service.add(wish, line, to: session, author: visit.identity, once: try once(visit))
        return try kept(StartedJob(job: job.id, uri: job.uri), visit)
    }

    private func start(_ command: Commands.ClipsStart, _ visit: Visit) async throws(SourceFault) -> Answer {
        let session = try await service.start(
            try words(command.text, or: "Say what the session should be like."), name: command.name, by: command.worker,
            author: visit.identity.author, once: try once(visit))
        return try kept(ClipSessions([row(session)]), visit)
    }

    private func list(_ command: Commands.ClipsList, _ visit: Visit) throws(SourceFault) -> Answer {
        let id = command.session
        if let id { _ = try service.index(id) } else { try service.check() }
        let rows = service.sessions.sorted { $0.usedMs > $1.usedMs }.filter { id == nil || $0.id == id }.map(row)
        return ledger.found(ClipSessions(rows), for: visit)
    }

    private func words(_ text: String, or sentence: String) throws(SourceFault) -> String {
        let line = try line(text)
        guard !line.prompt.isEmpty else { throw SourceFault(.badRequest, sentence) }
        return line.prompt
    }

    private func line(_ text: String) throws(SourceFault) -> PromptLine {
        guard !text.isEmpty else { return PromptLine() }
        let line = PromptLine.read(text)
        if let fault = line.faults.first { throw SourceFault(.badRequest, fault.sentence) }
        return line
    }

    private func row(_ session: ClipSession) -> ClipSessions.Row {
        let facts = BuiltInPieces.facts(of: session)
        return ClipSessions.Row(
            session: session.id, name: session.name, prompt: session.prompt, worker: session.worker, author: session.author,
            startedMs: session.startedMs, uri: session.uri, tempo: facts?.tempo, key: facts?.key, scene: session.current + 1,
            scenes: session.scenes.enumerated().map { number, scene in
                .init(name: scene.name, durationMs: scene.durationMs, sentence: service.trouble(number, of: session))
            },
            clips: session.clips.map { clip in
                .init(
                    layer: clip.layer, scene: clip.scene + 1, bars: clip.bars, job: session.job(clip.number),
                    state: JobState(name: service.state(of: clip, in: session).rawValue),
                    isHeard: session.scenes[clip.scene].mixed.contains(clip.number),
                    isOff: !clip.isOn)
            })
    }

    // MARK: Answers

    private func once(_ visit: Visit) throws(SourceFault) -> CommandKey {
        guard let once = visit.commandKey else { throw SourceFault(.badRequest, "What counts twice needs a key.") }
        return once
    }

    /// Nothing of the room changes; the answer is kept with its key.
    private func kept(_ data: any ReplyContent, _ visit: Visit) throws(SourceFault) -> Answer {
        do throws(ProtocolFault) {
            if let known = try KeptAnswers(ledger: changes.ledger).answer(to: visit) { return known }
            return try changes.change(visit.live, for: visit.id, keeping: visit.key, answering: data) { _, _, _ in Outcome() }
        } catch {
            throw SourceFault(.unavailable, error.sentence)
        }
    }
}
