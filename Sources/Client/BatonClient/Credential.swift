public import BatonPairing
public import BatonProtocol

/// What a device holds from its pairing, and the library to prove it with.
public struct Credential: Sendable {
    /// The device's name with its hub.
    public var device: DeviceID
    /// The 32 bytes that both know.
    public var key: [UInt8]
    public var cryptography: any Cryptography

    public init(device: DeviceID, key: [UInt8], cryptography: any Cryptography) {
        self.device = device
        self.key = key
        self.cryptography = cryptography
    }

    /// The header that shows the device over HTTP. It holds the key itself, so it is sent only on a connection whose pin was checked.
    package var bearer: (name: String, value: String) { ("authorization", "Bearer \(device.text).\(Base64URL.text(key))") }
}

extension ChannelBinding {
    /// What the hub wants a proof bound to, on this connection.
    init(_ wanted: Challenge.Binding, _ security: ChannelSecurity) throws(ConnectFault) {
        switch (wanted, security.exporter) {
        case (.key, _): self = .key(security.hubKey)
        case (.exporter, let bytes?): self = .exporter(bytes)
        case (.exporter, nil): throw ConnectFault(.strange, "The hub asks for a proof that this client cannot give.")
        }
    }
}
