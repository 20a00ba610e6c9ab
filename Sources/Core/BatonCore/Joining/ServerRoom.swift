/// Rooms of another server, in the form that a connector has parsed and bounded.

/// A room in which several people hear the same, and whose server tells its position.
package struct ServerRoom: Equatable, Sendable {
    /// The server's id of the room.
    package var id: String
    /// The name that people on that server gave it.
    package var name: String
    /// A description; empty where the server has none.
    package var about: String
    /// Length of its queue; `nil` where the server does not tell it.
    package var trackCount: Int?
    /// Number of people in it, which may exceed the names that are listed.
    package var peopleCount: Int
    /// The names of the people in it, up to `mostPeople`.
    package var people: [String]
    /// True for the room that is joined where a person names none.
    package var isDefault: Bool
    /// The ids of the hubs that the music comes from, if the server tells them, the server itself last.
    package var hubs: [String]

    /// Number of names that are read; a server may have any number.
    package static let mostPeople = 200

    package init(
        id: String, name: String, about: String = "", trackCount: Int? = nil, peopleCount: Int = 0, people: [String] = [],
        isDefault: Bool = false, hubs: [String] = []
    ) {
        self.id = id
        self.name = name
        self.about = about
        self.trackCount = trackCount
        self.peopleCount = peopleCount
        self.people = people
        self.isDefault = isDefault
        self.hubs = hubs
    }
}

/// The state of a server's room, from one of its messages.
package struct ServerRoomState: Equatable, Sendable {
    /// The server's id of the room that the message is about.
    package var room: String
    /// The name of the room, which may have changed since it was joined.
    package var name: String
    /// The current track; `nil` while the room plays nothing.
    package var track: NewEntry?
    /// The position when the server sent the message.
    package var positionMs: Double
    /// True while the room stands still at `positionMs`.
    package var isPaused: Bool
    /// The index of the track in the whole queue.
    package var index: Int?
    /// Number of people in the room, as the server counts them.
    package var peopleCount: Int
    /// The mode; `nil` where the message has none, and the last one stays.
    package var mode: NamedMode?
    /// The queue; `nil` when the message has none and the last one stays valid.
    package var queue: Queue?
    /// The ids of the hubs that the music comes from, the server itself last.
    package var hubs: [String]

    /// A queue, or the part around the current track of one that is too long.
    package struct Queue: Equatable, Sendable {
        /// The entries in the server's order; those outside of the part are unknown.
        package var entries: [NewEntry]
        /// The index of the first entry in the whole queue.
        package var start: Int
        /// Length of the whole queue.
        package var length: Int

        /// A whole queue, unless `start` and `length` say that it is a part.
        package init(_ entries: [NewEntry], start: Int = 0, length: Int? = nil) {
            self.entries = entries
            self.start = start
            self.length = length ?? entries.count
        }
    }

    package init(
        room: String, name: String, track: NewEntry? = nil, positionMs: Double = 0, isPaused: Bool = false, index: Int? = nil,
        peopleCount: Int = 0, mode: NamedMode? = nil, queue: Queue? = nil, hubs: [String] = []
    ) {
        self.room = room
        self.name = name
        self.track = track
        self.positionMs = positionMs
        self.isPaused = isPaused
        self.index = index
        self.peopleCount = peopleCount
        self.mode = mode
        self.queue = queue
        self.hubs = hubs
    }
}

/// A request to a server about one of its rooms.
package enum ServerRoomAction: Equatable, Sendable {
    /// Pauses for everyone in the room.
    case pause
    /// Plays on for everyone in the room.
    case unpause
    /// Moves everyone in the room to this position of the current track.
    case seek(toMs: Milliseconds)
    /// Jumps to the entry at this index of the whole queue.
    case jump(Int)
    /// Sets one of the four modes that such a server knows.
    case setMode(NamedMode)
    /// Adds items at this index, or at the end.
    case add([ItemURI], at: Int?)
    /// Removes the entries at these indices of the whole queue.
    case remove([Int])
    /// Moves the entry at one index to another one.
    case move(from: Int, to: Int)
    case replace([ItemURI])
}

/// The wait before a lost connection to a room is opened again.
package enum ServerRoomPause {
    /// The wait: 3 seconds at first, 3 more with each attempt, at most 30.
    package static func seconds(attempt: Int) -> Int { min(3 * (max(0, min(attempt, 100)) + 1), 30) }
}
