/// The cryptographic functions that pairing and proofs need. The hub and the satellite use OpenSSL; another platform may supply its own
/// library.
public protocol Cryptography: Sendable {
    /// Random bytes that cannot be guessed.
    func random(_ count: Int) -> [UInt8]
    /// FIPS 180-4.
    func sha256(_ bytes: [UInt8]) -> [UInt8]
    /// FIPS 180-4.
    func sha512(_ bytes: [UInt8]) -> [UInt8]
    /// RFC 2104.
    func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]
    /// RFC 2104.
    func hmacSHA512(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]
    /// X25519 of RFC 7748; `nil` if the result is all zero, which only a manipulated point yields.
    func x25519(scalar: [UInt8], point: [UInt8]) -> [UInt8]?
    /// ChaCha20-Poly1305 of RFC 8439: the ciphertext, followed by its tag of 16 bytes.
    func seal(_ plain: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]
    /// `nil` if any part of it was changed.
    func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]?
}

extension Cryptography {
    /// HKDF of RFC 5869 with SHA-256, up to one block of output for each of at most 255 rounds.
    package func hkdfSHA256(_ secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition(count <= 255 * 32, "HKDF gives no more than 255 blocks.")
        let key = hmacSHA256(secret, key: salt.isEmpty ? [UInt8](repeating: 0, count: 32) : salt)
        var output: [UInt8] = []
        var block: [UInt8] = []
        for round in 1... where output.count < count {
            block = hmacSHA256(block + info + [UInt8(round)], key: key)
            output += block
            if output.count >= count { break }
        }
        return Array(output.prefix(count))
    }
}

/// Compares in constant time, so that the duration does not reveal where the bytes differ.
package func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
}
