import BatonSeams
import CWebSockets
import EventLoop

/// Messages in both directions, and the closing.
extension OutgoingSocket {
    // MARK: Receiving

    func received(_ bytes: UnsafeRawBufferPointer) {
        guard let wsi = unsafe socket.wsi, closing == nil else { return }
        heard()
        // A frame says its length first, so that a message that is too long is refused before it has come.
        let announced = unsafe message.count + bytes.count + Int(lws_remaining_packet_payload(wsi))
        guard announced <= limits.messageBytes else {
            return close(1009, "A message may have at most \(limits.messageBytes) bytes.")
        }
        unsafe message.append(contentsOf: bytes)
        guard unsafe lws_is_final_fragment(wsi) != 0 else { return }
        let whole = message
        message = []
        let isBinary = unsafe lws_frame_is_binary(wsi) != 0
        deliver(isBinary ? .binary(whole) : .text(String(decoding: whole, as: UTF8.self)))
    }

    private func deliver(_ message: WebSocketMessage) {
        if let reader {
            self.reader = nil
            return reader.resume(returning: message)
        }
        messages.append(message)
        if messages.count >= limits.messagesHeld, !isPaused {
            isPaused = true
            socket.pauseReading()
        }
    }

    /// The next message; waits for it on behalf of one reader.
    func next() async -> WebSocketMessage? {
        if !messages.isEmpty { return takeFirst() }
        guard ending == nil, !Task.isCancelled else { return nil }
        precondition(reader == nil, "A WebSocket has one reader.")
        return await withTaskCancellationHandler {
            await withCheckedContinuation { reader = $0 }
        } onCancel: {
            loop.post { self.stopReading() }
        }
    }

    private func stopReading() {
        reader?.resume(returning: nil)
        reader = nil
    }

    private func takeFirst() -> WebSocketMessage {
        let first = messages.removeFirst()
        if isPaused, messages.count <= limits.messagesHeld / 2 {
            isPaused = false
            heard()
            socket.resumeReading()
        }
        return first
    }

    func heardClose(_ bytes: UnsafeRawBufferPointer) {
        guard closing == nil else { return }
        let code = unsafe bytes.count >= 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 1005
        closing = WebSocketEnding(code: code, reason: unsafe String(decoding: bytes.dropFirst(2), as: UTF8.self), byPeer: true)
    }

    // MARK: Sending

    func send(_ message: WebSocketMessage) async throws(WebSocketFault) {
        let (payload, isBinary) =
            switch message {
            case .text(let text): (Array(text.utf8), false)
            case .binary(let bytes): (bytes, true)
            }
        while outboxBytes > 0, outboxBytes + payload.count > limits.unsentBytes, ending == nil, closing == nil {
            if Task.isCancelled {
                throw WebSocketFault(.cancelled, "A message to \(url.name) was not sent, because its task was cancelled.")
            }
            await withCheckedContinuation { writers.append($0) }
        }
        guard ending == nil, closing == nil, socket.isOpen else {
            throw WebSocketFault(.closed, "The connection to \(url.name) is over.")
        }
        outbox.append(([UInt8](repeating: 0, count: Frame.headroom) + payload, isBinary))
        outboxBytes += payload.count
        socket.askForRoom()
    }

    /// One frame for each call of libwebsockets. Other than zero ends the connection.
    func writable() -> Int32 {
        guard let wsi = unsafe socket.wsi else { return -1 }
        if owesPing {
            owesPing = false
            socket.askForRoom()
            var ping = [UInt8](repeating: 0, count: Frame.headroom)
            return write(&ping, LWS_WRITE_PING) ? 0 : -1
        }
        if !outbox.isEmpty {
            var first = outbox.removeFirst()
            outboxBytes -= first.bytes.count - Frame.headroom
            let isWritten = write(&first.bytes, first.isBinary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT)
            for writer in writers { writer.resume() }
            writers = []
            if !outbox.isEmpty || closing != nil { socket.askForRoom() }
            return isWritten ? 0 : -1
        }
        guard let closing, !closing.byPeer else { return 0 }
        var reason = Array(closing.reason.utf8.prefix(123))
        while !reason.isEmpty, String(validating: reason, as: UTF8.self) == nil { reason.removeLast() }
        unsafe reason.withUnsafeMutableBufferPointer {
            unsafe lws_close_reason(wsi, lws_close_status(rawValue: UInt32(closing.code)), $0.baseAddress, $0.count)
        }
        return -1
    }

    /// libwebsockets masks the bytes in place, in the room in front of them too.
    private func write(_ bytes: inout [UInt8], _ kind: lws_write_protocol) -> Bool {
        guard let wsi = unsafe socket.wsi else { return false }
        let count = bytes.count - Frame.headroom
        return unsafe bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            let payload = unsafe (start + Frame.headroom).assumingMemoryBound(to: UInt8.self)
            return unsafe lws_write(wsi, payload, count, kind) >= 0
        }
    }

    func close(_ code: UInt16, _ reason: String) {
        guard ending == nil, closing == nil, socket.isOpen else { return }
        closing = WebSocketEnding(code: code, reason: reason, byPeer: false)
        // The server's own close frame is still read, and so is what stands before it.
        if isPaused {
            isPaused = false
            socket.resumeReading()
        }
        socket.askForRoom()
    }
}
