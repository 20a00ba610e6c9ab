import BatonProtocol
import BatonSeams
import CWebSockets

/// OpenSSL in the build that libwebsockets is linked to: the settings of a context, and the keys of both ends of a connection.
///
/// libwebsockets creates and frees contexts and connections; nothing here outlives a call. It passes a context on once, in a callback while
/// it is being created (`Engine` stores it then).
package enum TLS {
    /// Allows TLS 1.3 only, no session resumption (which would not present the key again), and no protocol but HTTP/1.1.
    static func tighten(_ context: OpaquePointer) {
        unsafe baton_ssl_tighten(context)
    }

    /// Makes a context present this identity from now on; open connections keep theirs.
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

    /// Bytes that only the two ends of this connection know (RFC 9266).
    package static func exporter(of ssl: OpaquePointer?) -> [UInt8]? {
        guard let ssl = unsafe ssl else { return nil }
        let label = ChannelBinding.exporterLabel
        var bytes = [UInt8](repeating: 0, count: 32)
        let done = unsafe SSL_export_keying_material(ssl, &bytes, bytes.count, label, label.utf8.count, nil, 0, 0)
        return done == 1 ? bytes : nil
    }

    /// SHA-256 of the public key in the other side's certificate.
    package static func peerKeyHash(of ssl: OpaquePointer?) -> [UInt8]? {
        guard let ssl = unsafe ssl else { return nil }
        var hash = [UInt8](repeating: 0, count: 32)
        return unsafe baton_ssl_peer_key_hash(ssl, &hash) == 1 ? hash : nil
    }

    /// The reason for refusing the other side's certificate; `nil` if it was accepted or not checked.
    package static func certificateFault(of ssl: OpaquePointer?) -> String? {
        guard let ssl = unsafe ssl else { return nil }
        let result = unsafe SSL_get_verify_result(ssl)
        guard result != X509_V_OK, let words = unsafe X509_verify_cert_error_string(result) else { return nil }
        return unsafe String(cString: words)
    }

    /// The result of a read or a write.
    package enum Progress {
        case done(Int)
        /// Try again when the socket is readable, or writable.
        case later(isReading: Bool)
        case over
    }

    /// True if decrypted bytes are unread; the descriptor does not become readable for them.
    package static func holdsBytes(_ ssl: OpaquePointer?) -> Bool {
        guard let ssl = unsafe ssl else { return false }
        return unsafe SSL_pending(ssl) > 0
    }

    /// True until the peer has completed the handshake.
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

    /// The value of `Sec-WebSocket-Accept` for a key followed by the handshake's constant (RFC 6455, 4.2.2).
    package static func webSocketAccept(_ text: [UInt8]) -> String? {
        var accept = [UInt8](repeating: 0, count: 29)
        guard unsafe baton_ws_accept(text, text.count, &accept) != 0 else { return nil }
        return String(decoding: accept.dropLast(), as: UTF8.self)
    }
}
