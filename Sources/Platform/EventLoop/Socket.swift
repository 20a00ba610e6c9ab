import BatonSeams
import CWebSockets

/// One thing that libwebsockets calls back about: a connection, our own client, the descriptors of
/// others. Its address travels as the socket's opaque pointer.
///
/// Thread: libwebsockets calls on the loop thread only. Lifetime: whoever makes a `Socket` keeps it
/// until `destroyed`, which comes exactly once; borrowed bytes live as long as the call. Nobody is
/// pulled away from under a caller: an end is asked for, and happens when the socket's own callback
/// returns or on the loop's next round.
@Loop
@safe
class Socket {
    final var wsi: OpaquePointer?
    /// How deep the loop stands in callbacks of this very socket.
    final var inside = 0
    /// Set to end the connection when the callback that runs now returns.
    final var mustEnd = false

    init() {}

    /// Answers a callback. Other than zero ends the connection.
    func called(for reason: lws_callback_reasons, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int32 { 0 }

    /// libwebsockets has forgotten this socket.
    func destroyed() {}

    /// A few words for the watchdog.
    var label: String { "a socket" }

    final var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// Ends the connection without a farewell, on the loop's next round. libwebsockets' own way of
    /// doing this later waits for the loop to be idle, which a busy hub is not.
    final func kill() { EventLoop.current?.scheduleEnd(self) }

    /// The end itself; for the loop, outside of this socket's callbacks.
    final func endNow() {
        guard let wsi = unsafe wsi else { return }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC)
    }
}
