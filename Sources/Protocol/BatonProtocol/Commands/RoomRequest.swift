package import BatonCore

/// Commands about rooms themselves; `Command` holds those about playback in a room.
package enum RoomRequest: Equatable, Sendable {
    /// Without an output it uses the hub's own.
    case create(name: String, output: String?)
    case rename(RoomID, to: String)
    case delete(RoomID)
    case restore(RoomID)
    /// Without a room it concerns the command's own.
    case set(RoomID?, RailChange, output: Patch<String>)
    /// Playback moves from the command's own room to this one.
    case move(to: RoomID, keep: Bool)
}
