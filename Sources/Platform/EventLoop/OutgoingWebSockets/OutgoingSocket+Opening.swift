import BatonSeams
import CWebSockets

/// The WebSocket request and the server's answer.
extension OutgoingSocket {
    func start() {
        guard let vhost = unsafe loop.outgoingVhost(destination.tls, proxy: destination.proxy) else {
            return giveUp(.failed, "cannot be called: libwebsockets is not ready")
        }
        let call = WebSocketCall(
            .server(isSecure: destination.tls != nil), address: destination.host, port: url.port, host: url.name,
            path: url.target, subprotocols: subprotocols.joined(separator: ", "))
        if let made = unsafe socket.connect(call, through: vhost, on: loop) {
            if frames.ending == nil { unsafe socket.wsi = made }
        } else {
            // libwebsockets may or may not have called `failed` before it returns nil.
            giveUp(.refused, "could not be reached")
            socketForgotten()
        }
    }

    /// libwebsockets passes a pointer into its own buffer, which has to be advanced, and the size of the room behind it.
    func addHeaders(_ place: UnsafeMutableRawBufferPointer) -> Int32 {
        guard let pointer = place.baseAddress, !headers.isEmpty else { return 0 }
        guard headers.count <= place.count else { return -1 }
        let next = unsafe pointer.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>.self)
        unsafe next.pointee.update(from: headers, count: headers.count)
        unsafe next.pointee += headers.count
        return 0
    }

    /// libwebsockets drops any status but 101 later.
    func readStatus() {
        if let answered = socket.httpStatus { status = answered }
    }

    /// This callback is the last one in which the answer's headers can be read. Any result but zero ends the connection.
    func readSubprotocol() -> Int32 {
        guard let wsi = unsafe socket.wsi else { return -1 }
        var room = [CChar](repeating: 0, count: 256)
        let count = unsafe lws_hdr_copy(wsi, &room, Int32(room.count), WSI_TOKEN_PROTOCOL)
        chosen = count > 0 ? String(decoding: room.prefix(Int(count)).map(UInt8.init), as: UTF8.self) : nil
        guard subprotocols.isEmpty || chosen.map(subprotocols.contains) == true else {
            giveUp(.failed, "speaks none of the subprotocols \(subprotocols.joined(separator: ", "))")
            return -1
        }
        return 0
    }

    /// `words` are those of libwebsockets. They do not include certificate errors, so OpenSSL is asked for those.
    func failed(_ words: String) {
        let fault =
            if let status, status > 0, status != 101 {
                WebSocketFault(.rejected(status: status), "\(url.name) refused the WebSocket with HTTP status \(status).")
            } else if let certificate = socket.certificateFault {
                WebSocketFault(.certificate, "The certificate of \(url.name) cannot be trusted: \(certificate).")
            } else if socket.isOpen, words.hasPrefix("connect S") {
                WebSocketFault(.failed, "\(url.name) does not speak TLS 1.2 or later.")
            } else if words == "Unable to connect" {
                WebSocketFault(.refused, "\(url.name) could not be reached.")
            } else {
                WebSocketFault(.failed, "\(url.name) did not open a WebSocket: \(words.filter { !$0.isNewline && $0 != "\0" }).")
            }
        settle(.failure(fault))
    }
}
