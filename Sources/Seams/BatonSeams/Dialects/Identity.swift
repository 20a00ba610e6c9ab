package import BatonCore
package import BatonProtocol

/// Who sends commands, as far as that is known. A dialect makes one for each connection from what the channel gives, what the
/// device has proved, and what the client says of itself; the last can only lower the rights.
package struct Identity: Equatable, Sendable {
    /// Scopes command keys: the same key from two principals is two presses.
    package var principal: String
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

    package init(
        principal: String, device: DeviceID? = nil, authorName: String = "", person: Person = .home, displayName: String = "", role: Role,
        trust: Trust, span: ClosedRange<Int>? = nil, origin: String = ""
    ) {
        self.principal = principal
        self.device = device
        self.authorName = authorName
        self.person = person
        self.displayName = displayName
        self.role = role
        self.trust = trust
        self.span = span
        self.origin = origin
    }

    /// The name under which an edit is noted. Guests without a name share one.
    package var author: String? { !authorName.isEmpty ? authorName : role == .guest ? "A guest" : nil }

    /// The origin by which a guest's entries are counted. Names and ids of clients are chosen freely, and so do not count.
    package var share: String? { role == .guest ? origin : nil }

    /// Only the hub's own machine makes an admin of a client that is not paired.
    package var isLocal: Bool { role == .admin && device == nil }
}
