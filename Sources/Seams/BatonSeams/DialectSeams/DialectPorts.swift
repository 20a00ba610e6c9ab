package import BatonCore
package import BatonProtocol

/// The interfaces of the hub for dialects. A dialect takes the ports that it needs and knows nothing else of the hub.
@Loop
package struct DialectPorts {
    /// The name and the ids that clients see.
    package var identity: HubIdentity
    /// The profiles that the hub has, which each dialect lists.
    package var profiles: HubProfiles
    /// The limits that every dialect enforces.
    package var limits: WireLimits
    /// The loop, for deadlines and descriptors.
    package var reactor: any Reactor
    /// The way for commands into the hub.
    package var door: any CommandDoor
    package var state: HubState
    /// The steps and pages of queues.
    package var queues: any QueueReading
    package var attendance: any Attendance
    /// The last rooms of clients.
    package var choices: any RoomChoosing
    /// Pictures, and items that clients play themselves.
    package var media: any MediaAccess
    package var uploads: any UploadAccess
    /// `nil` where the hub has no keys, and so cannot pair.
    package var devices: (any DeviceAccess)?
    /// `nil` where the hub has no users.
    package var users: (any UserAccess)?
    /// The volume range of guests without one of their own; `nil` when they may not change the volume.
    package var guestVolume: ClosedRange<Int>?
    /// The sum of `Dialect.connections` of all dialects.
    package var connections: @Loop () -> Int
    /// To be called when a connection has ended, so that its memory is released in time.
    package var connectionEnded: @Loop () -> Void
    /// The ids of the hubs from which a joined room's music comes. A dialect whose rooms are joined reports them, followed by this hub's own id, so
    /// that hubs do not join in a circle.
    package var joinedHubs: @Loop (RoomID) -> [String]
    package var streams: any StreamAccess

    package init(
        identity: HubIdentity, profiles: HubProfiles = .every, limits: WireLimits, reactor: any Reactor, door: any CommandDoor,
        state: HubState,
        queues: any QueueReading, attendance: any Attendance, choices: any RoomChoosing, media: any MediaAccess,
        uploads: any UploadAccess, devices: (any DeviceAccess)?, users: (any UserAccess)? = nil, guestVolume: ClosedRange<Int>?,
        connections: @escaping @Loop () -> Int, connectionEnded: @escaping @Loop () -> Void,
        joinedHubs: @escaping @Loop (RoomID) -> [String] = { _ in [] }, streams: any StreamAccess
    ) {
        self.identity = identity
        self.profiles = profiles
        self.limits = limits
        self.reactor = reactor
        self.door = door
        self.state = state
        self.queues = queues
        self.attendance = attendance
        self.choices = choices
        self.media = media
        self.uploads = uploads
        self.devices = devices
        self.users = users
        self.guestVolume = guestVolume
        self.connections = connections
        self.connectionEnded = connectionEnded
        self.joinedHubs = joinedHubs
        self.streams = streams
    }

    /// The range in which this sender may change the volume. For a guest it is that of its device, or that of all guests; with neither, a guest may
    /// not change the volume. `nil` for other roles, which only the room limits.
    package func span(of identity: Identity) -> ClosedRange<Int>? {
        identity.role == .guest ? identity.span ?? guestVolume : nil
    }
}
