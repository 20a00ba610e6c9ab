import BatonCore
package import BatonKernel
package import BatonSeams

/// People with accounts: signing in, control of rooms, and personal data.
@Loop
package final class UsersFeature: Feature {
    package let name = FeatureName.users
    private let users: UserRegistry?
    private let events: HubEvents
    private let personRows: PersonalRows
    /// The rules for the control of rooms.
    package let rules: RoomRules
    let commands: UserCommands?

    package init(_ kernel: Kernel) {
        users = kernel.users
        events = kernel.events
        personRows = kernel.personRows
        rules = RoomRules(kernel.users)
        commands = kernel.users.map {
            UserCommands(
                users: $0, devices: kernel.deviceRegistry, personal: kernel.personRows, ledger: kernel.ledger, settling: kernel.settling)
        }
    }

    package var profiles: Set<HubProfile> { users == nil ? [] : [.people] }

    package func install(in commands: CommandTable) {
        self.commands?.install(in: commands)
    }

    package func start() throws(FeatureFault) { users?.open(events, personRows) }

    /// The parts to close. They close after the players, since the last plays are stored for persons.
    package var closing: [Closing] { [Closing("users", .afterPlayers { await self.users?.close() })] }
}

extension FeatureName {
    package static let users = FeatureName("users")
}
