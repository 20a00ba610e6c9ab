import BatonSeams

/// Messages in both directions, and the close.
extension OutgoingSocket {
    // MARK: Receiving

    func received(_ bytes: UnsafeRawBufferPointer) {
        guard socket.isOpen, frames.closing == nil else { return }
        heard()
        switch unsafe frames.receive(bytes, toCome: socket.frameBytesToCome, isLast: socket.isLastPiece) {
        case .part: break
        case .whole(let message):
            deliver(socket.isBinaryMessage ? .binary(message) : .text(String(decoding: message, as: UTF8.self)))
        case .tooLong: close(1009, "A message may have at most \(limits.messageBytes) bytes.")
        }
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
            if isPaused, frames.ending == nil { socket.pauseReading() }
        }
    }

    /// Waits for the next message, on behalf of one reader.
    func next() async -> WebSocketMessage? {
        readerNumbers += 1
        let number = readerNumbers
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                if !inbox.isEmpty { return waiting.resume(returning: takeFirst()) }
                if frames.ending != nil || Task.isCancelled { return waiting.resume(returning: nil) }
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
        guard !frames.isClosing, socket.isOpen else {
            throw WebSocketFault(.closed, "The connection to \(url.name) is over.")
        }
        frames.add(payload, isBinary: isBinary)
        socket.askForRoom()
    }

    /// A message is sent whatever its length if no other one waits before it.
    private func mustWait(toSend count: Int) -> Bool {
        !frames.isClosing && frames.unsentBytes > 0 && frames.unsentBytes + count > limits.unsentBytes
    }

    /// Wakes all writers, which check again whether there is room.
    func wakeWriters() {
        let woken = writers
        writers = []
        for writer in woken { writer.resume() }
    }

    /// Sends one frame for each call of libwebsockets. Any result but zero ends the connection.
    func writable() -> Int32 {
        guard socket.isOpen else { return -1 }
        if owesPing {
            owesPing = false
            socket.askForRoom()
            return socket.writePing() ? 0 : -1
        }
        guard let next = frames.takeNext() else { return socket.sendClose(of: frames) }
        let isWritten = socket.write(next)
        wakeWriters()
        if frames.wantsRoom { socket.askForRoom() }
        return isWritten ? 0 : -1
    }

    // MARK: Closing

    func close(_ code: UInt16, _ reason: String) {
        guard socket.isOpen, frames.close(code, reason) else { return }
        // The server's close frame comes after its earlier messages, so those are read and dropped.
        if isPaused {
            isPaused = false
            socket.resumeReading()
        }
        wakeWriters()
        socket.askForRoom()
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
