package import BatonSeams
import CWebSockets
import Glibc

/// Tells the owner of one accepted connection that bytes wait to be read.
///
/// libwebsockets is told not to read from a connection that has become a WebSocket, and so removes its own watcher; this libev watcher on
/// the same loop replaces it. It is stopped before the descriptor is closed.
@Loop
@safe
package final class ReadSignal {
    private unowned let handler: any SocketHandler
    private unowned let loop: EventLoop
    private let watcher = UnsafeMutablePointer<ev_io>.allocate(capacity: 1)
    package private(set) var isPaused = false

    package init(_ socket: Socket, of handler: any SocketHandler, on loop: EventLoop) {
        self.handler = handler
        self.loop = loop
        unsafe watcher.initialize(to: ev_io())
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe baton_ev_watch(loop.engine.events, watcher, socket.descriptor, bytesWait, me)
    }

    /// Stops reading. Bytes stay in the kernel, which soon stops the sender.
    package func pause() {
        guard !isPaused else { return }
        isPaused = true
        unsafe ev_io_stop(loop.engine.events, watcher)
    }

    /// Reads again, starting with bytes that TLS may have decrypted before the pause.
    package func resume() {
        guard isPaused else { return }
        isPaused = false
        unsafe ev_io_start(loop.engine.events, watcher)
        tell()
    }

    package func stop() {
        isPaused = false
        unsafe ev_io_stop(loop.engine.events, watcher)
    }

    isolated deinit { unsafe watcher.deallocate() }

    fileprivate func tell() {
        let handler = handler
        loop.watched(handler) { handler.bytesWait() }
    }
}

private func bytesWait(events: OpaquePointer?, watcher: UnsafeMutablePointer<ev_io>?, what: Int32) {
    guard let me = unsafe watcher?.pointee.data else { return }
    let signal = unsafe Unmanaged<ReadSignal>.fromOpaque(me).takeUnretainedValue()
    Loop.assumeIsolated { signal.tell() }
}
