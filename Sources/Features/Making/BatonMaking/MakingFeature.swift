import BatonCore
package import BatonKernel
package import BatonSeams

/// Generated music: pieces from prompts, endless music, sessions of clips, and the workers.
@Loop
package final class MakingFeature: Feature {
    package let name = FeatureName.making
    package let jobs: MakingJobs
    private let cancelled: CancelledWork
    private let section: MakingSection
    private let entries: MakingEntries
    private let sounds: MakingSounds
    let endless: EndlessMaking
    let clips: ClipMaking
    let sessions: ClipCommands
    let pieces: MakingCommands
    let composing: ComposingCommands
    let prompts: PromptCommands
    let workers: WorkerCommands

    package init(_ kernel: Kernel, marks: any ItemMarking, playback: PlaybackCommands) {
        jobs = MakingJobs(kernel.sources, clock: kernel.clock, log: kernel.log)
        let (changes, ledger) = (kernel.changes, kernel.ledger)
        section = MakingSection(jobs, kernel.publisher)
        cancelled = CancelledWork(jobs)
        entries = MakingEntries(jobs: jobs, rooms: kernel.rooms, changes: changes, items: kernel.items)
        sounds = MakingSounds(jobs, entries: entries, marks: marks)
        for observer in [section, cancelled, entries, sounds] as [any MakingObserver] { jobs.add(observer) }
        endless = EndlessMaking(jobs: jobs, rooms: kernel.rooms, changes: changes, log: kernel.log)
        clips = ClipMaking(jobs: jobs, rooms: kernel.rooms, changes: changes, log: kernel.log)
        let people = MakingPrompts(jobs)
        sessions = ClipCommands(clips: clips, changes: changes)
        pieces = MakingCommands(jobs: jobs, prompts: people, clips: sessions, playback: playback, changes: changes)
        composing = ComposingCommands(
            jobs: jobs, prompts: people, endless: endless, clips: clips, pieces: pieces, changes: changes)
        prompts = PromptCommands(jobs: jobs, people: people, ledger: ledger)
        workers = WorkerCommands(workers: jobs.workers, jobs: jobs, ledger: ledger, settling: kernel.settling)
        kernel.personRows.add(people)
    }

    package var presses: any CommandStep { EndlessCommandStep(endless) }

    package var profiles: Set<HubProfile> { [.making, .clips] }

    package func install(in commands: CommandTable) {
        sessions.install(in: commands)
        pieces.install(in: commands)
        composing.install(in: commands)
        prompts.install(in: commands)
        workers.install(in: commands)
    }

    package func open(_ parts: MakingParts) async throws(FeatureFault) {
        await clips.read(parts.storage)
        try await jobs.open(parts)
        await endless.open()
        clips.open()
    }

    package var hears: HubEvent.Kinds { .queueMoved }

    package func handle(_ event: HubEvent, _ round: EventRound) {
        if case .queueMoved(let from, let to) = event { round.tell("endless") { endless.handedOver(from: from, to: to) } }
    }

    package var roomObservers: [RoomObservers.Observer] {
        [
            .init("generating", .entries) { [self] in entries.roomChanged($0) },
            .init("endless", .changing, joined: false) { [self] in endless.roomChanged($0) },
        ]
    }

    package var closing: [Closing] {
        [
            Closing("endless", .waiting { await self.endless.close() }),
            Closing("clips", .waiting { await self.clips.close() }),
            Closing("generating", .waiting { await self.closeJobs() }),
        ]
    }

    private func closeJobs() async {
        jobs.stop()
        section.close()
        await entries.close()
        cancelled.close()
        await sounds.close()
        await jobs.close()
    }
}

extension FeatureName {
    package static let making = FeatureName("making")
}
