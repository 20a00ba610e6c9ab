public import BatonCore

/// Commands about the hub itself, and about the devices that may connect to it.
extension Commands {
    /// What a doctor asks first.
    public struct Info: HubRequest {
        public typealias Answer = HubInfo

        public static let kind = RequestKind.hubInfo

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self()
        }

        package var request: Request { .hubInfo }
    }

    /// Makes a one-time link by which a browser on the hub's own machine becomes its owner.
    public struct NewTicket: HubRequest {
        public typealias Answer = Ticket

        public static let kind = RequestKind.hubTicket

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self()
        }

        package var request: Request { .devices(.ticket) }
    }

    /// Lets devices pair for a while, with a code of six digits or a QR code.
    public struct PairOpen: HubRequest {
        public typealias Answer = PairingWindow

        public static let kind = RequestKind.pairOpen
        public var role: Role
        /// How long the window stays open.
        public var ttlMs: Int
        /// How long a device that pairs may stay; for ever without it.
        public var forMs: Int?

        public init(role: Role = .remote, ttlMs: Int = DeviceRequest.usualWindowMs, forMs: Int? = nil) {
            self.role = role
            self.ttlMs = ttlMs
            self.forMs = forMs
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                role: try p.choice("role", value?.role, default: .remote),
                ttlMs: try p.int("ttlMs", value?.ttlMs, in: DeviceRequest.windowMs, default: DeviceRequest.usualWindowMs),
                forMs: try p.int("forMs", value?.forMs, in: DeviceRequest.stayMs))
        }

        package var request: Request { .devices(.open(role: role, ttlMs: ttlMs, forMs: forMs)) }
    }

    /// Ends the time in which devices can pair.
    public struct PairClose: HubRequest {
        public static let kind = RequestKind.pairClose

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self()
        }

        package var request: Request { .devices(.close) }
    }

    /// Lists the devices that were paired.
    public struct Devices: HubRequest {
        public typealias Answer = DeviceList

        public static let kind = RequestKind.deviceList
        public var from: Int

        public init(from: Int = 0) {
            self.from = from
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(from: try p.int("from", value?.from, in: 0...1_000_000, default: 0))
        }

        package var request: Request { .devices(.list(from: from)) }
    }

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
                try p.device(value?.device), try p.required("role", p.choice("role", value?.role)),
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
            Self(try p.device(value?.device), to: try p.required("name", p.text("name", value?.name, bytes: 1...64)))
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
            Self(try p.device(value?.device), Person(try p.required("person", p.personalName("person", value?.person.text))))
        }

        package var request: Request { .devices(.setPerson(device, person)) }
    }

    /// Takes a device's pairing back; its connections end.
    public struct DeviceRevoke: HubRequest {
        public static let kind = RequestKind.deviceRevoke
        public var device: DeviceID

        public init(_ device: DeviceID) {
            self.device = device
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.device(value?.device))
        }

        package var request: Request { .devices(.revoke(device)) }
    }

    /// A new key for the device that asks.
    public struct DeviceRotate: HubRequest {
        public typealias Answer = NewDeviceKey

        public static let kind = RequestKind.deviceRotate

        public init() {}

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self()
        }

        package var request: Request { .devices(.rotate) }
    }
}
