import BatonSeams
import CLinux
import CWebSockets
import Glibc

/// One request and its answer, while they last.
@Loop
final class Exchange {
    let head: RequestHead
    var body: [UInt8] = []
    var task: Task<Void, Never>?
    var output: [UInt8] = []
    var sent = 0
    /// What has to be read and sent after `output`.
    var stream: HTTPStream?
    /// How much of it was read, and since when the peer has taken none.
    var streamed: Int64 = 0
    /// Waits for room in the pipe, or for the peer to go away.
    var watch: (any Watch)?

    init(_ head: RequestHead) { self.head = head }

    func cancel() {
        task?.cancel()
        watch?.cancel()
    }
}

/// Requests and answers. libwebsockets hands over the bytes that come, and `RequestHead` says what they mean. While an
/// answer is made and sent, libwebsockets is told not to read, so that what waits stays with the kernel.
extension Connection {
    /// Bytes as they came, out of TLS where there is any.
    func arrived(_ bytes: UnsafeRawBufferPointer) {
        guard let wsi = unsafe wsi else { return }
        // libwebsockets sets one of its own after the handshake of TLS.
        unsafe lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
        if phase == .asking, unread.isEmpty { expire(noLaterThan: server.limits.request) }
        unsafe unread.append(contentsOf: bytes)
        proceed()
    }

    /// Does what the bytes say, as far as that can be done now. An answer that is there at once ends in here again.
    func proceed() {
        guard !isProceeding else { return }
        isProceeding = true
        while proceedOnce() {}
        isProceeding = false
    }

    /// Whether there may be more to do.
    private func proceedOnce() -> Bool {
        switch phase {
        case .asking: return readHead()
        case .readingBody: return readBody()
        case .discarding: return discard()
        case .answering, .upgrading: return false
        case .open:
            let bytes = unread
            unread = []
            if !bytes.isEmpty { unsafe bytes.withUnsafeBytes { unsafe read($0) } }
            return false
        case .closing, .gone:
            unread = []
            return false
        }
    }

    private func readHead() -> Bool {
        do throws(RequestHead.Fault) {
            guard let end = try RequestHead.end(of: unread, searched: searched) else {
                searched = unread.count
                return false
            }
            searched = 0
            let head = try RequestHead(unread[..<end])
            unread.removeFirst(end)
            server.hasSpoken(self)
            return head.headers["upgrade"] == nil ? requestArrived(head) : upgradeAsked(head)
        } catch {
            // How far this request goes is not known, so nothing behind it is either.
            refuse(.sentence(error.status, error.sentence), body: .max)
            return true
        }
    }

    private func requestArrived(_ head: RequestHead) -> Bool {
        if let refusal = Self.refusal(of: head, server.limits) {
            refuse(refusal, body: Self.bodyLength(head) ?? .max)
            return true
        }
        exchange = Exchange(head)
        phase = .readingBody
        expire(after: server.limits.request)
        return true
    }

    private func readBody() -> Bool {
        guard let exchange, let length = Self.bodyLength(exchange.head) else { return false }
        let count = min(length - exchange.body.count, unread.count)
        exchange.body.append(contentsOf: unread.prefix(count))
        unread.removeFirst(count)
        guard exchange.body.count == length else { return false }
        answer()
        return phase == .asking
    }

    // MARK: Refusing

