package import BatonCore

/// What is asked of the rooms themselves, rather than of what plays in one of them.
package enum RoomRequest: Equatable, Sendable {
    /// Without an output it is heard where the hub itself is.
    case create(name: String, output: String?)
    case rename(RoomID, to: String)
    case delete(RoomID)
    /// Without a room it is the command's own.
    case set(RoomID?, RailChange, output: Patch<String>)
    /// What plays in the command's own room goes on in this one.
    case move(to: RoomID, keep: Bool)
}
