/// The hub's answer to `hello`: what was granted, the ids of its store and of its clock, and the first
/// sample of its clock.
public struct Welcome: Equatable, Sendable {
    package static let type = "welcome"

    public var version: Int
    public var session: String
    /// Names the store whose revisions count. Another epoch makes a held copy worthless.
    public var epoch: String
    /// Identifies the hub's monotonic clock, which begins anew when its machine restarts. Another one makes all clock samples worthless.
    public var boot: String
    /// The role of this session.
    public var role: Role
    /// The levels between which a guest may turn the volume. A guest without it leaves the volume alone; for other
    /// roles it is `nil`.
    public var span: ClosedRange<Int>?
    /// Which one of the section `listeners` this client is; `nil` for a watch, which has no such section.
    public var who: String?
    public var caps: [String]
    public var pace: Pace
    /// The longest message that the hub sends, where the client has asked for a bound.
    public var longest: Int?
    /// The hub's proof that it holds this device's key; absent where no keys are used.
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
