import BatonSeams
import CWebSockets
import Glibc

/// Tells one WebSocket that bytes wait to be read.
///
/// libwebsockets is told not to read from a connection that has become a WebSocket, and so takes
/// its own watcher away; this one, a libev watcher of the same loop, stands in its place. Stopped
/// before the descriptor is closed.
@Loop
@safe
final class ReadSignal {
    private unowned let connection: Connection
    private let watcher = UnsafeMutablePointer<ev_io>.allocate(capacity: 1)
    private let events: OpaquePointer
    private(set) var isPaused = false

    init(_ connection: Connection) {
        self.connection = connection
        unsafe events = connection.server.loop.engine.events
        unsafe watcher.initialize(to: ev_io())
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe baton_ev_watch(events, watcher, connection.descriptor, bytesWait, me)
    }

    /// Leaves what comes in the kernel, where it soon holds up its sender.
    func pause() {
        guard !isPaused else { return }
        isPaused = true
        unsafe ev_io_stop(events, watcher)
    }

    /// Reads again, beginning with what TLS may have decrypted before the pause.
    func goOn() {
        guard isPaused else { return }
        isPaused = false
        unsafe ev_io_start(events, watcher)
        take()
    }

    func stop() {
        isPaused = false
        unsafe ev_io_stop(events, watcher)
    }

    isolated deinit { unsafe watcher.deallocate() }

    fileprivate func take() {
        let connection = connection
        connection.server.loop.watched(connection) { connection.takeIn() }
    }
}

private func bytesWait(_ events: OpaquePointer?, _ watcher: UnsafeMutablePointer<ev_io>?, _ what: Int32) {
    guard let me = unsafe watcher?.pointee.data else { return }
    let intake = unsafe Unmanaged<ReadSignal>.fromOpaque(me).takeUnretainedValue()
    Loop.assumeIsolated { intake.take() }
}
