/// Another device on which the same person listens to the room's current entry. Remotes ask whether this room should pause.
public struct Elsewhere: Equatable, Sendable {
    /// The name that people know: of a room, of a device, or of the server that reported it.
    public var device: String
    /// The position there when it was noticed.
    public var positionMs: Milliseconds
    /// The room of this hub; `nil` for other devices.
    package var room: RoomID?

    package init(device: String, positionMs: Milliseconds, room: RoomID? = nil) {
        self.device = device
        self.positionMs = positionMs
        self.room = room
    }
}

extension Room {
    /// Called when the person has begun to listen elsewhere, or has answered whether to pause here.
    package mutating func setElsewhere(_ elsewhere: Elsewhere?) -> Outcome {
        guard elsewhere != self.elsewhere else { return .noop(.same) }
        self.elsewhere = elsewhere
        var outcome = Outcome()
        outcome.touched = .now
        return outcome
    }
}
