import BatonCore
import BatonSeams
import CLinux
import CWebSockets
import EventLoop
import Glibc

/// A connection of `PlainCall`: a descriptor, with TLS if the hub requires it.
///
/// Owns both, from `init` to `close`. The verification of libwebsockets' own context would look for a socket of libwebsockets, so it is off
/// here; `PlainCall` compares the key with the endpoint's pin.
@Loop
@safe
final class Pipe {
    private let descriptor: Int32
    private let ssl: OpaquePointer?

    enum Step {
        case moved(Int)
        case wait(UInt32)
        /// Closed by the other side; with `errno` if there is one.
        case over(Int32)
    }

    init(_ descriptor: Int32, tls context: OpaquePointer?, host: String) {
        self.descriptor = descriptor
        if let context = unsafe context {
            unsafe ssl = SSL_new(context)
            unsafe SSL_set_verify(ssl, SSL_VERIFY_NONE, nil)
            unsafe SSL_set_fd(ssl, descriptor)
            unsafe baton_ssl_say_host(ssl, host)
        } else {
            unsafe ssl = nil
        }
    }

    func close() {
        if let ssl = unsafe ssl {
            unsafe SSL_shutdown(ssl)
            unsafe SSL_free(ssl)
            ERR_clear_error()
        }
        Glibc.close(descriptor)
    }

    /// One step of the handshake; `moved` when it is done.
    func shakeHands() -> Step {
        guard let ssl = unsafe ssl else { return .moved(0) }
        return unsafe step(SSL_connect(ssl), ssl)
    }

    var keyHash: [UInt8]? { unsafe TLS.peerKeyHash(of: ssl) }

    func send(_ bytes: ArraySlice<UInt8>) -> Step {
        unsafe bytes.withUnsafeBytes { bytes in
            if let ssl = unsafe ssl { return unsafe step(SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)), ssl) }
            return unsafe step(Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)), orWait: EPOLLOUT.rawValue)
        }
    }

    func receive(_ room: inout [UInt8]) -> Step {
        unsafe room.withUnsafeMutableBytes { room in
            if let ssl = unsafe ssl { return unsafe step(SSL_read(ssl, room.baseAddress, Int32(clamping: room.count)), ssl) }
            return unsafe step(recv(descriptor, room.baseAddress, room.count, 0), orWait: EPOLLIN.rawValue)
        }
    }

    func ready(on loop: EventLoop, _ mask: UInt32, until deadlineUs: Microseconds) async -> Bool {
        await loop.ready(descriptor, mask, until: deadlineUs)
    }

    private func step(_ result: Int32, _ ssl: OpaquePointer) -> Step {
        switch unsafe TLS.progress(result, of: ssl) {
        case .done(let count): .moved(count)
        case .later(let isReading): .wait(isReading ? EPOLLIN.rawValue : EPOLLOUT.rawValue)
        case .over: .over(0)
        }
    }

    private func step(_ result: Int, orWait mask: UInt32) -> Step {
        if result > 0 { return .moved(result) }
        if result == 0 { return .over(0) }
        return errno == EAGAIN || errno == EINTR ? .wait(mask) : .over(errno)
    }
}
