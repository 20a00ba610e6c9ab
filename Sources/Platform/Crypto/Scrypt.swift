import BatonProtocol
package import BatonSeams
import COpenSSL

/// Hashes of passwords by OpenSSL's scrypt.
///
/// Threads: any. Memory: nothing borrowed outlives a call; each call takes 32 MiB at the default cost and frees it. Debian's OpenSSL 3.0
/// has no Argon2.
package enum Scrypt {
    package static let saltBytes = 16
    package static let hashBytes = 32
    /// Memory limit for OpenSSL. The default cost takes 32 MiB and some KiB.
    private static let mostBytes: UInt64 = 40 << 20

    /// The hash of a new password, with a salt of its own.
    package static func hash(_ password: String, cost: PasswordCost = .usual) -> PasswordHash {
        let salt = OpenSSL().random(saltBytes)
        guard let hash = derive(password, salt: salt, cost) else {
            preconditionFailure("OpenSSL could not do scrypt: there is no memory left, or the library is broken.")
        }
        return PasswordHash(cost: cost, salt: salt, hash: hash)
    }

    /// Compares in constant time. A stored hash with invalid parameters matches nothing.
    package static func matches(_ password: String, _ stored: PasswordHash) -> Bool {
        guard let hash = derive(password, salt: stored.salt, stored.cost) else { return false }
        return isSame(hash, stored.hash)
    }

    /// `nil` if OpenSSL refuses the parameters.
    private static func derive(_ password: String, salt: [UInt8], _ cost: PasswordCost) -> [UInt8]? {
        guard cost.rounds > 1, cost.blocks > 0, cost.lanes > 0 else { return nil }
        var hash = [UInt8](repeating: 0, count: hashBytes)
        let bytes = password.utf8.map { CChar(bitPattern: $0) }
        let isDone = unsafe EVP_PBE_scrypt(
            bytes, bytes.count, salt, salt.count, UInt64(cost.rounds), UInt64(cost.blocks), UInt64(cost.lanes), mostBytes, &hash,
            hash.count)
        if isDone != 1 { ERR_clear_error() }
        return isDone == 1 ? hash : nil
    }
}
