import BatonSeams
import CWebSockets

/// The address and the request of a WebSocket that this program opens.
package struct WebSocketCall {
    /// The side that answers, which decides on the certificate.
    package enum Peer {
        /// A hub, whose key the caller compares itself: any certificate will do.
        case hub(isSecure: Bool)
        /// Another server. A redirect would bypass the address policy and send the headers to another server, so none is followed.
        case server(isSecure: Bool)
    }

    let peer: Peer
    let address: String
    let port: UInt16
    let host: String
    let path: String
    let subprotocols: String

    /// `address` is a numeric address, a name that a proxy looks up, or `+` and the path of a socket file.
    package init(_ peer: Peer, address: String, port: UInt16, host: String, path: String, subprotocols: String) {
        self.peer = peer
        self.address = address
        self.port = port
        self.host = host
        self.path = path
        self.subprotocols = subprotocols
    }

    fileprivate var flags: UInt32 {
        switch peer {
        case .hub(isSecure: false): 0
        case .hub(isSecure: true):
            LCCSCF_USE_SSL.rawValue | LCCSCF_ALLOW_SELFSIGNED.rawValue | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue
                | LCCSCF_ALLOW_EXPIRED.rawValue | LCCSCF_ALLOW_INSECURE.rawValue
        case .server(isSecure: false): LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue
        case .server(isSecure: true): LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue | LCCSCF_USE_SSL.rawValue
        }
    }
}

/// A WebSocket that this program has opened, as libwebsockets sees it.
extension Socket {
    /// Begins a connection through a virtual host. libwebsockets may report a failure before this returns; the handler stores the result in
    /// `wsi` unless it did.
    package func connect(_ call: WebSocketCall, through vhost: OpaquePointer, on loop: EventLoop) -> OpaquePointer? {
        return unsafe call.address.withCString { address in
            unsafe call.host.withCString { host in
                unsafe call.path.withCString { path in
                    unsafe call.subprotocols.withCString { offered in
                        unsafe Engine.clientTable.withCString { table in
                            // libwebsockets copies all of these before it returns.
                            var info = unsafe lws_client_connect_info()
                            unsafe info.context = loop.engine.context
                            unsafe info.vhost = vhost
                            unsafe info.address = address
                            unsafe info.port = Int32(call.port)
                            unsafe info.host = host
                            unsafe info.path = path
                            if !call.subprotocols.isEmpty { unsafe info.protocol = offered }
                            unsafe info.local_protocol_name = table
                            unsafe info.ietf_version_or_minus_one = -1
                            unsafe info.opaque_user_data = opaque
                            unsafe info.ssl_connection = Int32(call.flags)
                            return unsafe lws_client_connect_via_info(&info)
                        }
                    }
                }
            }
        }
    }

    /// The status of the answer to the request, once there is one.
    package var httpStatus: Int? {
        guard let wsi = unsafe wsi else { return nil }
        return Int(unsafe lws_http_client_http_response(wsi))
    }

    /// Bytes that are still to come of the frame from which a piece was just read.
    package var frameBytesToCome: Int {
        guard let wsi = unsafe wsi else { return 0 }
        return Int(unsafe lws_remaining_packet_payload(wsi))
    }

    /// True if the piece that was just read is the last of its message.
    package var isLastPiece: Bool {
        guard let wsi = unsafe wsi else { return false }
        return unsafe lws_is_final_fragment(wsi) != 0
    }

    package var isBinaryMessage: Bool {
        guard let wsi = unsafe wsi else { return false }
        return unsafe lws_frame_is_binary(wsi) != 0
    }

    /// Sends one message; false if the connection is broken.
    package func write(_ message: consuming WebSocketFrames.Outgoing) -> Bool {
        write(&message.bytes, as: message.isBinary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT)
    }

    package func writePing() -> Bool {
        var ping = [UInt8](repeating: 0, count: Frame.headroom)
        return write(&ping, as: LWS_WRITE_PING)
    }

    /// Writes the payload behind `Frame.headroom` bytes.
    private func write(_ bytes: inout [UInt8], as kind: lws_write_protocol) -> Bool {
        guard let wsi = unsafe wsi else { return false }
        let count = bytes.count - Frame.headroom
        return unsafe bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            let payload = unsafe (start + Frame.headroom).assumingMemoryBound(to: UInt8.self)
            return unsafe lws_write(wsi, payload, count, kind) >= 0
        }
    }

    /// Sends the close frame that `frames` owe, if any. The result is that of the callback in which it is called: any but zero ends the
    /// connection.
    package func sendClose(of frames: WebSocketFrames) -> Int32 {
        guard let wsi = unsafe wsi, let (code, reason) = frames.owedClose else { return 0 }
        var bytes = reason
        unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe lws_close_reason(wsi, lws_close_status(rawValue: UInt32(code)), $0.baseAddress, $0.count)
        }
        return -1
    }
}
