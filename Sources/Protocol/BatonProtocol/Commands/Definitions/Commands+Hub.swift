public import BatonCore

/// Commands about the hub itself, and about the devices that may connect to it.
extension Commands {
    /// Changes what a paired device may do.
    public struct DeviceRole: HubRequest {
        public static let kind = RequestKind.deviceRole
        public var device: DeviceID
        public var role: Role
        public var span: ClosedRange<Int>?
        /// How long from now it may stay.
        public var forMs: Int?

        public init(_ device: DeviceID, _ role: Role, span: ClosedRange<Int>? = nil, forMs: Int? = nil) {
            self.device = device
            self.role = role
            self.span = span
            self.forMs = forMs
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("dev", p.device("dev", value?.device)), try p.required("role", p.choice("role", value?.role)),
                span: try p.span("span", value?.span), forMs: try p.int("forMs", value?.forMs, in: DeviceRequest.stayMs))
        }

        package var request: Request { .devices(.setRole(device, role, DeviceRequest.Guests(span: span, forMs: forMs))) }
    }

    /// Gives a paired device another name.
    public struct DeviceRename: HubRequest {
        public static let kind = RequestKind.deviceRename
        public var device: DeviceID
        public var name: String

        public init(_ device: DeviceID, to name: String) {
            self.device = device
            self.name = name
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("dev", p.device("dev", value?.device)),
                to: try p.required("name", p.text("name", value?.name, bytes: 1...64)))
        }

        package var request: Request { .devices(.rename(device, name)) }
    }

    /// Says to whom a paired device belongs, so that places in books and episodes are that person's.
    public struct DevicePerson: HubRequest {
        public static let kind = RequestKind.devicePerson
        public var device: DeviceID
        public var person: Person

        public init(_ device: DeviceID, _ person: Person) {
            self.device = device
            self.person = person
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("dev", p.device("dev", value?.device)),
                Person(try p.required("person", p.personalName("person", value?.person.text))))
        }

        package var request: Request { .devices(.setPerson(device, person)) }
    }
}

extension Commands.Info: HubRequest {
    public typealias Answer = HubInfo
    package var request: Request { .hubInfo }
}
extension Commands.NewTicket: HubRequest {
    public typealias Answer = Ticket
    package var request: Request { .devices(.ticket) }
}
extension Commands.PairOpen: HubRequest {
    public typealias Answer = PairingWindow
    package var request: Request { .devices(.open(role: role, ttlMs: ttlMs, forMs: forMs)) }
}
extension Commands.PairClose: HubRequest { package var request: Request { .devices(.close) } }
extension Commands.Devices: HubRequest {
    public typealias Answer = DeviceList
    package var request: Request { .devices(.list(from: from)) }
}
extension Commands.DeviceRevoke: HubRequest { package var request: Request { .devices(.revoke(device)) } }
extension Commands.DeviceRotate: HubRequest {
    public typealias Answer = NewDeviceKey
    package var request: Request { .devices(.rotate) }
}
