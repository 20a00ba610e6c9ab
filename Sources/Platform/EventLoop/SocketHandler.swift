package import BatonSeams
import CWebSockets

/// The owner of a `Socket`, which receives all of its events.
@Loop
package protocol SocketHandler: AnyObject {
    /// Handles an event. Any result but zero ends the connection.
    func handle(_ event: SocketEvent, _ bytes: UnsafeMutableRawBufferPointer) -> Int32

    /// Called when libwebsockets has dropped the socket; no event follows.
    func socketForgotten()

    /// Called when bytes wait to be read, if a `ReadSignal` watches for them.
    func bytesWait()

    /// A short name for log messages about slow callbacks.
    var label: String { get }
}

extension SocketHandler {
    package func bytesWait() {}
}

/// The callbacks of libwebsockets that are handled here.
package enum SocketEvent: Sendable {
    // Connections that we accepted.
    case received, writable, closed
    // Connections that we opened.
    case handshake, status, agreement, established, message, pong, failed, peerCloses
    // The nested epoll.
    case fileReady
    /// The last event of each socket.
    case forgotten

    init?(_ reason: lws_callback_reasons) {
        switch reason {
        case LWS_CALLBACK_RAW_RX: self = .received
        case LWS_CALLBACK_RAW_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE: self = .writable
        case LWS_CALLBACK_RAW_CLOSE, LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLIENT_CLOSED: self = .closed
        case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: self = .handshake
        case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP: self = .status
        case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH: self = .agreement
        case LWS_CALLBACK_CLIENT_ESTABLISHED: self = .established
        case LWS_CALLBACK_CLIENT_RECEIVE: self = .message
        case LWS_CALLBACK_CLIENT_RECEIVE_PONG: self = .pong
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: self = .failed
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: self = .peerCloses
        case LWS_CALLBACK_RAW_RX_FILE: self = .fileReady
        case LWS_CALLBACK_WSI_DESTROY: self = .forgotten
        default: return nil
        }
    }
}
