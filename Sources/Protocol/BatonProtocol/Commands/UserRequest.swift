public import BatonCore

/// Commands about the people with an account at the hub.
public enum UserRequest: Equatable, Sendable {
    case signUp(String, password: String)
    case signIn(String, password: String)
    case guest(String?)
    case signOut
    case me
    case list(from: Int)
    case add(String, password: String, role: Role)
    case setRole(String, Role)
    /// Of the user who asks, unless it names another one.
    case setPassword(String?, old: String?, new: String)
    case approve(String)
    case sessions(String?)
    /// One session, or all but that of the connection that asks.
    case revoke(String?, session: String?)
    case remove(String)
    case export(String?, from: Int)
    /// Of no user any more, where it names none.
    case link(DeviceID, to: String?)
    case adopt(Person, by: String)
    /// Who controls a room: the rule, and a user who is named by it, or, with `isOff`, no longer.
    case control(RoomID?, RoomControl.Who?, user: String?, isOff: Bool)
}
