/// The hub's answer to `hello`: what was granted, the ids of its store and of its clock, and the first
/// sample of its clock.
public struct Welcome: Equatable, Sendable {
    package static let type = "welcome"

    /// The major version of the protocol that holds for this connection, one of those in `hello`.
    public var version: Int
    /// A name of the connection for logs and lists; it is not secret and grants nothing.
    public var session: String
    /// Identifies the store of the revisions. A different epoch invalidates stored copies.
    public var epoch: String
    /// Identifies the hub's monotonic clock, which restarts with the machine. A different id invalidates all clock samples.
    public var boot: String
    /// The role of this session.
    public var role: Role
    /// The range in which a guest may change the volume. A guest without it may not change it; `nil` for other roles.
    public var span: ClosedRange<Int>?
    /// This client's id in the section `listeners`; `nil` for a watch, which has no such section.
    public var who: String?
    /// Capabilities that the client named and the hub knows; optional features work only if they are listed.
    public var caps: [String]
    /// The pace of the states until a `sub` changes it.
    public var pace: Pace
    /// The hub's limit for a message, if the client requested one.
    public var longest: Int?
    /// The hub's proof that it has this device's key; absent without keys.
    package var mac: String?
    /// Always in microseconds, whatever the profile.
    package var clock: ClockSample

    package init(
        version: Int = 1, session: String, epoch: String, boot: String, role: Role, span: ClosedRange<Int>? = nil, who: String? = nil,
        caps: [String] = [],
        pace: Pace, longest: Int? = nil, mac: String? = nil, clock: ClockSample
    ) {
        self.version = version
        self.session = session
        self.epoch = epoch
        self.boot = boot
        self.role = role
        self.span = span
        self.who = who
        self.caps = caps
        self.pace = pace
        self.longest = longest
        self.mac = mac
        self.clock = clock
    }
}
