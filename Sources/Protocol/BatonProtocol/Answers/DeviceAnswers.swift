public import BatonCore

/// The answer to `pair.open`: the codes that the owner of the hub shows to a new device.
public struct PairingWindow: Equatable, Sendable {
    /// Six digits.
    public var pin: String
    public var role: Role
    /// How long the window stays open.
    public var leftMs: Int64
    /// The address that a QR code holds; `nil` where no other machine can connect.
    public var address: String?

    package init(pin: String, role: Role, leftMs: Int64, address: String? = nil) {
        self.pin = pin
        self.role = role
        self.leftMs = leftMs
        self.address = address
    }
}

/// The answer to `dev.list`: the devices that are paired, the oldest pairing first.
public struct DeviceList: Equatable, Sendable {
    /// One paired device.
    public struct Row: Equatable, Sendable {
        public var id: DeviceID
        public var name: String
        public var role: Role
        /// `device` or `browser`. A kind from a newer hub is kept as it is.
        public var kind: String
        /// How many connections it has at this moment.
        public var connections: Int
        /// Wall clock.
        public var pairedMs: Int64
        public var seenMs: Int64
        /// When it has to leave; `nil` if it may stay.
        public var expiresMs: Int64?
        /// The levels between which a guest may turn the volume.
        public var span: ClosedRange<Int>?
        /// Whose places its listening moves.
        public var person: Person

        package init(
            id: DeviceID, name: String, role: Role, kind: String, connections: Int, pairedMs: Int64, seenMs: Int64,
            expiresMs: Int64? = nil, span: ClosedRange<Int>? = nil, person: Person = .home
        ) {
            self.id = id
            self.name = name
            self.role = role
            self.kind = kind
            self.connections = connections
            self.pairedMs = pairedMs
            self.seenMs = seenMs
            self.expiresMs = expiresMs
            self.span = span
            self.person = person
        }
    }

    /// The pairing window that is open now, without its code.
    public struct Window: Equatable, Sendable {
        public var role: Role
        public var leftMs: Int64
        /// How many wrong codes may still be tried.
        public var attempts: Int

        package init(role: Role, leftMs: Int64, attempts: Int) {
            self.role = role
            self.leftMs = leftMs
            self.attempts = attempts
        }
    }

    public var rows: [Row]
    /// How many devices follow after these.
    public var more: Int
    /// Too many wrong codes were tried, so no window can be opened from another machine.
    public var isLocked: Bool
    public var window: Window?

    package init(_ rows: [Row], more: Int = 0, isLocked: Bool = false, window: Window? = nil) {
        self.rows = rows
        self.more = more
        self.isLocked = isLocked
        self.window = window
    }
}

/// The answer to `dev.rotate`: a new key for the device that asked, encrypted with the old one.
public struct NewDeviceKey: Equatable, Sendable {
    package static let saltBytes = 16
    package static let wrappedBytes = 48

    public var device: DeviceID
    public var salt: [UInt8]
    public var wrappedKey: [UInt8]

    package init(device: DeviceID, salt: [UInt8], wrappedKey: [UInt8]) {
        self.device = device
        self.salt = salt
        self.wrappedKey = wrappedKey
    }
}

/// The answer to `hub.ticket`: text that opens the hub's page with the rights of an admin, once.
public struct Ticket: Equatable, Sendable {
    public var text: String

    package init(_ text: String) { self.text = text }
}
