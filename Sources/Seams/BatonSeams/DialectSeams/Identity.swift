package import BatonCore
package import BatonProtocol

/// The sender of commands. A dialect makes one for each connection from the channel, the proof of the device, and the client's own statements; those
/// can only lower the rights.
package struct Identity: Equatable, Sendable {
    /// The name of its dialect, such as `mpd`. Principals begin with it, so that dialects share none. The companion protocol came first and has none:
    /// its principals begin with the channel.
    package let dialect: String
    /// The scope of command keys: the same key from two principals means two presses.
    package let principal: String
    /// The paired device; `nil` where the channel is proof enough.
    package var device: DeviceID?
    /// The author name for edits: that of the device, or what the client says. Empty when unknown.
    package var authorName: String
    /// The person whose places its listening moves. Only the hub's owner decides that, for each device.
    package var person: Person
    /// The name that other people see in the list of connected people.
    package var displayName: String
    /// The role that decides about commands.
    package var role: Role
    /// The reach into this machine, which decides which items it may name.
    package var trust: Trust
    /// The volume range that the owner has set for this guest.
    package var span: ClosedRange<Int>?
    /// The origin of the sender, as far as it cannot choose it: the paired device, or the channel, and from elsewhere the address.
    package var origin: String
    /// The address of its machine, by which sign-in attempts are counted; empty where the dialect knows none.
    package var address: String
    /// The signed-in user; `nil` where a connection belongs only to a device or a channel.
    package var user: UserSession?

    package init(
        dialect: String = "", client: String, device: DeviceID? = nil, authorName: String = "", person: Person = .home,
        displayName: String = "", role: Role, trust: Trust, span: ClosedRange<Int>? = nil, origin: String = "", address: String = "",
        user: UserSession? = nil
    ) {
        self.dialect = dialect
        principal = dialect.isEmpty ? client : "\(dialect)/\(client)"
        self.device = device
        self.authorName = authorName
        self.person = person
        self.displayName = displayName
        self.role = role
        self.trust = trust
        self.span = span
        self.origin = origin
        self.address = address
        self.user = user
    }

    /// The same sender as this user. Marks, places and the author name become the user's.
    package func acting(as session: UserSession?) -> Identity {
        guard let session else { return self }
        var identity = self
        identity.user = session
        identity.person = session.user.person
        identity.authorName = session.user.name
        identity.displayName = session.user.name
        identity.role = min(role, session.user.role)
        identity.trust = min(trust, Grant.trust(of: identity.role))
        return identity
    }

    /// The author name for edits. Guests without a name share one.
    package var author: String? { !authorName.isEmpty ? authorName : role == .guest ? "A guest" : nil }

    /// The share that a guest's entries count towards: the signed-in user, or the origin. Clients choose their names and ids freely, so those do not
    /// count.
    package var share: String? { role == .guest ? user.map { "user/\($0.user.key)" } ?? origin : nil }

    /// A short id in the list of people in a room. Connections of one principal share it.
    package var who: String { String(StableHash.of(principal) >> 24, radix: 36) }

    /// The identity for voting and for being sent out: a user on all devices, or the device, or the origin. Guests can sign in as often as they like,
    /// so their origin counts.
    package var voter: String {
        if let user, !user.user.isGuest { return "user/\(user.user.key)" }
        return device.map { "dev/\($0)" } ?? origin
    }

    /// True for an admin of the hub's own machine: elsewhere only paired devices and signed-in users can be admins.
    package var isLocal: Bool {
        role == .admin && device == nil && (user == nil || origin == Grant.localScope || origin.hasPrefix(Grant.userScope))
    }
}
