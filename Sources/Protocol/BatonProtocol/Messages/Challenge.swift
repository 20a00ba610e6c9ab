import BatonPairing

/// The hub's answer to `hello` on a channel where a client must prove its identity.
package struct Challenge: Equatable, Sendable {
    package static let type = "challenge"

    /// The ways in which a client may answer it.
    package enum Method: String, Sendable, CaseIterable {
        /// The key from an earlier pairing.
        case device
        /// The six digits, or the token, that the hub shows now.
        case pin, qr
    }

    /// The part of this connection that a proof is bound to.
    package enum Binding: String, Sendable, CaseIterable {
        case exporter = "exp"
        case key = "spki"
    }

    package var hub: String
    package var name: String
    package var nonce: [UInt8]
    /// Methods; those of later versions are skipped.
    package var methods: [Method]
    package var binding: Binding

    package init(hub: String, name: String, nonce: [UInt8], methods: [Method], binding: Binding) {
        self.hub = hub
        self.name = name
        self.nonce = nonce
        self.methods = methods
        self.binding = binding
    }
}

/// The answer of a paired device to a challenge.
package struct Authentication: Equatable, Sendable {
    package static let type = "auth"

    package var device: DeviceID
    package var nonce: [UInt8]
    package var mac: [UInt8]

    package init(device: DeviceID, nonce: [UInt8], mac: [UInt8]) {
        self.device = device
        self.nonce = nonce
        self.mac = mac
    }
}

/// The hub's id of a device: `d_` and some letters.
public struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) { self.text = text }

    public var description: String { text }
}
