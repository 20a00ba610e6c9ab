/// How a client may answer a challenge.
extension Challenge {
    /// The ways in which a client may answer it.
    package enum Method: String, Sendable, CaseIterable {
        /// The key from an earlier pairing.
        case device
        /// The six digits, or the token, that the hub shows now.
        case pin, qr
    }

    /// The part of this connection that a proof is bound to.
    package enum Binding: String, Sendable, CaseIterable {
        /// A secret of this TLS connection, which no other connection has.
        case exporter = "exp"
        /// The hub's public key, for a client whose TLS library gives no such secret.
        case key = "spki"
    }
}

/// The hub's id of a device: `d_` and some letters.
public struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    /// The id as it stands on the wire, for example `d_5k2`.
    public let text: String

    /// Accepts every text: an id that no device has is refused only where it is used.
    public init(_ text: String) { self.text = text }

    public var description: String { text }
}
