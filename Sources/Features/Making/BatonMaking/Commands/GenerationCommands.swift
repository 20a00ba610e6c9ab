import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about music from prompts.
@Loop
struct GenerationCommands {
    let service: GenerationService
    let clips: ClipCommands
    let playback: PlaybackCommands
    let changes: RoomChanges
    private var ledger: Ledger { changes.ledger }

    func install(in commands: CommandTable) {
        commands.work(on: Commands.PromptParse.self) { command, visit async throws(ProtocolFault) in
            let bounds = try await ProtocolFault.translating(.notFound, at: "/p/worker") { () throws(SourceFault) in
                try service.worker(command.worker).about.bounds
            }
            return ledger.found(PromptLine.read(command.text, bounds), for: visit)
        }
        commands.work(on: Commands.JobBegin.self, begin)
        commands.change(Commands.JobCancel.self, with: ledger) { command, visit async throws(SourceFault) in
            try service.check(visit.identity, mayCancel: command.job)
            return try await service.cancel(command.job)
        }
        commands.change(Commands.JobRetry.self, with: ledger) { command, _ async throws(SourceFault) in
            try await service.retry(command.job)
        }
        commands.change(Commands.JobApprove.self, with: ledger) { command, _ async throws(SourceFault) in
            try await service.approve(command.job)
        }
        commands.change(Commands.JobKeep.self, with: ledger) { command, _ async throws(SourceFault) in
            try await service.setKept(command.job, command.isOn)
        }
        commands.find(Commands.JobList.self, with: ledger) { command, _ async throws(SourceFault) in
            _ = try service.opened()
            return service.rows(command)
        }
    }

    // MARK: Starting

    private func begin(_ start: Commands.JobBegin, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let (worker, parts) = try await ProtocolFault.translating(.notFound, at: "/p/worker") { () throws(SourceFault) in
            (try service.worker(start.worker), try service.opened())
        }
        let line = try read(start.text, for: worker)
        if let layer = line.layer { return try await clips.add(layer, line, visit) }
        return try await make(by: worker.name, at: start.target, visit, noting: start.text) { () async throws(SourceFault) in
            let settings = try await service.settings(of: visit.identity.owner, for: line, by: worker)
            return GenerationRequest(line, else: settings, random: parts.random())
        }
    }

    /// Makes a piece for a command. The job is stored first, then its entry with the answer. If the hub ends between the two,
    /// the repeated command finds the job by its key. `text` is the person's input.
    func make(
        by worker: String, at target: JobTarget, _ visit: Visit, noting text: String? = nil,
        named name: (String) -> String = { $0 },
        _ request: @Loop () async throws(SourceFault) -> GenerationRequest
    ) async throws(ProtocolFault) -> Answer {
        let job = try await ProtocolFault.translating { () async throws(SourceFault) in
            let parts = try service.opened()
            if let made = try await service.job(madeBy: visit.commandKey) {
                // The job exists, but its entry does not, since the command would have been answered otherwise.
                if made.state == .cancelled { _ = try await service.retry(made.id) }
                return made
            }
            let state = try service.beginning(for: visit.identity)
            var new = GenerationJob(
                id: name(parts.newID()), worker: worker, request: try await request(), author: visit.identity.author,
                owner: visit.identity.owner, startedMs: changes.clock.wallMs(), room: target == .none ? nil : visit.live.room.id,
                playsWhenReady: target == .play)
            new.state = state
            try await service.add(new, once: visit.commandKey)
            if let text { service.note(UsedPrompt(text, atMs: new.startedMs), of: new.owner) }
            return new
        }
        if let known = try KeptAnswers(ledger: ledger).answer(to: visit) { return known }
        do throws(ProtocolFault) {
            let answer = try enqueue(job, target, visit)
            service.begin(job.id)
            return answer
        } catch {
            await service.withdraw(job.id)
            throw error
        }
    }

    private func enqueue(_ job: GenerationJob, _ target: JobTarget, _ visit: Visit) throws(ProtocolFault) -> Answer {
        let data = StartedJob(job: job.id, uri: job.uri)
        // The answer is kept with its key: a press that is repeated after the job was cancelled must not have it made anew.
        guard target != .none else { return try changes.storedAnswer(visit, with: data) }
        let entry = NewEntry(uri: job.uri, tags: job.tags, trust: visit.identity.trust)
        return try playback.add([entry], at: target == .end ? .end : .next, answering: data, visit)
    }

    func read(_ text: String, for worker: any GenerationWorker) throws(ProtocolFault) -> PromptLine {
        let line = PromptLine.read(text, worker.about.bounds)
        if let fault = line.faults.first { throw ProtocolFault(.badRequest, fault.sentence, at: "/p/text") }
        guard line.action == .make else {
            throw ProtocolFault(.badRequest, Self.others[line.action] ?? "This line asks for no music.", at: "/p/text")
        }
        return line
    }

    private static let others: [PromptLine.Action: String] = [
        .session: "This line begins a session of clips, which is done by clips.start: baton clips start \"slow piano\".",
        .scene: "This line names a scene, which is done by clips.scene: baton clips scene 2 --name Chorus.",
        .settings: "This line sets what holds for later ones, which is done by gen.set. Describe the music that is to be made.",
    ]
}
