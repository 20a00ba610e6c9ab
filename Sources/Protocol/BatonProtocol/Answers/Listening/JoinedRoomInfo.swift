public import BatonCore

/// The answer to `room.joined`: the room of another server that a room follows, and the state of that connection.
public struct JoinedRoomInfo: Equatable, Sendable {
    /// The state of the connection to the server.
    public enum State: String, Sendable, CaseIterable {
        case connecting, open
        /// Waits before the next attempt.
        case waiting
        /// Stays closed until a person reconnects.
        case ended
    }

    /// The account at the server; `nil` while the room plays its own queue.
    public var source: String?
    public var room: String?
    public var name: String?
    public var state: State?
    public var sentence: String?
    /// Number of consecutive failed connections.
    public var attempt = 0
    public var listeners: [String] = []
    public var listenerCount = 0
    public var mode: NamedMode?
    public var length = 0
    public var expectedMs: Int?
    public var ownMs: Int?
    /// Lead of this room.
    public var driftMs: Int?
    /// Permille of normal speed.
    public var speed = 1000
    public var events: [Event] = []

    package init() {}
}
