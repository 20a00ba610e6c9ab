/// The hub's answer to `hello`: what was granted, which life of hub and clock this is, and the first
/// sample of its clock.
public struct Welcome: Equatable, Sendable {
    package static let type = "welcome"

    public var version: Int
    public var session: String
    /// Names the store whose revisions count. Another epoch makes a held copy worthless.
    public var epoch: String
    /// Names the life of the hub's monotonic clock. Another one makes all clock samples worthless.
    public var boot: String
    /// What this session may do.
    public var role: Role
    /// The levels between which a guest may turn the volume. A guest without it leaves the volume alone; for other
    /// roles it is `nil`.
    public var span: ClosedRange<Int>?
    public var caps: [String]
    public var pace: Pace
    /// The hub's proof that it holds this device's key; absent where no keys are used.
    package var mac: String?
    /// Always in microseconds, whatever the profile.
    package var clock: ClockSample

    package init(
        version: Int = 1, session: String, epoch: String, boot: String, role: Role, span: ClosedRange<Int>? = nil, caps: [String] = [],
        pace: Pace, mac: String? = nil, clock: ClockSample
    ) {
        self.version = version
        self.session = session
        self.epoch = epoch
        self.boot = boot
        self.role = role
        self.span = span
        self.caps = caps
        self.pace = pace
        self.mac = mac
        self.clock = clock
    }
}

/// One exchange as the hub saw it: the client's own stamp returned, when it came in, when it left.
package struct ClockSample: Equatable, Sendable {
    /// The client's clock; `nil` when it sent none.
    package var t1: Int64?
    package var t2: Int64
    package var t3: Int64

    package init(t1: Int64?, t2: Int64, t3: Int64) {
        self.t1 = t1
        self.t2 = t2
        self.t3 = t3
    }

    init(from fields: Fields) throws(ProtocolFault) {
        t1 = try fields.int64("t1")
        t2 = try fields.required("t2", fields.int64("t2"))
        t3 = try fields.required("t3", fields.int64("t3"))
    }

    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("t1", ifPresent: t1)
        writer.member("t2", t2)
        writer.member("t3", t3)
    }

    /// As a `time` message.
    package func encode(into writer: inout JSONWriter) {
        writer.message("time", encodeMembers)
    }
}

extension Welcome {
    init(from fields: Fields) throws(ProtocolFault) {
        version = try fields.required("v", fields.count("v"))
        session = try fields.required("sess", fields.text("sess"))
        epoch = try fields.required("epoch", fields.text("epoch"))
        boot = try fields.required("boot", fields.text("boot"))
        // A role this version has never heard of may at least look.
        role = Role(rawValue: try fields.required("role", fields.text("role"))) ?? .listener
        span = try fields.list("span", count: 2...2, of: "a level") { $0.int.map { Int($0) } }.flatMap {
            $0[0] <= $0[1] ? $0[0]...$0[1] : nil
        }
        caps = try fields.texts("caps") ?? []
        let bounds = try fields.required("pace", fields.list("pace", count: 2...2, of: "milliseconds") { $0.int.map { Int($0) } })
        pace = Pace(minMs: bounds[0], maxMs: bounds[1])
        mac = try fields.text("mac")
        clock = try ClockSample(from: fields)
    }

    package func encode(into writer: inout JSONWriter) {
        writer.message(Self.type) { message in
            message.member("v", version)
            message.member("sess", session)
            message.member("epoch", epoch)
            message.member("boot", boot)
            message.member("role", role.rawValue)
            if let span { message.member("span", span) }
            message.member("caps", caps)
            message.member("pace", array: pace.encode)
            message.member("mac", ifPresent: mac)
            clock.encodeMembers(into: &message)
        }
    }
}
