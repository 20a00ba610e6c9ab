/// Where else what a room plays is listened to, by the same person: remotes ask whether this room is to pause.
public struct Elsewhere: Equatable, Sendable {
    /// What plays it there, as people know it: the name of a room or of a device, or of the server that says so.
    public var device: String
    /// Where it was there when it was noticed.
    public var positionMs: Int
    /// The room of this hub; `nil` for other devices.
    package var room: RoomID?

    package init(device: String, positionMs: Int, room: RoomID? = nil) {
        self.device = device
        self.positionMs = positionMs
        self.room = room
    }
}

extension Room {
    /// A person has begun to listen elsewhere, or has answered whether to pause here.
    package mutating func setElsewhere(_ elsewhere: Elsewhere?) -> Outcome {
        guard elsewhere != self.elsewhere else { return .noop(.same) }
        self.elsewhere = elsewhere
        var outcome = Outcome()
        outcome.touched = .now
        return outcome
    }
}
