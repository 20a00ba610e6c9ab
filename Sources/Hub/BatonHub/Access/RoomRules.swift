import BatonCore
import BatonProtocol
import BatonSeams

/// Who controls which room: all, users who are signed in, or users by name. It is asked before a command is carried out.
@Loop
struct RoomRules {
    let users: UserRegistry?

    func check(_ request: Request, by caller: Identity, in room: RoomID) throws(ProtocolFault) {
        guard let users, !users.controls.isEmpty, caller.role < .admin, request.kind.definition.controls else { return }
        var rooms = [room]
        if case .rooms(.move(to: let other, keep: _)) = request { rooms.append(other) }
        let user = caller.user.flatMap { $0.user.isGuest ? nil : $0.user.key }
        for room in rooms {
            guard let control = users.controls[room], !control.allows(user) else { continue }
            throw ProtocolFault(
                .forbidden,
                control.who == .users
                    ? "This room is controlled by users who are signed in. Sign in first: baton signin"
                    : "This room is controlled by some users only. Ask an admin: baton rooms control.")
        }
    }
}
