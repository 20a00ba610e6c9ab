/// Proofs by which a device and its hub show each other, at every connection, that they still have the key from their pairing.
///
/// A proof covers the connection (`binding`), its messages as they were sent, and the client's own random bytes. So a recorded proof is of
/// no use elsewhere.
package struct DeviceProof: Sendable {
    package enum Side: String, Sendable {
        case client = "baton/1 client"
        case hub = "baton/1 hub"
    }

    package static let keyBytes = 32
    package static let nonceBytes = 16

    private let cryptography: any Cryptography
    private let covered: [UInt8]

    package init(binding: ChannelBinding, hello: [UInt8], challenge: [UInt8], nonce: [UInt8], _ cryptography: any Cryptography) {
        self.cryptography = cryptography
        covered = binding.bytes(cryptography) + cryptography.sha256(hello + challenge) + nonce
    }

    package func mac(of side: Side, key: [UInt8]) -> [UInt8] {
        cryptography.hmacSHA256(Array(side.rawValue.utf8) + covered, key: key)
    }

    package func isProof(_ mac: [UInt8], of side: Side, key: [UInt8]) -> Bool { isSame(mac, self.mac(of: side, key: key)) }
}
