/// Proofs by which a device and its hub show each other, at every connection, that they still have the key from their pairing.
///
/// A proof covers the connection (`binding`), its messages as they were sent, and the client's own random bytes. So a recorded proof is of
/// no use elsewhere.
package struct DeviceProof: Sendable {
    /// The side that proves itself, so that a proof of one cannot be sent back as that of the other. The raw value goes into the hash.
    package enum Side: String, Sendable {
        /// The client, which proves that it is the device.
        case client = "baton/1 client"
        /// The hub, which proves that it is the one of the pairing.
        case hub = "baton/1 hub"
    }

    /// Length of the key that a pairing gives.
    package static let keyBytes = 32
    /// Length of the client's random bytes, which make each proof new.
    package static let nonceBytes = 16

    /// The bytes that a device shows in requests over HTTP, which no proof covers. They follow from the key, so that it is never sent itself.
    package static func bearer(key: [UInt8], _ cryptography: any Cryptography) -> [UInt8] {
        cryptography.hmacSHA256(Array("baton/1 bearer".utf8), key: key)
    }

    private let cryptography: any Cryptography
    private let covered: [UInt8]

    /// A proof of one connection. `hello` and `challenge` are the bytes as they were sent, not as a codec would write them again.
    package init(binding: ChannelBinding, hello: [UInt8], challenge: [UInt8], nonce: [UInt8], _ cryptography: any Cryptography) {
        self.cryptography = cryptography
        covered = binding.bytes(cryptography) + cryptography.sha256(hello + challenge) + nonce
    }

    /// The proof of one side, made with the key of the pairing.
    package func mac(of side: Side, key: [UInt8]) -> [UInt8] {
        cryptography.hmacSHA256(Array(side.rawValue.utf8) + covered, key: key)
    }

    /// True when this is the proof of that side. It takes the same time wherever the bytes differ.
    package func isProof(_ mac: [UInt8], of side: Side, key: [UInt8]) -> Bool { isSame(mac, self.mac(of: side, key: key)) }
}
