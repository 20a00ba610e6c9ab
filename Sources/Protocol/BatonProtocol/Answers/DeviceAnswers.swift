/// The answer to `pair.open`: the codes that the owner of the hub shows to a new device.
public struct PairingWindow: Equatable, Sendable {
    /// The code of six digits.
    public var pin: String
    public var role: Role
    /// Time until the window closes.
    public var leftMs: Int64
    /// The address in the QR code; `nil` if no other machine can connect.
    public var address: String?

    package init(pin: String, role: Role, leftMs: Int64, address: String? = nil) {
        self.pin = pin
        self.role = role
        self.leftMs = leftMs
        self.address = address
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
