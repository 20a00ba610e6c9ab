public import BatonCore

/// The people who are connected: by name for the profile `full`, and as a number for the others.
public enum PeopleSection: SectionContent {
    package static let section = Section.people

    /// One device, however many connections it has.
    public struct Person: Equatable, Sendable {
        public var name: String
        public var role: Role
        /// The room it follows; `nil` for one of its own.
        public var room: RoomID?
        /// Since when it has been connected without a break, in ms of the wall clock.
        public var sinceMs: Int64
        /// When it last sent a command, in ms of the wall clock; `nil` if it is not idle.
        public var idleSinceMs: Int64?

        package init(name: String, role: Role, room: RoomID?, sinceMs: Int64, idleSinceMs: Int64? = nil) {
            self.name = name
            self.role = role
            self.room = room
            self.sinceMs = sinceMs
            self.idleSinceMs = idleSinceMs
        }
    }

    /// Newest first, and how many are left out.
    case list([Person], more: Int)
    case number(Int)

    public var count: Int {
        switch self {
        case .list(let people, let more): people.count + more
        case .number(let count): count
        }
    }

    /// A section of the largest size cannot hold more.
    package static let mostListed = Section.people.cap / 60
}
