public import BatonCore

/// Commands about rooms themselves; `Command` holds those about playback in a room.
package enum RoomRequest: Equatable, Sendable {
    /// Without an output it uses the hub's own.
    case create(name: String, output: String?)
    case rename(RoomID, to: String)
    case delete(RoomID)
    case restore(RoomID)
    /// Without a room it concerns the command's own.
    case set(RoomID?, RailChange, output: Patch<String>, whenEmpty: WhenEmpty? = nil)
    /// Playback moves from the command's own room to this one.
    case move(to: RoomID, keep: Bool)
}

/// Commands about a room that plays along with a room of another server.
package enum JoinRequest: Equatable, Sendable {
    /// Without a room it is the server's default one.
    case join(source: String, room: String?)
    case leave
    /// How it is.
    case look
}

/// Commands about the people in a room.
public enum PresenceRequest: Equatable, Sendable {
    /// For skipping this entry.
    case vote(EntryID)
    /// Permille of those who hear; 0 is no voting.
    case setShare(Int)
    /// Sends the one of this `who` out, for so many minutes.
    case kick(String, minutes: Int)
}
