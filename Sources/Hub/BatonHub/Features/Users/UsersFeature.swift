import BatonCore
import BatonSeams

/// People with accounts of their own: signing in, who may control which room, and what is kept for each of them.
@Loop
final class UsersFeature: Feature {
    let name = FeatureName.users
    private let users: UserRegistry?
    private let events: HubEvents
    private let personRows: PersonalRows
    /// The rules of who controls which room.
    let rules: RoomRules
    let commands: UserCommands?

    init(_ kernel: Kernel) {
        users = kernel.users
        events = kernel.events
        personRows = kernel.personRows
        rules = RoomRules(kernel.users)
        commands = kernel.users.map { UserCommands($0, kernel.deviceRegistry, kernel.personRows, kernel.ledger, kernel.settling) }
    }

    func install(in commands: CommandTable) { UserCommands.install(self.commands, in: commands) }

    func start() throws(FeatureFault) { users?.open(events, personRows) }

    /// Behind the players, since what is played until then is kept for a person.
    var closing: [Closing] { [Closing("users", .afterPlayers { await self.users?.close() })] }
}
