package import BatonCore
package import BatonProtocol

/// What a dialect gets of the hub. It takes the ports that it needs and knows nothing else of it.
@Loop
package struct DialectPorts {
    package var identity: HubIdentity
    package var limits: WireLimits
    package var reactor: any Reactor
    package var door: any CommandDoor
    package var state: HubState
    package var queues: any QueueReading
    package var attendance: any Attendance
    package var choices: any RoomChoosing
    package var media: any MediaAccess
    package var uploads: any UploadAccess
    /// `nil` where the hub has no keys of its own, and so cannot pair.
    package var devices: (any DeviceAccess)?
    /// `nil` where the hub keeps no users.
    package var users: (any UserAccess)?
    /// The levels between which guests may turn the volume who have no span of their own; not at all, if `nil`.
    package var guestVolume: ClosedRange<Int>?
    /// How many connections all dialects have, as `Dialect.connections` counts them.
    package var connections: @Loop () -> Int
    /// To be called when a connection has ended, so that its memory is given back in time.
    package var connectionEnded: @Loop () -> Void
    /// The ids of the hubs from which what a room plays comes, when it plays along with a room of another server. A dialect that is
    /// joined in turn tells them, with this hub's own behind them, so that no circle is made.
    package var joinedHubs: @Loop (RoomID) -> [String]
    package var streams: any StreamAccess

    package init(
        identity: HubIdentity, limits: WireLimits, reactor: any Reactor, door: any CommandDoor, state: HubState,
        queues: any QueueReading, attendance: any Attendance, choices: any RoomChoosing, media: any MediaAccess,
        uploads: any UploadAccess, devices: (any DeviceAccess)?, users: (any UserAccess)? = nil, guestVolume: ClosedRange<Int>?,
        connections: @escaping @Loop () -> Int, connectionEnded: @escaping @Loop () -> Void,
        joinedHubs: @escaping @Loop (RoomID) -> [String] = { _ in [] }, streams: any StreamAccess
    ) {
        self.identity = identity
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

    /// The levels between which this sender may turn the volume. For a guest that of its device, else that of all guests; with
    /// neither a guest leaves the volume alone. `nil` for other roles, which only the room bounds.
    package func span(of identity: Identity) -> ClosedRange<Int>? {
        identity.role == .guest ? identity.span ?? guestVolume : nil
    }
}
