/// Ties a proof to the encrypted connection on which it was made, so that a relay in between can pass it on
/// but not use it.
package enum ChannelBinding: Equatable, Sendable {
    /// 32 bytes that TLS derives for both ends only (RFC 9266).
    case exporter([UInt8])
    /// SHA-256 of the hub's public key from its certificate, for clients whose TLS has no exporter.
    case key([UInt8])

    /// The label with which TLS derives the bytes of `exporter`.
    package static let exporterLabel = "EXPORTER-Channel-Binding"

    /// The bytes that go into a proof. Each kind has a mark of its own, so that neither can be taken for the other.
    package func bytes(_ cryptography: any Cryptography) -> [UInt8] {
        switch self {
        case .exporter(let bytes): cryptography.sha256(Array("bt-cb-exp".utf8) + bytes)
        case .key(let hash): cryptography.sha256(Array("bt-cb-spki".utf8) + hash)
        }
    }
}
