/// SHA-256 of data that arrives in pieces and need not fit into memory.
///
/// One thread at a time. OpenSSL's context is allocated in `init` and freed in `deinit`.
import COpenSSL

@safe package struct RunningHash: ~Copyable {
    private let context: OpaquePointer?

    package init() {
        unsafe context = EVP_MD_CTX_new()
        OpenSSL.require(unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "SHA-256")
    }

    package func add(_ bytes: [UInt8]) {
        OpenSSL.require(unsafe EVP_DigestUpdate(context, bytes, bytes.count) == 1, "SHA-256")
    }

    /// The hash of everything that was added; nothing can be added afterwards.
    package func finish() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        var count: UInt32 = 0
        OpenSSL.require(unsafe EVP_DigestFinal_ex(context, &hash, &count) == 1, "SHA-256")
        return hash
    }

    deinit { unsafe EVP_MD_CTX_free(context) }
}
