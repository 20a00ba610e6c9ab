package import BatonSeams
import CWebSockets
import Glibc

/// One socket of libwebsockets: an accepted connection, one of our own to another machine, or the nested epoll. Its address is the socket's
/// opaque pointer.
///
/// Threads: libwebsockets calls on the loop thread only. Lifetime: the handler owns its `Socket`, and is retained by its own owner until
/// `socketForgotten`, which comes exactly once; borrowed bytes are valid for the call. A connection never ends during a call to it: `kill`
/// and `finish` request the end, which comes when the socket's own callback returns or on the loop's next turn.
///
/// libwebsockets carries bytes and closes descriptors. `receive` and `send` bypass it, through the same TLS, since its own HTTP hides how a
/// request was written.
@Loop
@safe
package final class Socket {
    package let descriptor: Int32
    package let isSecure: Bool
    /// The receiver of events, which owns this object.
    package unowned var handler: (any SocketHandler)?
    /// `nil` before libwebsockets knows this socket, and after it has dropped it.
    package var wsi: OpaquePointer? {
        get { unsafe known }
        set { unsafe known = newValue }
    }
    // A stored `package` variable would be checked for overlapping changes at each read, and each message reads this one often.
    private var known: OpaquePointer?
    /// Nesting depth of callbacks of this socket.
    var inside = 0
    /// True if the connection must end when the current callback returns.
    var mustEnd = false

    /// For a socket whose descriptor libwebsockets opens itself.
    package init() {
        descriptor = -1
        isSecure = false
    }

    /// For a descriptor that was accepted.
    package init(_ descriptor: Int32, isSecure: Bool) {
        self.descriptor = descriptor
        self.isSecure = isSecure
    }

    package var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    package var isOpen: Bool { unsafe wsi != nil }

    // MARK: Ending

    /// Ends the connection on the loop's next turn. libwebsockets' own way of doing this later waits for the loop to be idle, which a busy
    /// hub is not.
    package func kill() { EventLoop.current?.scheduleEnd(self) }

    /// Ends the connection when the current callback returns, or on the next turn.
    package func finish() {
        if inside > 0 { mustEnd = true } else { kill() }
    }

    /// Ends the connection; called by the loop outside of this socket's callbacks.
    func endNow() {
        guard let wsi = unsafe wsi else { return }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC)
    }

    /// Cancels the timeout that libwebsockets sets after adopting a connection and after the TLS handshake. It stores them in a sorted list
    /// that it walks at every insertion: ten thousand silent connections would stop the loop. The server's own deadlines replace them.
    package func cancelTimeout() {
        guard let wsi = unsafe wsi else { return }
        unsafe lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
    }

    // MARK: Reading

    /// Stops reading; the peer's bytes stay in the kernel.
    package func pauseReading() {
        guard let wsi = unsafe wsi else { return }
        unsafe lws_rx_flow_control(wsi, 0)
    }

    package func resumeReading() {
        guard let wsi = unsafe wsi else { return }
        unsafe lws_rx_flow_control(wsi, 1)
    }

    /// Reads the waiting bytes.
    package func receive(into room: UnsafeMutableRawBufferPointer) -> TLS.Progress {
        guard isSecure else {
            let count = unsafe recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
            if count > 0 { return .done(count) }
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .later(isReading: true) : .over
        }
        guard let ssl = unsafe ssl else { return .over }
        return unsafe TLS.progress(SSL_read(ssl, room.baseAddress, Int32(room.count)), of: ssl)
    }

    /// True if TLS has decrypted unread bytes, for which the descriptor does not become readable.
    package var holdsDecryptedBytes: Bool { unsafe isSecure && TLS.holdsBytes(ssl) }

    /// True if more can be read at once.
    package var hasUnreadBytes: Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) > 0 || holdsDecryptedBytes
    }

    // MARK: Writing

    /// True if libwebsockets has no bytes waiting to be sent.
    package var hasRoom: Bool {
        guard let wsi = unsafe wsi else { return false }
        return unsafe lws_partial_buffered(wsi) == 0
    }

    /// Requests one `.writable`.
    package func askForRoom() {
        guard let wsi = unsafe wsi else { return }
        unsafe lws_callback_on_writable(wsi)
    }

    /// Sends bytes unchanged; libwebsockets stores those that the kernel does not accept. It uses the `Frame.headroom` in front of `start`.
    /// False if the connection is broken.
    package func write(_ bytes: UnsafeMutableRawBufferPointer, from start: Int) -> Bool {
        guard let wsi = unsafe wsi, let base = bytes.baseAddress else { return true }
        let first = unsafe (base + start).assumingMemoryBound(to: UInt8.self)
        return unsafe lws_write(wsi, first, bytes.count - start, LWS_WRITE_HTTP) >= 0
    }

    /// Like the system's `send`: the number of sent bytes, or -1 and `errno`.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard isSecure else { return unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) }
        guard let ssl = unsafe ssl else {
            errno = ENOTCONN
            return -1
        }
        switch unsafe TLS.progress(SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)), of: ssl) {
        case .done(let count): return count
        case .later(isReading: false): errno = EAGAIN
        case .later(isReading: true), .over: errno = ECONNRESET
        }
        return -1
    }

    // MARK: TLS

    /// True while the TLS handshake is unfinished.
    package var isHandshaking: Bool { unsafe isSecure && TLS.isHandshaking(ssl) }

    /// 32 bytes that only the two ends of this connection know; `nil` without TLS.
    package var exporter: [UInt8]? { unsafe TLS.exporter(of: ssl) }

    /// SHA-256 of the public key in the peer's certificate; `nil` without TLS.
    package var peerKeyHash: [UInt8]? { unsafe TLS.peerKeyHash(of: ssl) }

    /// OpenSSL's reason for refusing the server's certificate; `nil` if it was accepted or not checked.
    package var certificateFault: String? { unsafe TLS.certificateFault(of: ssl) }

    private var ssl: OpaquePointer? {
        guard let wsi = unsafe wsi else { return nil }
        return unsafe lws_get_ssl(wsi)
    }
}
