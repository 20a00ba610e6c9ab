package import BatonCore

/// The rooms of a server, and which hub it is where it is one.
package struct ServerRooms: Equatable, Sendable {
    /// The id of the hub that answers; `nil` for a server of another make.
    package var hub: String?
    package var rooms: [ServerRoom]

    package init(_ rooms: [ServerRoom], hub: String? = nil) {
        self.rooms = rooms
        self.hub = hub
    }
}

/// What a server says to those who are in one of its rooms.
package enum ServerRoomNews: Equatable, Sendable {
    /// It was received at this moment of the monotonic clock.
    case state(ServerRoomState, atUs: Int64)
    case rooms([ServerRoom])
    /// The connection is in this room from now on.
    case moved(to: String)
    /// It refuses a command; a sentence says why.
    case refused(String)
    /// It has put this client out of the room; a sentence says why.
    case removed(String)
    /// A message that makes no sense was left out; a sentence says what it was.
    case unreadable(String)
}

/// A client's place in one room of a server. For one reader and any number of writers.
package protocol ServerRoomConnection: AnyObject, Sendable {
    /// `nil` when the connection has ended, or the task was cancelled.
    func next() async -> ServerRoomNews?

    /// Returns when the server has the order; whether it follows it is seen in what it says next.
    func send(_ action: ServerRoomAction) async throws(SourceFault)

    func close() async
}
