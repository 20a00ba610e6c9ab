import BatonSeams

/// Receiving from the server with limits, and sending of the body.
extension Transfer {
    enum Taking {
        case taken
        /// The reader is behind; libcurl offers the same bytes again.
        case later
        case tooMuch
    }

    /// The body of a redirect is read and dropped up to this size, so that its connection can be reused.
    private static let mostOfRedirect: Int64 = 64 * 1024

    func took(headerLine: String, bytes: Int) -> Bool {
        let isLast = head.take(headerLine, bytes: bytes)
        guard head.bytes <= call.limits.headBytes else {
            fault = HTTPCallFault(.tooLarge, "The head of the answer of \(url.origin) is larger than \(call.limits.headBytes / 1024) KiB.")
            return false
        }
        guard isLast else { return true }
        isRedirect = head.redirect != nil
        if isRedirect { return true }
        if let most = call.limits.bodyBytes, let length = head.length, length > most, method != .head {
            fault = tooLarge(most)
            return false
        }
        received = 0
        head.isDelivered = true
        exchange.began(Exchange.Head(status: head.status, headers: head.headers, movedTo: movedTo))
        return true
    }

    func took(body piece: UnsafeRawBufferPointer) -> Taking {
        if isRedirect {
            received += Int64(piece.count)
            return received <= Self.mostOfRedirect ? .taken : .tooMuch
        }
        if let most = call.limits.bodyBytes, received + Int64(piece.count) > most {
            fault = tooLarge(most)
            return .tooMuch
        }
        guard unsafe exchange.take(piece) else { return .later }
        received += Int64(piece.count)
        hasNews = true
        return .taken
    }

    /// Wakes the reader once for everything that arrived together.
    func tellOfBytes() {
        guard hasNews else { return }
        hasNews = false
        exchange.tell()
    }

    func give(to room: UnsafeMutableRawBufferPointer) -> OutgoingBody.Taken {
        guard let outgoing else { return .bytes(0) }
        let taken = unsafe outgoing.take(into: room)
        if case .failed(let fault) = taken { self.fault = fault }
        return taken
    }

    private func tooLarge(_ most: Int64) -> HTTPCallFault {
        HTTPCallFault(.tooLarge, "The answer of \(url.origin) is larger than \(most) bytes.")
    }
}
