import BatonSeams
import CWebSockets
import Glibc

/// Looks at a WebSocket's bytes before libwebsockets reads them, for two things that it does not
/// tell: that a client sends unmasked frames, which it accepts, and that a frame has begun, of which
/// it says nothing before the frame ends or its buffer is full.
///
/// A libev watcher of the highest priority on the descriptor that is watched already, so it costs no
/// system call. It reads ahead once, at the first frame, where a header is sure to stand; later on
/// only libwebsockets knows where one begins. Ended before the descriptor is closed.
@Loop
@safe
final class Sentry {
    private unowned let connection: Connection
    private let watcher = UnsafeMutablePointer<ev_io>.allocate(capacity: 1)
    private let events: OpaquePointer
    private var hasLooked = false

    init(_ connection: Connection) {
        self.connection = connection
        unsafe events = connection.server.loop.engine.events
        unsafe watcher.initialize(to: ev_io())
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe baton_ev_watch_first(events, watcher, connection.descriptor, bytesWait, me)
    }

    func stop() {
        unsafe ev_io_stop(events, watcher)
    }

    isolated deinit { unsafe watcher.deallocate() }

    fileprivate func look() {
        connection.bytesCame()
        guard !hasLooked else { return }
        hasLooked = true
        var head: (UInt8, UInt8) = (0, 0)
        let count = connection.peek(&head)
        if count == 2, head.1 & 0x80 == 0 { connection.close(1002, "Client frames must be masked.") }
    }
}

private func bytesWait(_ events: OpaquePointer?, _ watcher: UnsafeMutablePointer<ev_io>?, _ what: Int32) {
    guard let me = unsafe watcher?.pointee.data else { return }
    let sentry = unsafe Unmanaged<Sentry>.fromOpaque(me).takeUnretainedValue()
    Loop.assumeIsolated { sentry.look() }
}
