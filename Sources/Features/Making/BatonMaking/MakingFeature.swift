import BatonCore
package import BatonKernel
package import BatonSeams

/// Generated music: pieces from prompts, endless music, sessions of clips, and the workers.
@Loop
package final class MakingFeature: Feature {
    package let name = FeatureName.making
    package let generating: GenerationService
    let endless: EndlessService
    let clips: ClipService
    let sessions: ClipCommands
    let pieces: GenerationCommands
    let composing: ComposingCommands
    let prompts: PromptCommands
    let workers: WorkerCommands

    package init(_ kernel: Kernel, marks: any ItemMarking, playback: PlaybackCommands) {
        generating = GenerationService(
            kernel.sources, kernel.items, marks, kernel.rooms, kernel.changes, kernel.publisher, kernel.clock, kernel.log)
        endless = EndlessService(generating, kernel.rooms, kernel.changes, kernel.log)
        clips = ClipService(generating, kernel.rooms, kernel.changes, kernel.log)
        let (changes, ledger) = (kernel.changes, kernel.ledger)
        sessions = ClipCommands(service: clips, changes: changes)
        pieces = GenerationCommands(service: generating, clips: sessions, playback: playback, changes: changes)
        composing = ComposingCommands(service: generating, endless: endless, clips: clips, pieces: pieces, changes: changes)
        prompts = PromptCommands(service: generating, ledger: ledger)
        workers = WorkerCommands(workers: generating.workers, ledger: ledger, settling: kernel.settling)
        kernel.personRows.add(generating)
    }

    package var presses: any CommandStep { EndlessPresses(endless) }

    package func install(in commands: CommandTable) {
        sessions.install(in: commands)
        pieces.install(in: commands)
        composing.install(in: commands)
        prompts.install(in: commands)
        workers.install(in: commands)
    }

    package func open(_ parts: GenerationParts) async throws(FeatureFault) {
        await clips.read(parts.keeper)
        try await generating.open(parts)
        await endless.open()
        clips.open()
    }

    package var hears: HubEvent.Kinds { .queueMoved }

    package func handle(_ event: HubEvent, _ round: EventRound) {
        if case .queueMoved(let from, let to) = event { round.tell("endless") { endless.handedOver(from: from, to: to) } }
    }

    package var roomHearers: [RoomHearers.Hearer] {
        [
            .init("generating", .entries) { [self] in generating.roomChanged($0) },
            .init("endless", .changing, joined: false) { [self] in endless.roomChanged($0) },
        ]
    }

    package var closing: [Closing] {
        [
            Closing("endless", .waiting { await self.endless.close() }),
            Closing("clips", .waiting { await self.clips.close() }),
            Closing("generating", .waiting { await self.generating.close() }),
        ]
    }
}

extension FeatureName {
    package static let making = FeatureName("making")
}
