public import BatonCore

/// The answer to `room.joined`: with which room of another server a room plays along, and how well.
public struct JoinedRoomInfo: Equatable, Sendable {
    /// How the connection to the server is.
    public enum State: String, Sendable, CaseIterable {
        case connecting, open
        /// It is opened again after a while.
        case waiting
        /// It is not opened again until a person does something.
        case ended
    }

    /// The account at the server; `nil` while the room plays its own queue.
    public var source: String?
    public var room: String?
    public var name: String?
    public var state: State?
    public var sentence: String?
    /// Connections in a row that failed.
    public var attempt = 0
    public var listeners: [String] = []
    public var listenerCount = 0
    public var mode: NamedMode?
    public var length = 0
    public var expectedMs: Int?
    public var ownMs: Int?
    /// How far ahead this room is.
    public var driftMs: Int?
    /// Permille of normal speed.
    public var speed = 1000
    public var events: [Event] = []

    package init() {}
}
