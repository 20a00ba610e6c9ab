import COpenSSL

/// A signing key on the curve P-256: the hub's own, or that of its root.
///
/// The wrapper owns OpenSSL's object from `init` to `deinit`; OpenSSL counts references and locks itself, so any thread may read it.
@safe
package final class SigningKey: Sendable {
    // Never changed after creation.
    nonisolated(unsafe) let raw: OpaquePointer

    private init(_ raw: OpaquePointer) { unsafe self.raw = raw }

    deinit { unsafe EVP_PKEY_free(raw) }

    package static func make() -> SigningKey {
        guard let raw = unsafe baton_p256_new() else { preconditionFailure("OpenSSL could not make a key on P-256.") }
        return unsafe SigningKey(raw)
    }

    /// `nil` if these bytes do not contain such a key.
    package convenience init?(der: [UInt8]) {
        let raw = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
        guard let raw = unsafe raw else {
            ERR_clear_error()
            return nil
        }
        guard unsafe EVP_PKEY_get_base_id(raw) == EVP_PKEY_EC else {
            unsafe EVP_PKEY_free(raw)
            return nil
        }
        unsafe self.init(raw)
    }

    /// The private key. It is only written to a file of secrets and passed to TLS.
    package var der: [UInt8] { unsafe encoded { unsafe i2d_PrivateKey(raw, $0) } }

    /// The public key in the form of certificates, whose hash is a pin.
    package var publicKey: [UInt8] { unsafe encoded { unsafe i2d_PUBKEY(raw, $0) } }
}

/// Returns the DER encoding of an object, after asking OpenSSL for its length.
func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
    let count = write(nil)
    precondition(count > 0, "OpenSSL could not encode what it had made itself.")
    var bytes = [UInt8](repeating: 0, count: Int(count))
    unsafe bytes.withUnsafeMutableBufferPointer { room in
        var start = room.baseAddress
        _ = unsafe write(&start)
    }
    return bytes
}
