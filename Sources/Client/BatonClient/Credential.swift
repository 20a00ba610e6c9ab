public import BatonProtocol

/// A paired device's key, with the cryptography to prove it.
public struct Credential: Sendable {
    /// The id by which the hub knows the device.
    public var device: DeviceID
    /// The 32-byte key shared with the hub.
    public var key: [UInt8]
    /// Computes the proofs; the satellite passes `OpenSSL`, and an app on another platform brings its own.
    public var cryptography: any Cryptography

    /// A credential as a pairing returned it; its parts are stored, and nothing of it is checked here.
    public init(device: DeviceID, key: [UInt8], cryptography: any Cryptography) {
        self.device = device
        self.key = key
        self.cryptography = cryptography
    }

    /// The HTTP header that identifies the device. Who reads it can do what the device may do, so it is sent only after the connection's
    /// pin was checked; the key itself is never sent.
    package var bearer: (name: String, value: String) {
        ("authorization", "Bearer \(device.text).\(Base64URL.text(DeviceProof.bearer(key: key, cryptography)))")
    }
}

extension ChannelBinding {
    /// The binding that the hub requests for a proof on this connection.
    init(_ wanted: Challenge.Binding, _ security: ChannelSecurity) throws(ConnectFault) {
        switch (wanted, security.exporter) {
        case (.spki, _): self = .key(security.hubKey)
        case (.exp, let bytes?): self = .exporter(bytes)
        case (.exp, nil): throw ConnectFault(.strange, "The hub asks for a proof that this client cannot give.")
        }
    }
}
