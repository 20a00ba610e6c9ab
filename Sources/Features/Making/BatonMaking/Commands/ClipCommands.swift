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
        commands.work(on: Commands.ClipsStart.self, start)
        commands.find(Commands.ClipsList.self, with: ledger, list)
        commands.work(on: Commands.ClipsAdd.self) { command, accepted async throws(ProtocolFault) in
            try await add(accepted) { () throws(SourceFault) in
                let cell = command.cell
                return (ClipWish(cell.layer, scene: cell.scene - 1, bars: command.bars), try line(command.text ?? ""), cell.session)
            }
        }
        commands.change(Commands.ClipsRemove.self, with: ledger) { command, _ async throws(SourceFault) in
            try await clips.remove(command.cell.layer, scene: command.cell.scene - 1, of: command.cell.session)
        }
        commands.change(Commands.ClipsTurn.self, with: ledger) { command, _ async throws(SourceFault) in
            try await clips.turn(command.cell.layer, scene: command.cell.scene - 1, on: command.isOn, of: command.cell.session)
        }
        commands.change(Commands.ClipsResume.self, with: ledger) { command, _ async throws(SourceFault) in
            try await clips.resume(command.session)
            return true
        }
        commands.change(Commands.ClipsScene.self, with: ledger) { command, _ async throws(SourceFault) in
            try await clips.set(command.scene - 1, name: command.name, of: command.session)
        }
    }

    /// Handles a line such as `/bass deep`, which adds a clip to the current session and the chosen scene.
    func add(_ layer: PromptLine.Layer, line: PromptLine, for accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        guard accepted.identity.role != .guest else { throw ProtocolFault(.forbidden, "Guests change no sessions of clips.") }
        return try await add(accepted) { () throws(SourceFault) in
            let session = try clips.session(nil)
            return (ClipWish(layer, scene: session.current, bars: ClipSession.usualBars), line, session.id)
        }
    }

    /// Adds a clip to a session. `wish` reads from the command what it is to be.
    private func add(
        _ accepted: AcceptedCommand, _ wish: @Loop () throws(SourceFault) -> (ClipWish, PromptLine, session: String?)
    ) async throws(ProtocolFault) -> Answer {
        let job = try await ProtocolFault.translating { () async throws(SourceFault) in
            let (clip, line, session) = try wish()
            return try await clips.add(clip, line, to: session, author: accepted.identity, once: accepted.neededKey)
        }
        return try changes.storedAnswer(accepted, with: StartedJob(job: job.id, uri: job.uri))
    }

    private func start(_ command: Commands.ClipsStart, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let session = try await ProtocolFault.translating { () async throws(SourceFault) in
            try await clips.start(
                try words(command.text, or: "Say what the session should be like."), name: command.name, by: command.worker,
                author: accepted.identity.author, once: accepted.neededKey)
        }
        return try changes.storedAnswer(accepted, with: ClipSessions([row(session)]))
    }

    private func list(_ command: Commands.ClipsList, _ accepted: AcceptedCommand) throws(SourceFault) -> ClipSessions {
        let sessions = if let id = command.session { [try clips.session(id)] } else { try clips.latest() }
        return ClipSessions(sessions.map(row))
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
}
