import BatonCore

/// MD5 (RFC 1321), with which Subsonic hashes passwords and salts.
///
/// It offers little security today, but the protocol requires it. The hash is computed by the program's library.
struct MD5: Sendable {
    private let digest: @Sendable ([UInt8]) -> [UInt8]?

    init(_ digest: @escaping @Sendable ([UInt8]) -> [UInt8]?) { self.digest = digest }

    /// The hash of a text, in lower-case hexadecimal digits; `nil` on a machine that does not compute it.
    func hex(_ text: String) -> String? { digest(Array(text.utf8)).map { Hex.text($0) } }

    /// A hash that only tells texts apart, and may be stored: that of this protocol, or another one on such a machine.
    func mark(_ text: String) -> String { hex(text) ?? String(StableHash.of(text), radix: 16) }
}
