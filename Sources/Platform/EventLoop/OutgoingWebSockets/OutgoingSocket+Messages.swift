import BatonSeams
import CWebSockets

/// Messages in both directions, and the close.
extension OutgoingSocket {
    // MARK: Receiving

    func received(_ bytes: UnsafeRawBufferPointer) {
        guard let wsi = unsafe socket.wsi, closing == nil else { return }
        heard()
        // A frame begins with its length, so a message that is too long is refused before all of it has arrived.
        let announced = unsafe message.count + bytes.count + Int(lws_remaining_packet_payload(wsi))
        guard announced <= limits.messageBytes else {
            message = []
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
            return reader.waiting.resume(returning: message)
        }
        inbox.append(message)
        inboxBytes += message.bytes
        guard !isPaused, inbox.count >= limits.messagesHeld || inboxBytes >= limits.messageBytes else { return }
        isPaused = true
        // On the next turn, because inside of this callback libwebsockets would have to store the rest of the piece that it has read.
        loop.post { [self] in
            if isPaused, ending == nil { socket.pauseReading() }
        }
    }

    /// Waits for the next message, on behalf of one reader.
    func next() async -> WebSocketMessage? {
        readerNumbers += 1
        let number = readerNumbers
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                if !inbox.isEmpty { return waiting.resume(returning: takeFirst()) }
                if ending != nil || Task.isCancelled { return waiting.resume(returning: nil) }
                precondition(reader == nil, "A WebSocket has one reader.")
                reader = (number, waiting)
            }
        } onCancel: {
            loop.post { self.stopReading(number) }
        }
    }

    /// Does nothing if this call of `next` already has its answer.
    private func stopReading(_ number: Int) {
        guard let reader, reader.number == number else { return }
        self.reader = nil
        reader.waiting.resume(returning: nil)
    }

    private func takeFirst() -> WebSocketMessage {
        let first = inbox.removeFirst()
        inboxBytes -= first.bytes
        if isPaused, inbox.count <= limits.messagesHeld / 2, inboxBytes <= limits.messageBytes / 2 {
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
        while mustWait(toSend: payload.count) {
            if Task.isCancelled {
                throw WebSocketFault(.cancelled, "A message to \(url.name) was not sent, because its task was cancelled.")
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    if mustWait(toSend: payload.count), !Task.isCancelled { writers.append(waiting) } else { waiting.resume() }
                }
            } onCancel: {
                loop.post { self.wakeWriters() }
            }
        }
        guard ending == nil, closing == nil, socket.isOpen else {
            throw WebSocketFault(.closed, "The connection to \(url.name) is over.")
        }
        outbox.append(([UInt8](repeating: 0, count: Frame.headroom) + payload, isBinary))
        outboxBytes += payload.count
        socket.askForRoom()
    }

    /// A message is sent whatever its length if no other one waits before it.
    private func mustWait(toSend count: Int) -> Bool {
        ending == nil && closing == nil && outboxBytes > 0 && outboxBytes + count > limits.unsentBytes
    }

    /// Wakes all writers, which check again whether there is room.
    func wakeWriters() {
        let woken = writers
        writers = []
        for writer in woken { writer.resume() }
    }

    /// Sends one frame for each call of libwebsockets. Any result but zero ends the connection.
    func writable() -> Int32 {
        guard unsafe socket.wsi != nil else { return -1 }
        if owesPing {
            owesPing = false
            socket.askForRoom()
            var ping = [UInt8](repeating: 0, count: Frame.headroom)
            return write(&ping, LWS_WRITE_PING) ? 0 : -1
        }
        guard !outbox.isEmpty else { return sendClose() }
        var first = outbox.removeFirst()
        outboxBytes -= first.bytes.count - Frame.headroom
        let isWritten = write(&first.bytes, first.isBinary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT)
        wakeWriters()
        if !outbox.isEmpty || closing != nil { socket.askForRoom() }
        return isWritten ? 0 : -1
    }

    /// libwebsockets masks the bytes in place, including those in front of the payload.
    private func write(_ bytes: inout [UInt8], _ kind: lws_write_protocol) -> Bool {
        guard let wsi = unsafe socket.wsi else { return false }
        let count = bytes.count - Frame.headroom
        return unsafe bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            let payload = unsafe (start + Frame.headroom).assumingMemoryBound(to: UInt8.self)
            return unsafe lws_write(wsi, payload, count, kind) >= 0
        }
    }

    // MARK: Closing

    func close(_ code: UInt16, _ reason: String) {
        guard ending == nil, closing == nil, socket.isOpen else { return }
        closing = WebSocketEnding(code: code, reason: reason, byPeer: false)
        // The server's close frame comes after its earlier messages, so those are read and dropped.
        if isPaused {
            isPaused = false
            socket.resumeReading()
        }
        wakeWriters()
        socket.askForRoom()
    }

    /// Makes libwebsockets send the close frame, if this side closes.
    private func sendClose() -> Int32 {
        guard let wsi = unsafe socket.wsi, let closing, !closing.byPeer else { return 0 }
        var reason = Array(closing.reason.utf8.prefix(123))
        while !reason.isEmpty, String(validating: reason, as: UTF8.self) == nil { reason.removeLast() }
        unsafe reason.withUnsafeMutableBufferPointer {
            unsafe lws_close_reason(wsi, lws_close_status(rawValue: UInt32(closing.code)), $0.baseAddress, $0.count)
        }
        return -1
    }
}

extension WebSocketMessage {
    fileprivate var bytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}
