import BatonCore
package import BatonKernel
package import BatonProtocol
package import BatonSeams

/// The control of rooms: by all, by signed-in users, or by named users. It is checked before a command is carried out.
@Loop
package final class RoomRules: CommandStep {
    private let users: UserRegistry?

    init(_ users: UserRegistry?) { self.users = users }

    package func concerns(_ kind: CommandKind) -> Bool { kind.controls }

    package func take(_ command: any CommandRequest, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling? {
        guard let users, !users.controls.isEmpty else { return nil }
        let caller = accepted.identity
        guard caller.role < .admin else { return nil }
        var rooms = [accepted.live.id]
        if command.kind == .roomMove { rooms.append(command.typed(as: Commands.RoomMove.self).target) }
        let user = caller.user.flatMap { $0.user.isGuest ? nil : $0.user.key }
        for room in rooms {
            guard let control = users.controls[room], !control.allows(user) else { continue }
            throw ProtocolFault(
                .forbidden,
                control.who == .users
                    ? "This room is controlled by users who are signed in. Sign in first: baton signin"
                    : "This room is controlled by some users only. Ask an admin: baton rooms control.")
        }
        return nil
    }
}
