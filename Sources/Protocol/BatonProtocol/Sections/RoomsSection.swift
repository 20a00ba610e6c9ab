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
        public var level: Int
        public var isMuted: Bool
        /// The devices that play it.
        public var outputs: [String]

        package init(
            id: RoomID, name: String, state: TimelineSection.PlayState, title: String? = nil, level: Int, isMuted: Bool,
            outputs: [String] = []
        ) {
            self.id = id
            self.name = name
            self.state = state
            self.title = title
            self.level = level
            self.isMuted = isMuted
            self.outputs = outputs
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
