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

/// Requests and answers. While an answer is made and sent, libwebsockets is told not to read: in
/// that state it leaves input where it is and would be called for it without end. So the answer is
/// written here, on the same descriptor, and the socket handed back when it is out.
extension Connection {
    func requestArrived() -> Int32 {
        guard let wsi = unsafe wsi else { return -1 }
        server.hasSpoken(self)
        unsafe lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
        let head = unsafe RequestHead(of: wsi)
        if let refusal = Self.refusal(of: head, server.limits) { return refuse(refusal, expectingBody: Self.bodyLength(head) != 0) }
        exchange = Exchange(head)
        if head.method == .post || Self.bodyLength(head) != 0 {
            stage = .readingBody
            expire(after: server.limits.request)
            return 0
        }
        answer()
        return 0
    }

    func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        if stage == .discarding { drain(bytes.count) }
        guard stage == .readingBody, let exchange else { return 0 }
        unsafe exchange.body.append(contentsOf: bytes)
        return exchange.body.count > server.limits.bodyBytes ? -1 : 0
    }

    func bodyEnded() -> Int32 {
        if stage == .discarding { return -1 }
        // libwebsockets says so again when more input follows.
        guard stage == .readingBody else { return 0 }
        answer()
        return 0
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
    private func refuse(_ response: HTTPResponse, expectingBody: Bool) -> Int32 {
        sendOff(response)
        guard expectingBody else { return -1 }
        stage = .discarding
        expire(after: server.limits.request)
        return 0
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
        stage = .answering
        expire(after: server.limits.answer)
        let request = exchange.head.request(from: peer, body: exchange.body)
        exchange.body = []
        let reception = server.reception
        exchange.task = Task.immediate { @Loop [weak self] in
            let response = await reception.respond(to: request)
            if !Task.isCancelled { self?.send(response) }
        }
        // Most answers are there already. The others are waited for with one eye on the peer.
        guard stage == .answering, exchange.watch == nil else { return }
        unsafe lws_rx_flow_control(wsi, 0)
        exchange.watch = server.loop.watch(descriptor, mask: EPOLLRDHUP.rawValue) { [weak self] _ in self?.cut() }
    }

    private func send(_ response: HTTPResponse) {
        guard stage == .answering, let exchange else { return }
        exchange.output = ResponseText.bytes(
            of: response, headOnly: exchange.head.method == .head, keepsAlive: exchange.head.keepsAlive)
        if exchange.head.method != .head { exchange.stream = response.stream }
        push()
    }

    /// Writes what the pipe takes, and waits for room when that was not all.
    private func push() {
        guard stage == .answering, let wsi = unsafe wsi, let exchange else { return }
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
        exchange.task = Task(executorPreference: stream.workshop) { [weak self] in
            let piece = await Self.piece(of: stream, at: at, count)
            if !Task.isCancelled { await self?.take(piece, of: exchange) }
        }
    }

    private nonisolated static func piece(of stream: HTTPStream, at: Int64, _ count: Int) async -> [UInt8]? { stream.read(at, count) }

    private func take(_ piece: [UInt8]?, of exchange: Exchange) {
        guard stage == .answering, self.exchange === exchange, let stream = exchange.stream else { return }
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
        stage = .asking
        unsafe lws_rx_flow_control(wsi, 1)
        let isOver = unsafe lws_http_transaction_completed(wsi) != 0 || !exchange.head.keepsAlive
        if !isOver {
            unsafe lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
            expire(after: server.limits.idle)
        } else if inside > 0 {
            mustEnd = true
        } else {
            kill()
        }
    }

    // MARK: Upgrading

    func upgradeAsked() -> Int32 {
        server.hasSpoken(self)
        // After an unknown upgrade libwebsockets has refused already, and asks all the same.
        guard let wsi = unsafe wsi, unsafe lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) > 0 else { return -1 }
        let head = unsafe RequestHead(of: wsi)
        if let refusal = Self.refusalToUpgrade(head) { return decline(refusal) }
        let request = head.request(from: peer)
        switch server.reception.admit(request) {
        case .accept(let owner):
            agreed(with: owner, request.peer)
            return 0
        case .refuse(let response): return decline(response)
        }
    }

    private func decline(_ response: HTTPResponse) -> Int32 {
        sendOff(response)
        return -1
    }

    private static func refusalToUpgrade(_ head: RequestHead) -> HTTPResponse? {
        let words = { (name: String) in
            (head.headers[name] ?? "").split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        }
        if head.headers["upgrade"]?.lowercased() != "websocket" {
            return .sentence(400, "Only an upgrade to WebSocket is understood here.")
        }
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
