public import BatonProtocol
import COpenSSL

/// OpenSSL's primitives for pairing and proofs.
///
/// Threads: any; OpenSSL has no state between these calls but its random generator, which locks itself. Memory: nothing borrowed outlives a
/// call. Pairs: each context is freed by the function that allocated it. A failure for lack of memory stops the process, because continuing
/// with an invalid key would be worse.
public struct OpenSSL: Cryptography {
    public init() {}

    static func require(_ done: Bool, _ what: StaticString) {
        precondition(done, "OpenSSL could not do \(what): there is no memory left, or the library is broken.")
    }

    public func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        Self.require(unsafe RAND_bytes(&bytes, Int32(count)) == 1, "random bytes")
        return bytes
    }

    public func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        Self.require(unsafe SHA256(bytes, bytes.count, &hash) != nil, "SHA-256")
        return hash
    }

    public func sha512(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(SHA512_DIGEST_LENGTH))
        Self.require(unsafe SHA512(bytes, bytes.count, &hash) != nil, "SHA-512")
        return hash
    }

    /// MD5 offers little security, but protocols of others require it. A system whose rules for OpenSSL forbid it elsewhere has it here;
    /// `nil` where OpenSSL is set up with its FIPS provider alone.
    package func md5(_ bytes: [UInt8]) -> [UInt8]? {
        var hash = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_Q_digest(nil, "MD5", "-fips", bytes, bytes.count, &hash, nil) == 1 else {
            // The error stays in this thread's queue, where a TLS connection would take it for its own.
            ERR_clear_error()
            return nil
        }
        return hash
    }

    public func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        unsafe Self.hmac(EVP_sha256(), length: Int(SHA256_DIGEST_LENGTH), of: bytes, key: key)
    }

    public func hmacSHA512(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        unsafe Self.hmac(EVP_sha512(), length: Int(SHA512_DIGEST_LENGTH), of: bytes, key: key)
    }

    private static func hmac(_ hash: OpaquePointer?, length count: Int, of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var mac = [UInt8](repeating: 0, count: count)
        var length: UInt32 = 0
        require(unsafe HMAC(hash, key, Int32(key.count), bytes, bytes.count, &mac, &length) != nil, "HMAC")
        return mac
    }

    // MARK: X25519

    public func x25519(scalar: [UInt8], point: [UInt8]) -> [UInt8]? {
        guard let own = unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, scalar, scalar.count) else { return nil }
        defer { unsafe EVP_PKEY_free(own) }
        guard let other = unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, point, point.count) else { return nil }
        defer { unsafe EVP_PKEY_free(other) }
        guard let context = unsafe EVP_PKEY_CTX_new(own, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var secret = [UInt8](repeating: 0, count: 32)
        var count = secret.count
        // OpenSSL refuses a result that is all zero.
        guard unsafe EVP_PKEY_derive_init(context) == 1, unsafe EVP_PKEY_derive_set_peer(context, other) == 1,
            unsafe EVP_PKEY_derive(context, &secret, &count) == 1, count == 32
        else {
            // The error stays in this thread's queue, where a TLS connection would take it for its own.
            ERR_clear_error()
            return nil
        }
        return secret
    }

    // MARK: ChaCha20-Poly1305

    private static let tagBytes = 16

    public func seal(_ plain: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        precondition(key.count == 32 && nonce.count == 12, "ChaCha20-Poly1305 takes a key of 32 bytes and a nonce of 12.")
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: plain.count)
        var tag = [UInt8](repeating: 0, count: Self.tagBytes)
        var count: Int32 = 0
        Self.require(
            unsafe EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce) == 1
                && EVP_EncryptUpdate(context, &sealed, &count, plain, Int32(plain.count)) == 1
                && EVP_EncryptFinal_ex(context, nil, &count) == 1 && baton_aead_get_tag(context, &tag, Int32(tag.count)) == 1,
            "ChaCha20-Poly1305")
        return sealed + tag
    }

    public func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.tagBytes, key.count == 32, nonce.count == 12 else { return nil }
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let body = Array(sealed.dropLast(Self.tagBytes))
        let tag = Array(sealed.suffix(Self.tagBytes))
        var plain = [UInt8](repeating: 0, count: body.count)
        var count: Int32 = 0
        let isWhole =
            unsafe EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce) == 1
            && EVP_DecryptUpdate(context, &plain, &count, body, Int32(body.count)) == 1
            && baton_aead_set_tag(context, tag, Int32(tag.count)) == 1 && EVP_DecryptFinal_ex(context, nil, &count) == 1
        if !isWhole { ERR_clear_error() }
        return isWhole ? plain : nil
    }
}
