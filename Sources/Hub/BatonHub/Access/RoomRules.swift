import BatonCore
import BatonProtocol
import BatonSeams

/// Who controls which room: all, users who are signed in, or users by name. It is asked before a command is carried out.
@Loop
final class RoomRules: CommandStep {
    private let users: UserRegistry?

    init(_ users: UserRegistry?) { self.users = users }

    func concerns(_ kind: CommandKind) -> Bool { kind.definition.controls }

    func take(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling? {
        let caller = visit.identity
        guard let users, !users.controls.isEmpty, caller.role < .admin else { return nil }
        var rooms = [visit.live.room.id]
        if let move = command as? Commands.RoomMove { rooms.append(move.target) }
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
