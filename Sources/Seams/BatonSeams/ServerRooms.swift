package import BatonCore

/// The rooms of a server, and its id if it is a hub.
package struct ServerRooms: Equatable, Sendable {
    /// The id of the answering hub; `nil` for other servers.
    package var hub: String?
    /// The rooms in the order of the server.
    package var rooms: [ServerRoom]

    package init(_ rooms: [ServerRoom], hub: String? = nil) {
        self.rooms = rooms
        self.hub = hub
    }
}

/// A message of a server to the clients in one of its rooms.
package enum ServerRoomNews: Equatable, Sendable {
    /// The state, received at this time of the monotonic clock.
    case state(ServerRoomState, atUs: Microseconds)
    /// The list of rooms has changed; this is the present one.
    case rooms([ServerRoom])
    /// The connection is now in this room.
    case moved(to: String)
    /// The server refuses a command; the sentence says why.
    case refused(String)
    /// The server has removed this client from the room; the sentence says why.
    case removed(String)
    /// An invalid message was ignored; the sentence describes it.
    case unreadable(String)
}

/// A client's connection to one room of a server, for one reader and any number of writers.
package protocol ServerRoomConnection: AnyObject, Sendable {
    /// The next message; `nil` when the connection has ended, or the task was cancelled.
    func next() async -> ServerRoomNews?

    /// Returns when the server has received the order; later messages show whether it follows it.
    func send(_ action: ServerRoomAction) async throws(SourceFault)

    func close() async
}