    /// How many bytes a body will have; `nil` when the header makes no sense.
    private static func bodyLength(_ head: RequestHead) -> Int? {
        guard let text = head.headers["content-length"] else { return head.headers["transfer-encoding"] == nil ? 0 : nil }
        return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    private static func refusal(of head: RequestHead, _ limits: Server.Limits) -> HTTPResponse? {
        if head.method == nil {
            return .sentence(405, "Only GET, HEAD and POST are understood here.", headers: [("allow", "GET, HEAD, POST")])
        }
        if head.headers["transfer-encoding"] != nil || (head.method == .post && head.headers["content-length"] == nil) {
            return .sentence(411, "A request with a body must say its length in Content-Length.")
        }
        guard let length = bodyLength(head) else { return .sentence(400, "Content-Length must be a number.") }
        return length > limits.bodyBytes ? .sentence(413, "A request may have at most \(limits.bodyBytes) bytes of body.") : nil
    }

    /// Answers and ends the connection. Of a body that is on its way a little is read: closing at once
    /// would take the answer away from a peer that is still writing.
    private func refuse(_ response: HTTPResponse, body: Int) {
        sendOff(response)
        toDiscard = body
        phase = .discarding
        // Without a length there may be nothing more to come, and the peer waits for the end.
        expire(after: body == .max ? server.limits.closingTime : server.limits.request)
        if body == .max { endSending() }
    }

    private func discard() -> Bool {
        toDiscard -= min(toDiscard, unread.count)
        let count = unread.count
        unread = []
        if toDiscard == 0 { finish() } else { drain(count) }
        return false
    }

    /// The peer sees the end, and what it still sends is read. TLS would not call that an end.
    private func endSending() {
        if isSecure { finish() } else { shutdown(descriptor, Int32(SHUT_WR)) }
    }

    private func finish() {
        phase = .closing
        if inside > 0 { mustEnd = true } else { kill() }
    }

    /// A small answer in one piece, to a pipe that holds nothing yet.
    private func sendOff(_ response: HTTPResponse) {
        let bytes = ResponseText.bytes(of: response, headOnly: false, keepsAlive: false)
        _ = unsafe bytes.withUnsafeBytes { unsafe put($0) }
    }

    private static let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)

