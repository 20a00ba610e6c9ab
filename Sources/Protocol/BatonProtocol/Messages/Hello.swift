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
        /// The name of the device for people, up to 128 bytes; empty if it has none.
        public var name: String
        /// The program and its version, up to 64 bytes, for lists of connections.
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
        /// The epoch of the `welcome` under which the state was received; with another one the hub sends everything.
        package var epoch: String
        /// The hub's revision that the stored state corresponds to.
        package var revision: Int
        package var rooms: [RoomID]
        /// The sections that are stored; any other one is sent whole.
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
    /// The amount of state that the client wants; `sub` can change its sections later.
    public var profile: Profile
    /// The identity of the program, which is not proof of who uses it.
    public var client: Client
    /// Names of optional features that the client can use; the hub ignores unknown ones.
    public var caps: [String]
    /// The stored state; `nil` requests everything.
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
    /// The client's clock in microseconds when it sends the message, for the first sample of the hub's clock.
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
