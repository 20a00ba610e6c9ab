import CWebSockets

/// The TLS settings of connections to other servers: the trusted authorities.
///
/// Reading the system's authorities takes OpenSSL some 30 ms, so this is created off the loop and only once. Threads may share it, because
/// it does not change after `init`; OpenSSL counts its references itself.
@safe
package final class OutgoingTLS: Sendable {
    nonisolated(unsafe) let context: OpaquePointer

    /// `roots` is a file of certificates in PEM that replaces the system's. Blocks while it reads.
    package init(roots: String? = nil) throws(SocketsError) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
            throw SocketsError(.failed, "TLS could not start: OpenSSL gives no context.")
        }
        unsafe self.context = context
        unsafe baton_ssl_begin_outgoing(context)
        let isRead = unsafe roots.map { unsafe SSL_CTX_load_verify_file(context, $0) } ?? SSL_CTX_set_default_verify_paths(context)
        guard isRead == 1 else {
            ERR_clear_error()
            throw SocketsError(.failed, "The certificates of the authorities cannot be read from \(roots ?? "the system's folder").")
        }
    }

    deinit { unsafe SSL_CTX_free(context) }
}
