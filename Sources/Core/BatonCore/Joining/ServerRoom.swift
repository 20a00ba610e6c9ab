/// Rooms of another server, in the form that a connector has parsed and bounded.

/// A room in which several people hear the same, and whose server tells its position.
package struct ServerRoom: Equatable, Sendable {
    /// The server's id of the room.
    package var id: String
    package var name: String
    package var about: String
    package var trackCount: Int?
    package var listenerCount: Int
    /// The names of its listeners, up to `mostListeners`.
    package var listeners: [String]
    package var isDefault: Bool
    /// The ids of the hubs that the music comes from, if the server tells them, the server itself last.
    package var hubs: [String]

    package static let mostListeners = 200

    package init(
        id: String, name: String, about: String = "", trackCount: Int? = nil, listenerCount: Int = 0, listeners: [String] = [],
        isDefault: Bool = false, hubs: [String] = []
    ) {
        self.id = id
        self.name = name
        self.about = about
        self.trackCount = trackCount
        self.listenerCount = listenerCount
        self.listeners = listeners
        self.isDefault = isDefault
        self.hubs = hubs
    }
}

/// The state of a server's room, from one of its messages.
package struct ServerRoomState: Equatable, Sendable {
    package var room: String
    package var name: String
    /// The current track; `nil` while the room plays nothing.
    package var track: NewEntry?
    package var positionMs: Double
    package var isPaused: Bool
    /// The index of the track in the whole queue.
    package var index: Int?
    package var listenerCount: Int
    package var mode: NamedMode?
    /// The queue; `nil` when the message has none and the last one stays valid.
    package var queue: Queue?
    package var hubs: [String]

    /// A queue, or the part around the current track of one that is too long.
    package struct Queue: Equatable, Sendable {
        package var entries: [NewEntry]
        /// The index of the first entry in the whole queue.
        package var start: Int
        package var length: Int

        package init(_ entries: [NewEntry], start: Int = 0, length: Int? = nil) {
            self.entries = entries
            self.start = start
            self.length = length ?? entries.count
        }
    }

    package init(
        room: String, name: String, track: NewEntry? = nil, positionMs: Double = 0, isPaused: Bool = false, index: Int? = nil,
        listenerCount: Int = 0, mode: NamedMode? = nil, queue: Queue? = nil, hubs: [String] = []
    ) {
        self.room = room
        self.name = name
        self.track = track
        self.positionMs = positionMs
        self.isPaused = isPaused
        self.index = index
        self.listenerCount = listenerCount
        self.mode = mode
        self.queue = queue
        self.hubs = hubs
    }
}

/// A request to a server about one of its rooms.
package enum ServerRoomAction: Equatable, Sendable {
    case pause
    case unpause
    case seek(toMs: Int)
    /// Jumps to the entry at this index of the whole queue.
    case jump(Int)
    case setMode(NamedMode)
    /// Adds items at this index, or at the end.
    case add([ItemURI], at: Int?)
    case remove([Int])
    case move(from: Int, to: Int)
    case replace([ItemURI])
}

/// The wait before a lost connection to a room is opened again.
package enum ServerRoomPause {
    package static func seconds(attempt: Int) -> Int { min(3 * (max(0, min(attempt, 100)) + 1), 30) }
}
