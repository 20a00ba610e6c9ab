import BatonCore
package import BatonKernel
package import BatonSeams

/// Copies on the hub's disk: of items that people name, and of the next tracks.
@Loop
package final class CopiesFeature: Feature {
    package let name = FeatureName.copies
    package let keeping: KeepService
    package let ahead: ReadingAhead
    let commands: KeepCommands

    package init(_ kernel: Kernel, made: any PieceKeeping, streams: any StreamListening, marks: any PersonMarks) {
        ahead = ReadingAhead(rooms: kernel.rooms, sources: kernel.sources, streams: streams, clock: kernel.clock, log: kernel.log)
        keeping = KeepService(
            sources: kernel.sources, rooms: kernel.rooms, ahead: ahead, made: made, publisher: kernel.publisher, clock: kernel.clock,
            log: kernel.log)
        commands = KeepCommands(keeping: keeping, marks: marks, ledger: kernel.ledger)
        kernel.ports.copies = keeping
    }

    package var profiles: Set<HubProfile> { [.copies] }

    package func install(in commands: CommandTable) { self.commands.install(in: commands) }

    package var hears: HubEvent.Kinds { [.sourcesChanged, .streamsChanged, .itemFinished, .copyLost, .madePiecesChanged] }

    package func handle(_ event: HubEvent, _ round: EventRound) {
        switch event {
        case .sourcesChanged: round.tell("keeping") { keeping.note(.sources) }
        case .streamsChanged: round.tell("ahead") { ahead.roomChanged() }
        case .itemFinished: round.tell("keeping") { keeping.note(.finished) }
        case .copyLost(let uri): round.tell("keeping") { keeping.lost(uri) }
        case .madePiecesChanged: round.tell("keeping") { keeping.changed() }
        default: break
        }
    }

    package var roomObservers: [RoomObservers.Observer] {
        [.init("ahead", .copying, at: .change) { [self] _ in ahead.roomChanged() }]
    }

    package var closing: [Closing] {
        [
            Closing("ahead", .waiting { await self.ahead.close() }),
            Closing("keeping", .waiting { await self.keeping.close() }),
        ]
    }
}

extension FeatureName {
    package static let copies = FeatureName("copies")
}
