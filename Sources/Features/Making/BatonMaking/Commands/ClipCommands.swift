import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about sessions of clips.
@Loop
struct ClipCommands {
    let clips: ClipMaking
    let changes: RoomChanges
    private var ledger: Ledger { changes.ledger }

    func install(in commands: CommandTable) {
        commands.ask(Commands.ClipsStart.self, start)
        commands.ask(Commands.ClipsList.self, list)
        commands.ask(Commands.ClipsAdd.self) { command, visit async throws(SourceFault) in
            let cell = command.cell
            return try await add(
                ClipWish(cell.layer, scene: cell.scene - 1, bars: command.bars), try line(command.text ?? ""), to: cell.session, visit)
        }
        commands.ask(Commands.ClipsRemove.self) { command, visit async throws(SourceFault) in
            let cell = command.cell
            return ledger.done(try await clips.remove(cell.layer, scene: cell.scene - 1, of: cell.session), for: visit)
        }
        commands.ask(Commands.ClipsTurn.self) { command, visit async throws(SourceFault) in
            let cell = command.cell
            return ledger.done(
                try await clips.turn(cell.layer, scene: cell.scene - 1, on: command.isOn, of: cell.session), for: visit)
        }
        commands.ask(Commands.ClipsResume.self) { command, visit async throws(SourceFault) in
            try await clips.resume(command.session)
            return ledger.done(true, for: visit)
        }
        commands.ask(Commands.ClipsScene.self) { command, visit async throws(SourceFault) in
            ledger.done(try await clips.set(command.scene - 1, name: command.name, of: command.session), for: visit)
        }
    }

    /// Handles a line such as `/bass deep`, which adds a clip to the current session and the chosen scene.
    func add(_ layer: PromptLine.Layer, _ line: PromptLine, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        guard visit.identity.role != .guest else { throw ProtocolFault(.forbidden, "Guests change no sessions of clips.") }
        return try await ProtocolFault.translating { () async throws(SourceFault) in
            let session = try clips.session(nil)
            let wish = ClipWish(layer, scene: session.current, bars: ClipSession.usualBars)
            return try await add(wish, line, to: session.id, visit)
        }
    }

    private func add(_ wish: ClipWish, _ line: PromptLine, to session: String?, _ visit: Visit) async throws(SourceFault) -> Answer {
        let job = try await clips.add(wish, line, to: session, author: visit.identity, once: try once(visit))
        return try kept(StartedJob(job: job.id, uri: job.uri), visit)
    }

    private func start(_ command: Commands.ClipsStart, _ visit: Visit) async throws(SourceFault) -> Answer {
        let session = try await clips.start(
            try words(command.text, or: "Say what the session should be like."), name: command.name, by: command.worker,
            author: visit.identity.author, once: try once(visit))
        return try kept(ClipSessions([row(session)]), visit)
    }

    private func list(_ command: Commands.ClipsList, _ visit: Visit) throws(SourceFault) -> Answer {
        let sessions = if let id = command.session { [try clips.session(id)] } else { try clips.latest() }
        return ledger.found(ClipSessions(sessions.map(row)), for: visit)
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
                .init(name: scene.name, durationMs: scene.durationMs, sentence: clips.planner.trouble(number, of: session))
            },
            clips: session.clips.map { clip in
                .init(
                    layer: clip.layer, scene: clip.scene + 1, bars: clip.bars, job: session.job(clip.number),
                    state: JobState(name: clips.state(of: clip, in: session).rawValue),
                    isHeard: session.scenes[clip.scene].mixed.contains(clip.number),
                    isOff: !clip.isOn)
            })
    }

    // MARK: Answers

    private func once(_ visit: Visit) throws(SourceFault) -> CommandKey {
        guard let once = visit.commandKey else { throw SourceFault(.badRequest, "What counts twice needs a key.") }
        return once
    }

    private func kept(_ data: any ReplyContent, _ visit: Visit) throws(SourceFault) -> Answer {
        do throws(ProtocolFault) {
            if let known = try KeptAnswers(ledger: changes.ledger).answer(to: visit) { return known }
            return try changes.storedAnswer(visit, with: data)
        } catch {
            throw SourceFault(.unavailable, error.sentence)
        }
    }
}
