public import BatonCore

/// The first message of a client: its identity, the state it wants, and its stored copy.
public struct Hello: Equatable, Sendable {
    package static let type = "hello"

    /// The program that connects.
    public struct Client: Equatable, Sendable {
        /// A random id, which the client stores forever.
        public var id: String
        /// A random id of each process or tab. Without one a session is never taken for a reconnect.
        public var run: String?
        public var name: String
        public var app: String

        public init(id: String, run: String? = nil, name: String = "", app: String = "") {
            self.id = id
            self.run = run
            self.name = name
            self.app = app
        }
    }

    /// The state that the client has stored.
    public struct Resume: Equatable, Sendable {
        package var epoch: String
        package var revision: Int
        package var rooms: [RoomID]
        package var sections: SectionSet

        package init(epoch: String, revision: Int, rooms: [RoomID], sections: SectionSet) {
            self.epoch = epoch
            self.revision = revision
            self.rooms = rooms
            self.sections = sections
        }
    }

    /// Major versions that the client supports.
    public var versions: [Int]
    public var profile: Profile
    public var client: Client
    public var caps: [String]
    public var resume: Resume?
    /// `nil` requests the room that this client used last.
    public var rooms: [RoomID]?
    /// A role that can only lower the one of the channel or the device.
    public var role: Role?
    /// The client's limit for a message in bytes; `nil` leaves it to the hub.
    public var longest: Int?
    /// A one-time ticket from the hub's own machine.
    public var ticket: String?
    /// The token of a user's session.
    public var user: String?
    public var t1: Int64?

    public init(
        versions: [Int] = [1], profile: Profile, client: Client, caps: [String] = [], resume: Resume? = nil,
        rooms: [RoomID]? = nil, role: Role? = nil, longest: Int? = nil, ticket: String? = nil, user: String? = nil, t1: Int64? = nil
    ) {
        self.versions = versions
        self.profile = profile
        self.client = client
        self.caps = caps
        self.resume = resume
        self.rooms = rooms
        self.role = role
        self.longest = longest
        self.ticket = ticket
        self.user = user
        self.t1 = t1
    }
}
