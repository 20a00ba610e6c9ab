/// Rooms of another server, as a connector has read and bounded what it says of them.

/// A room in which several people hear the same, and whose server says where it is.
package struct ServerRoom: Equatable, Sendable {
    /// The server's own name for it.
    package var id: String
    package var name: String
    package var about: String
    package var trackCount: Int?
    package var listenerCount: Int
    /// The names of its listeners, as many as are kept.
    package var listeners: [String]
    package var isDefault: Bool
    /// The ids of the hubs from which what it plays comes, where its server says so: the server itself last.
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

/// What a room of another server plays, as one of its messages says.
package struct ServerRoomState: Equatable, Sendable {
    package var room: String
    package var name: String
    /// `nil` while it plays nothing.
    package var track: NewEntry?
    package var positionMs: Double
    package var isPaused: Bool
    /// The place of the track in the whole queue.
    package var index: Int?
    package var listenerCount: Int
    package var mode: NamedMode?
    /// `nil` when the message brings no queue: the last one holds.
    package var queue: Queue?
    package var hubs: [String]

    /// A queue, or the part around what plays of one that is too long.
    package struct Queue: Equatable, Sendable {
        package var entries: [NewEntry]
        /// The place of the first of them in the whole queue.
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

/// What a server is asked to do in one of its rooms.
package enum ServerRoomAction: Equatable, Sendable {
    case pause
    case unpause
    case seek(toMs: Int)
    /// To the entry at this place of the whole queue.
    case jump(Int)
    case setMode(NamedMode)
    /// At this place, or at the end.
    case add([ItemURI], at: Int?)
    case remove([Int])
    case move(from: Int, to: Int)
    case replace([ItemURI])
}

/// How long to wait before a lost connection to a room is opened again.
package enum ServerRoomPause {
    package static func seconds(attempt: Int) -> Int { min(3 * (max(0, min(attempt, 100)) + 1), 30) }
}
