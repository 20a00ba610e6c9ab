import BatonCore
import BatonSeams

/// Copies on the hub's disk: of what people name, and of what plays soon.
@Loop
final class CopiesFeature: Feature {
    let name = FeatureName.copies
    let keeping: KeepService
    let ahead: ReadingAhead
    let commands: KeepCommands

    init(_ kernel: Kernel, made: any PieceKeeping, streams: any StreamListening, marks: any PersonMarks) {
        ahead = ReadingAhead(kernel.rooms, kernel.sources, streams, kernel.clock, kernel.log)
        keeping = KeepService(kernel.sources, kernel.rooms, ahead, made, kernel.publisher, kernel.clock, kernel.log)
        commands = KeepCommands(keeping, marks, kernel.ledger)
        kernel.ports.copies = keeping
    }

    func install(in commands: CommandTable) { self.commands.install(in: commands) }

    var hears: HubEvent.Kinds { [.sourcesChanged, .streamsChanged, .itemFinished, .copyLost, .madePiecesChanged] }

    func handle(_ event: HubEvent, _ round: EventRound) {
        switch event {
        case .sourcesChanged: round.tell("keeping") { keeping.note(.sources) }
        case .streamsChanged: round.tell("ahead") { ahead.roomChanged() }
        case .itemFinished: round.tell("keeping") { keeping.note(.finished) }
        case .copyLost(let uri): round.tell("keeping") { keeping.lost(uri) }
        case .madePiecesChanged: round.tell("keeping") { keeping.changed() }
        default: break
        }
    }

    var roomHearers: [RoomHearers.Hearer] {
        [.init("ahead", .copying, at: .change) { [weak ahead] _ in ahead?.roomChanged() }]
    }

    var closing: [Closing] {
        [
            Closing("ahead", .waiting { await self.ahead.close() }),
            Closing("keeping", .waiting { await self.keeping.close() }),
        ]
    }
}
