import BatonSeams
import CWebSockets

/// OpenSSL, as libwebsockets has linked it: the settings of a context, and the keys of a connection's two ends.
///
/// libwebsockets makes and frees the contexts and the connections; nothing here outlives a call. It
/// hands a context out once, in a callback while it is being made (`Engine` keeps it then).
package enum TLS {
    /// The one version there is, no session to come back to (a resumed one would not show the key
    /// again), and no other protocol than HTTP/1.1.
    static func tighten(_ context: OpaquePointer) {
        unsafe baton_ssl_tighten(context)
    }

    /// Has a context show this identity from now on; connections that are open keep theirs.
    static func show(_ identity: TLSIdentity, in context: OpaquePointer) throws(SocketsError) {
        var isTaken = unsafe SSL_CTX_use_certificate_ASN1(context, Int32(identity.certificate.count), identity.certificate) == 1
        unsafe baton_ssl_forget_chain(context)
        for certificate in identity.chain where isTaken {
            isTaken = unsafe baton_ssl_add_to_chain(context, certificate, certificate.count) == 1
        }
        isTaken =
            unsafe isTaken
            && SSL_CTX_use_PrivateKey_ASN1(EVP_PKEY_EC, context, identity.privateKey, identity.privateKey.count) == 1
            && SSL_CTX_check_private_key(context) == 1
        guard isTaken else {
            ERR_clear_error()
            throw SocketsError(.failed, "The certificate and the key of this hub do not go together; restore both from one backup.")
        }
    }

    private static let label = "EXPORTER-Channel-Binding"

    /// Bytes that only the two ends of this connection know (RFC 9266).
    package static func exporter(of ssl: OpaquePointer?) -> [UInt8]? {
        guard let ssl = unsafe ssl else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        let done = unsafe SSL_export_keying_material(ssl, &bytes, bytes.count, label, label.utf8.count, nil, 0, 0)
        return done == 1 ? bytes : nil
    }

    /// SHA-256 of the public key that the other side's certificate holds.
    package static func peerKeyHash(of ssl: OpaquePointer?) -> [UInt8]? {
        guard let ssl = unsafe ssl else { return nil }
        var hash = [UInt8](repeating: 0, count: 32)
        return unsafe baton_ssl_peer_key_hash(ssl, &hash) == 1 ? hash : nil
    }

    /// Why the other side's certificate was not accepted; `nil` when it was, or none was checked.
    package static func certificateFault(of ssl: OpaquePointer?) -> String? {
        guard let ssl = unsafe ssl else { return nil }
        let result = unsafe SSL_get_verify_result(ssl)
        guard result != X509_V_OK, let words = unsafe X509_verify_cert_error_string(result) else { return nil }
        return unsafe String(cString: words)
    }

    /// The result of a read or a write.
    package enum Progress {
        case done(Int)
        /// Not before the socket can be read, or written.
        case later(isReading: Bool)
        case over
    }

    /// Bytes are decrypted and not read yet; the descriptor does not become readable for them.
    package static func holdsBytes(_ ssl: OpaquePointer?) -> Bool {
        guard let ssl = unsafe ssl else { return false }
        return unsafe SSL_pending(ssl) > 0
    }

    /// The peer has not shown yet that it speaks TLS.
    package static func isHandshaking(_ ssl: OpaquePointer?) -> Bool {
        guard let ssl = unsafe ssl else { return false }
        return unsafe SSL_is_init_finished(ssl) == 0
    }

    package static func progress(_ result: Int32, of ssl: OpaquePointer) -> Progress {
        if result > 0 { return .done(Int(result)) }
        let reason = unsafe SSL_get_error(ssl, result)
        ERR_clear_error()
        switch reason {
        case SSL_ERROR_WANT_READ: return .later(isReading: true)
        case SSL_ERROR_WANT_WRITE: return .later(isReading: false)
        default: return .over
        }
    }

    /// The value of `Sec-WebSocket-Accept` for a key and the handshake's constant behind it (RFC 6455, 4.2.2).
    package static func webSocketAccept(_ text: [UInt8]) -> String? {
        var accept = [UInt8](repeating: 0, count: 29)
        guard unsafe baton_ws_accept(text, text.count, &accept) != 0 else { return nil }
        return String(decoding: accept.dropLast(), as: UTF8.self)
    }
}