    /// As `send` of the system: how many bytes went, or -1 and `errno`. Around libwebsockets, which
    /// has nothing of its own to say while an answer is made, and through the same TLS.
    private func put(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard isSecure else { return unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Self.flags) }
        guard let wsi = unsafe wsi, let ssl = unsafe lws_get_ssl(wsi) else {
            errno = ENOTCONN
            return -1
        }
        switch unsafe TLS.progress(SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)), of: ssl) {
        case .done(let count): return count
        case .later(isReading: false): errno = EAGAIN
        case .later(isReading: true), .over: errno = ECONNRESET
        }
        return -1
    }

    // MARK: Answering

    private func answer() {
        guard let wsi = unsafe wsi, let exchange else { return }
        phase = .answering
        expire(after: server.limits.answer)
        let request = exchange.head.request(from: peer, body: exchange.body)
        exchange.body = []
        let reception = server.reception
        // What waits in it waits on the loop: without a preference each answer to a wait would go through Swift's own pool.
        exchange.task = Task.immediate(executorPreference: Loop.jobs) { @Loop [weak self] in
            let response = await reception.respond(to: request)
            if !Task.isCancelled { self?.send(response) }
        }
        // Most answers are there already. The others are waited for with one eye on the peer.
        guard phase == .answering, exchange.watch == nil else { return }
        unsafe lws_rx_flow_control(wsi, 0)
        exchange.watch = server.loop.watch(descriptor, mask: EPOLLRDHUP.rawValue) { [weak self] _ in self?.cut() }
    }

    private func send(_ response: HTTPResponse) {
        guard phase == .answering, let exchange else { return }
        exchange.output = ResponseText.bytes(
            of: response, headOnly: exchange.head.method == .head, keepsAlive: exchange.head.keepsAlive)
        if exchange.head.method != .head { exchange.stream = response.stream }
        push()
    }

    /// Writes what the pipe takes, and waits for room when that was not all.
    private func push() {
        guard phase == .answering, let wsi = unsafe wsi, let exchange else { return }
        while exchange.sent < exchange.output.count {
            let count = unsafe exchange.output.withUnsafeBytes { unsafe put(UnsafeRawBufferPointer(rebasing: $0[exchange.sent...])) }
            if count > 0 {
                exchange.sent += count
            } else if errno == EAGAIN {
                unsafe lws_rx_flow_control(wsi, 0)
                exchange.watch?.cancel()
                exchange.watch = server.loop.watch(descriptor, mask: EPOLLOUT.rawValue | EPOLLRDHUP.rawValue) { [weak self] ready in
                    if ready.contains(.broken) { self?.cut() } else { self?.push() }
                }
                return
            } else if errno != EINTR {
                return cut()
            }
        }
        if let stream = exchange.stream, exchange.streamed < stream.length { return fetch(stream, for: exchange) }
        answered(exchange)
    }

    /// The next piece, while the peer has taken the one before: so one piece is all that is ever held.
    private func fetch(_ stream: HTTPStream, for exchange: Exchange) {
        guard let wsi = unsafe wsi else { return }
        unsafe lws_rx_flow_control(wsi, 0)
        exchange.watch?.cancel()
        exchange.watch = server.loop.watch(descriptor, mask: EPOLLRDHUP.rawValue) { [weak self] _ in self?.cut() }
        let at = stream.start + exchange.streamed
        let count = Int(min(Int64(HTTPStream.pieceBytes), stream.length - exchange.streamed))
        // A peer that takes pieces is there; it may take as long for the next.
        expire(after: server.limits.answer)
        exchange.task = Task(executorPreference: stream.blockingPool) { [weak self] in
            let piece = await Self.piece(of: stream, at: at, count)
            if !Task.isCancelled { await self?.take(piece, of: exchange) }
        }
    }

    private nonisolated static func piece(of stream: HTTPStream, at: Int64, _ count: Int) async -> [UInt8]? { stream.read(at, count) }

    private func take(_ piece: [UInt8]?, of exchange: Exchange) {
        guard phase == .answering, self.exchange === exchange, let stream = exchange.stream else { return }
        // It has become shorter than was promised; a peer that counts will notice.
        guard let piece, !piece.isEmpty, piece.count <= stream.length - exchange.streamed else { return cut() }
        exchange.output = piece
        exchange.sent = 0
        exchange.streamed += Int64(piece.count)
        push()
    }

    /// Hands the socket back to libwebsockets, for the next request or for its end.
    private func answered(_ exchange: Exchange) {
        guard let wsi = unsafe wsi else { return }
        exchange.watch?.cancel()
        self.exchange = nil
        phase = .asking
        unsafe lws_rx_flow_control(wsi, 1)
        guard exchange.head.keepsAlive else { return finish() }
        expire(after: server.limits.idle)
        proceed()
    }

    // MARK: Upgrading

    private func upgradeAsked(_ head: RequestHead) -> Bool {
        if let refusal = Self.refusalToUpgrade(head) { return decline(refusal) }
        let request = head.request(from: peer)
        switch server.reception.admit(request) {
        case .accept(let owner):
            agreed(with: owner, request.peer)
            guard sendConsent(to: head) else {
                cut()
                return false
            }
            opened()
            return true
        case .refuse(let response): return decline(response)
        }
    }

    private func decline(_ response: HTTPResponse) -> Bool {
        sendOff(response)
        finish()
        return true
    }

    /// A handshake shows that the server has read the key (RFC 6455, 4.2.2).
    private static let handshake = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// In one piece; a pipe that does not take it is not that of a peer who waits for it.
    private func sendConsent(to head: RequestHead) -> Bool {
        let text = Array(((head.headers["sec-websocket-key"] ?? "") + Self.handshake).utf8)
        var accept = [UInt8](repeating: 0, count: 29)
        guard unsafe baton_ws_accept(text, text.count, &accept) != 0 else { return false }
        let answer = """
            HTTP/1.1 101 Switching Protocols\r
            upgrade: websocket\r
            connection: upgrade\r
            sec-websocket-accept: \(String(decoding: accept.dropLast(), as: UTF8.self))\r
            sec-websocket-protocol: \(Engine.subprotocol)\r
            \r

            """
        let bytes = Array(answer.utf8)
        return unsafe bytes.withUnsafeBytes { unsafe put($0) } == bytes.count
    }

    private static func refusalToUpgrade(_ head: RequestHead) -> HTTPResponse? {
        let words = { (name: String) in
            (head.headers[name] ?? "").split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        }
        if head.headers["upgrade"]?.lowercased() != "websocket" {
            return .sentence(400, "Only an upgrade to WebSocket is understood here.")
        }
        if bodyLength(head) != 0 { return .sentence(400, "An upgrade has no body.") }
        if head.path != Server.path {
            return .sentence(404, "WebSocket is spoken at \(Server.path) only.")
        }
        if head.method != .get || !words("connection").contains(where: { $0.lowercased() == "upgrade" }) {
            return .sentence(400, "An upgrade is a GET request with the header Connection: Upgrade.")
        }
        if head.headers["sec-websocket-version"] != "13" {
            return .sentence(426, "Only version 13 of WebSocket is spoken here.", headers: [("sec-websocket-version", "13")])
        }
        if head.headers["sec-websocket-key"]?.utf8.count != 24 {
            return .sentence(400, "Sec-WebSocket-Key must be sixteen bytes in base64.")
        }
        if !words("sec-websocket-protocol").contains(Engine.subprotocol) {
            return .sentence(400, "The subprotocol \(Engine.subprotocol) must be offered in Sec-WebSocket-Protocol.")
        }
        return nil
    }
}
