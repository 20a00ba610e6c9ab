public import BatonCore

/// A summary of every room.
public struct RoomsSection: SectionContent {
    package static let section = Section.rooms

    /// One room, as a list of rooms shows it.
    public struct Room: Equatable, Sendable {
        public var id: RoomID
        public var name: String
        public var state: TimelineSection.PlayState
        /// The current entry as one line; `nil` if there is none.
        public var title: String?
        /// The id of its picture, if it has one.
        public var art: String?
        public var level: Int
        public var isMuted: Bool
        /// The devices that play it.
        public var outputs: [String]
        /// Where the current entry is; `nil` while the room is stopped.
        public var line: Line?
        /// What it does while no one listens, where it has no speaker.
        public var whenEmpty: WhenEmpty

        package init(
            id: RoomID, name: String, state: TimelineSection.PlayState, title: String? = nil, art: String? = nil, level: Int, isMuted: Bool,
            outputs: [String] = [], line: Line? = nil, whenEmpty: WhenEmpty = .play
        ) {
            self.id = id
            self.name = name
            self.state = state
            self.title = title
            self.art = art
            self.level = level
            self.isMuted = isMuted
            self.outputs = outputs
            self.line = line
            self.whenEmpty = whenEmpty
        }
    }

    /// A position on the hub's clock that goes on by itself.
    public struct Line: Equatable, Sendable {
        public var positionMs: Int
        public var atUs: Int64
        /// Permille of normal speed; 0 while the position stands still.
        public var rate: Int
        /// `nil` while the length is not known.
        public var durationMs: Int?

        package init(positionMs: Int, atUs: Int64, rate: Int, durationMs: Int? = nil) {
            self.positionMs = positionMs
            self.atUs = atUs
            self.rate = rate
            self.durationMs = durationMs
        }
    }

    public var rooms: [Room]
    /// How many are left out.
    public var more: Int

    package init(_ rooms: [Room], more: Int = 0) {
        self.rooms = rooms
        self.more = more
    }
}
