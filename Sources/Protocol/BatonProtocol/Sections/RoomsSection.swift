public import BatonCore

/// Every room at a glance.
public struct RoomsSection: SectionContent {
    package static let section = Section.rooms

    /// One room, as a list of rooms shows it.
    public struct Room: Equatable, Sendable {
        public var id: RoomID
        public var name: String
        public var state: TimelineSection.PlayState
        /// What is current, as one line; `nil` when nothing is.
        public var title: String?
        public var level: Int
        public var isMuted: Bool
        /// The devices it is heard from.
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
