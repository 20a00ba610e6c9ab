import BatonCore
package import BatonKernel
package import BatonSeams

/// Rooms that play along with rooms of other servers.
@Loop
package final class JoiningFeature: Feature {
    package let name = FeatureName.joining
    package let joining: JoinedRooms
    package let commands: JoiningCommands

    package init(_ kernel: Kernel, accounts: any AccountMemory) {
        joining = JoinedRooms(
            rooms: kernel.rooms, changes: kernel.changes, players: kernel.players, sources: kernel.sources, accounts: accounts,
            rails: kernel.volume, hub: kernel.identity.id, log: kernel.log)
        commands = JoiningCommands(
            joining, items: kernel.items, changes: kernel.changes, settling: kernel.settling, queueLength: kernel.limits.queueLength)
        kernel.ports.following = joining
    }

    package var profiles: Set<HubProfile> { [.joining] }

    package func install(in commands: CommandTable) { self.commands.install(in: commands) }

    package var hears: HubEvent.Kinds { [.sourceChanged, .sourceForgotten] }

    package func handle(_ event: HubEvent, _ round: EventRound) {
        switch event {
        case .sourceChanged(let source): round.tell("joining", held: true) { joining.sourceChanged(source) }
        case .sourceForgotten(let source): round.tell("joining") { joining.forget(source) }
        default: break
        }
    }

    package var closing: [Closing] { [Closing("joining", .waiting { await self.joining.close() })] }
}

extension FeatureName {
    static let joining = FeatureName("joining")
}
