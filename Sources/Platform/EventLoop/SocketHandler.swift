package import BatonSeams
import CWebSockets

/// The owner of a `Socket`: hears of everything that happens to it.
@Loop
package protocol SocketHandler: AnyObject {
    /// Answers an event. Any number but zero ends the connection.
    func handle(_ event: SocketEvent, _ bytes: UnsafeMutableRawBufferPointer) -> Int32

    /// libwebsockets has forgotten the socket; nothing comes any more.
    func socketForgotten()

    /// Bytes wait to be read, where a `ReadSignal` watches for them.
    func bytesWait()

    /// A few words for the log, when a callback took too long.
    var label: String { get }
}

extension SocketHandler {
    package func bytesWait() {}
}

/// The callbacks of libwebsockets that have an answer here.
package enum SocketEvent: Sendable {
    // Of connections that we accepted.
    case received, writable, closed
    // Of our own connections to others.
    case handshake, status, agreement, established, message, pong, failed, peerCloses
    // Of the nested epoll.
    case fileReady
    /// The last one of each socket.
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
