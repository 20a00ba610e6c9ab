import BatonSeams
import CLinux
import EventLoop
import Glibc

/// HTTP requests. libwebsockets delivers the bytes, and `RequestHead` parses them. While an answer is created and sent, libwebsockets does
/// not read, so later requests stay in the kernel.
extension Connection {
    /// Takes received bytes, decrypted if there is TLS.
    func arrived(_ received: UnsafeRawBufferPointer) {
        socket.cancelTimeout()
        if phase == .asking, bytes.isEmpty { expire(noLaterThan: server.limits.request) }
        unsafe bytes.append(received)
        proceed()
    }

    /// Processes the received bytes as far as possible now. An answer that is ready at once calls this again.
    func proceed() {
        guard bytes.beginUse() else { return }
        while proceedOnce() {}
        bytes.endUse()
    }

    /// One step; returns whether there may be more to do.
    private func proceedOnce() -> Bool {
        switch phase {
        case .asking: return readHead()
        case .readingBody: return readBody()
        case .passingOn:
            takeUnread()
            return false
        case .discarding: return discard()
        case .answering, .upgrading: return false
        case .open:
            let early = bytes.takeAll()
            if !early.isEmpty { unsafe early.withUnsafeBytes { unsafe read($0) } }
            return false
        case .closing, .gone:
            bytes.dropAll()
            return false
        }
    }

    private func readHead() -> Bool {
        do throws(RequestHead.Fault) {
            guard let end = try bytes.headLength() else { return false }
            var head = try RequestHead(bytes.unread[..<end], keeping: server.reception.headers)
            try head.hear(server.proxies, before: peer)
            bytes.drop(end)
            server.hasSpoken(self)
            return head.headers["upgrade"] == nil ? requestArrived(head) : upgradeAsked(head)
        } catch {
            // The end of this request is unknown, and so is everything behind it.
            refuse(.sentence(error.status, error.sentence), body: .max)
            return true
        }
    }

    private func requestArrived(_ head: RequestHead) -> Bool {
        let opening = server.reception.opening(of: head.request(from: peer, at: listener), head.method)
        let length = Self.bodyLength(head)
        if let refusal = refusal(of: head, opening) {
            refuse(refusal, body: length ?? .max)
            return true
        }
        let exchange = Exchange(head)
        self.exchange = exchange
        if case .stream(let most) = opening {
            passOn(exchange, length: length, most: most)
            return true
        }
        phase = .readingBody
        if exchange.owesContinue, bytes.isEmpty, length != 0 { sendContinue() }
        expire(after: server.limits.request)
        return true
    }

    private func readBody() -> Bool {
        guard let exchange, let length = Self.bodyLength(exchange.head) else { return false }
        bytes.move(atMost: length - exchange.body.count, to: &exchange.body)
        guard exchange.body.count == length else { return false }
        answer()
        return phase == .asking
    }

    // MARK: Refusing

    /// The length of a body in bytes; `nil` if the header is invalid.
    static func bodyLength(_ head: RequestHead) -> Int? {
        guard let text = head.headers["content-length"] else { return head.headers["transfer-encoding"] == nil ? 0 : nil }
        return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    private func refusal(of head: RequestHead, _ opening: RequestOpening) -> HTTPResponse? {
        let most: Int64
        switch opening {
        case .refuse(let response): return response
        case .body(let limit): most = Int64(limit ?? server.limits.bodyBytes)
        case .stream(let limit): most = limit
        }
        if let coding = head.headers["transfer-encoding"] {
            if let refusal = refusal(of: coding, head) { return refusal }
            if case .stream = opening { return nil }
        }
        if head.headers["transfer-encoding"] != nil || (Self.haveBodies.contains(head.method) && head.headers["content-length"] == nil) {
            return .sentence(411, "A request with a body must say its length in Content-Length.")
        }
        guard let length = Self.bodyLength(head) else { return .sentence(400, "Content-Length must be a number.") }
        return Int64(length) > most ? .bodyTooLong(most) : nil
    }

    /// Refuses a length beside chunks, or a second coding: two programs might disagree on the end of the request.
    private func refusal(of coding: String, _ head: RequestHead) -> HTTPResponse? {
        guard coding.lowercased() != "chunked" || !head.isNew || head.headers["content-length"] != nil else { return nil }
        return .sentence(400, "A body without a length comes in chunks and nothing else, and without Content-Length beside them.")
    }

    private static let haveBodies: Set<HTTPRequest.Method?> = [.post, .put, .patch]

    /// Answers and ends the connection. A small part of an incoming body is read first: closing at once would lose the answer of a peer
    /// that is still writing.
    func refuse(_ response: HTTPResponse, body: Int) {
        sendOff(response)
        bytes.beginDiscarding(body)
        phase = .discarding
        // Without a length, nothing more may follow, and the peer waits for the end.
        expire(after: body == .max ? server.limits.closingTime : server.limits.request)
        if body == .max { endSending() }
    }

    private func discard() -> Bool {
        let count = bytes.discard()
        if bytes.isDiscarded { finish() } else { dropRest(count) }
        return false
    }

    /// Signals the end to the peer, and reads its remaining bytes. TLS has no such half-closed state.
    private func endSending() {
        if socket.isSecure { finish() } else { shutdown(socket.descriptor, Int32(SHUT_WR)) }
    }

    func finish() {
        phase = .closing
        socket.finish()
    }

    /// Sends a small answer in one piece, to an empty pipe.
    func sendOff(_ response: HTTPResponse) {
        let bytes = ResponseText.bytes(of: response, headOnly: false, keepsAlive: false)
        _ = unsafe bytes.withUnsafeBytes { unsafe socket.send($0) }
    }
}
