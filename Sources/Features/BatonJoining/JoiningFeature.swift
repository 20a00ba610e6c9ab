import BatonCore
import BatonSeams

/// Rooms that play along with rooms of other servers.
@Loop
final class JoiningFeature: Feature {
    let name = FeatureName.joining
    let joining: JoinedRooms
    let commands: JoiningCommands

    init(_ kernel: Kernel, accounts: any AccountMemory) {
        joining = JoinedRooms(
            kernel.rooms, kernel.changes, kernel.players, kernel.sources, accounts, rails: kernel.volume, hub: kernel.identity.id,
            kernel.log)
        commands = JoiningCommands(joining, kernel.items, kernel.changes, kernel.settling, queueLength: kernel.limits.queueLength)
        kernel.ports.following = joining
    }

    func install(in commands: CommandTable) { self.commands.install(in: commands) }

    var hears: HubEvent.Kinds { [.sourceChanged, .sourceForgotten] }

    func handle(_ event: HubEvent, _ round: EventRound) {
        switch event {
        case .sourceChanged(let source): round.tell("joining", held: true) { joining.sourceChanged(source) }
        case .sourceForgotten(let source): round.tell("joining") { joining.forget(source) }
        default: break
        }
    }

    var closing: [Closing] { [Closing("joining", .waiting { await self.joining.close() })] }
}
