package import BatonCore
package import BatonProtocol

/// Who sends commands, as far as that is known. A dialect makes one for each connection from what the channel gives, what the
/// device has proved, and what the client says of itself; the last can only lower the rights.
package struct Identity: Equatable, Sendable {
    /// The word of its dialect, such as `mpd`. Principals begin with it, so that two dialects share none. The companion protocol came first
    /// and has none: there they begin with the way in.
    package let dialect: String
    /// Scopes command keys: the same key from two principals is two presses.
    package let principal: String
    /// The device that was paired; `nil` where the channel itself says enough.
    package var device: DeviceID?
    /// The name under which edits are noted: that of the device, or what the client says. Empty when none is known.
    package var authorName: String
    /// Whose places its listening moves. Only the hub's owner decides that, by the device.
    package var person: Person
    /// The name that other people see in the list of who is connected.
    package var displayName: String
    package var role: Role
    package var trust: Trust
    /// The levels to which the owner keeps this guest.
    package var span: ClosedRange<Int>?
    /// Where it comes from, as far as it cannot choose that: the device that was paired, else the channel, and from elsewhere
    /// the address.
    package var origin: String
    /// The address of the machine it comes from, as attempts to sign in are counted by; empty where the dialect knows none.
    package var address: String
    /// The user who is signed in; `nil` where a connection is only a device's or its channel's.
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

    /// The same as this user. Marks and places are the user's, and so is the name under which edits are noted.
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

    /// The name under which an edit is noted. Guests without a name share one.
    package var author: String? { !authorName.isEmpty ? authorName : role == .guest ? "A guest" : nil }

    /// By what a guest's entries are counted: the user who is signed in, else the origin. Names and ids of clients are chosen freely, and
    /// so do not count.
    package var share: String? { role == .guest ? user.map { "user/\($0.user.key)" } ?? origin : nil }

    /// Tells it from others in the list of who is in a room. Connections of one principal have the same.
    package var who: String { String(StableHash.of(principal) >> 24, radix: 36) }

    /// Who votes, and who is sent out: a user on all devices, else the device, else all that come from there. Guests come in as often
    /// as they like, so they are told apart by where they come from.
    package var voter: String {
        if let user, !user.user.isGuest { return "user/\(user.user.key)" }
        return device.map { "dev/\($0)" } ?? origin
    }

    /// Only the hub's own machine makes an admin of a client that is not paired, unless a user with this role has signed in.
    package var isLocal: Bool {
        role == .admin && device == nil && (user == nil || origin == Grant.localScope || origin.hasPrefix(Grant.userScope))
    }
}
