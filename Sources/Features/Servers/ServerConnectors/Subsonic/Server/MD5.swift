import BatonCore

/// MD5 (RFC 1321), with which Subsonic hashes passwords and salts.
///
/// It offers little security today, but the protocol requires it. The hash is computed by the program's library.
struct MD5: Sendable {
    private let digest: @Sendable ([UInt8]) -> [UInt8]

    init(_ digest: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.digest = digest }

    /// The hash of a text, in lower-case hexadecimal digits.
    func hex(_ text: String) -> String { Hex.text(digest(Array(text.utf8))) }
}
