import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about music from prompts.
@Loop
struct MakingCommands {
    let jobs: MakingJobs
    let prompts: MakingPrompts
    let clips: ClipCommands
    let playback: PlaybackCommands
    let changes: RoomChanges
    private var ledger: Ledger { changes.ledger }

    func install(in commands: CommandTable) {
        commands.work(on: Commands.PromptParse.self) { command, accepted async throws(ProtocolFault) in
            let bounds = try await ProtocolFault.translating(.notFound, at: "/p/worker") { () throws(SourceFault) in
                try jobs.worker(command.worker).about.bounds
            }
            return ledger.found(PromptLine.read(command.text, bounds), for: accepted)
        }
        commands.work(on: Commands.JobBegin.self, begin)
        commands.change(Commands.JobCancel.self, with: ledger) { command, accepted async throws(SourceFault) in
            try PiecePlanner.check(accepted.identity, mayCancel: jobs.queue[command.job])
            return try await jobs.cancel(command.job)
        }
        commands.change(Commands.JobRetry.self, with: ledger) { command, _ async throws(SourceFault) in
            try await jobs.retry(command.job)
        }
        commands.change(Commands.JobApprove.self, with: ledger) { command, _ async throws(SourceFault) in
            try await jobs.approve(command.job)
        }
        commands.change(Commands.JobKeep.self, with: ledger) { command, _ async throws(SourceFault) in
            try await jobs.setKept(command.job, command.isOn)
        }
        commands.find(Commands.JobList.self, with: ledger) { command, _ async throws(SourceFault) in
            _ = try jobs.opened()
            return jobs.queue.rows(command)
        }
    }

    // MARK: Starting

    private func begin(_ start: Commands.JobBegin, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let worker = try await ProtocolFault.translating(.notFound, at: "/p/worker") { () throws(SourceFault) in
            try jobs.worker(start.worker)
        }
        let line = try read(start.text, for: worker)
        if let layer = line.layer { return try await clips.add(layer, line: line, for: accepted) }
        let wish = try await ProtocolFault.translating { () async throws(SourceFault) in
            let numbers = try jobs.opened().numbers
            let settings = try await prompts.settings(of: accepted.identity.owner, for: line, by: worker)
            let request = GenerationRequest(line, else: settings, random: numbers.random())
            return PiecePlanner.Wish(request: request, worker: worker.name, line: start.text)
        }
        return try await make(wish, at: start.target, accepted)
    }

    /// Makes a piece for a command. The job is stored first, then its entry with the answer. If the hub ends between the two,
    /// the repeated command finds the job by its key.
    func make(_ wish: PiecePlanner.Wish, at target: JobTarget, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let job = try await ProtocolFault.translating { () async throws(SourceFault) in
            let planner = PiecePlanner(parts: try jobs.opened())
            if let made = try await jobs.job(madeBy: accepted.commandKey) {
                // The job exists, but its entry does not, since the command would have been answered otherwise.
                if made.state == .cancelled { _ = try await jobs.retry(made.id) }
                return made
            }
            return try await add(wish, at: target, for: accepted, planner: planner)
        }
        if let known = try StoredAnswers(ledger: ledger).answer(to: accepted) { return known }
        do throws(ProtocolFault) {
            let answer = try enqueue(job, at: target, for: accepted)
            jobs.begin(job.id)
            return answer
        } catch {
            await jobs.withdraw(job.id)
            throw error
        }
    }

    private func add(
        _ wish: PiecePlanner.Wish, at target: JobTarget, for accepted: AcceptedCommand, planner: PiecePlanner
    ) async throws(SourceFault) -> GenerationJob {
        let state = try planner.beginning(for: accepted.identity, among: jobs.queue.jobs.values, atMs: changes.clock.wallMs())
        let job = planner.job(
            for: wish, by: accepted.identity, in: target == .none ? nil : accepted.live.room.id, playsWhenReady: target == .play,
            state: state,
            atMs: changes.clock.wallMs())
        try await jobs.add(job, once: accepted.commandKey)
        if let text = wish.line { prompts.note(UsedPrompt(text, atMs: job.startedMs), of: job.owner) }
        return job
    }

    private func enqueue(_ job: GenerationJob, at target: JobTarget, for accepted: AcceptedCommand) throws(ProtocolFault) -> Answer {
        let data = StartedJob(job: job.id, uri: job.uri)
        // The answer is stored with its key: a press that is repeated after the job was cancelled must not have it made anew.
        guard target != .none else { return try changes.storedAnswer(accepted, with: data) }
        let entry = NewEntry(uri: job.uri, tags: job.tags, trust: accepted.identity.trust)
        return try playback.add([entry], at: target == .end ? .end : .next, answering: data, accepted)
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
