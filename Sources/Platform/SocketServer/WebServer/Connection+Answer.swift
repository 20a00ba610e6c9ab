import BatonSeams
import CLinux
import EventLoop
import Glibc

/// Answers to requests: created by the server's reception, sent as the peer accepts them.
extension Connection {
    func answer() {
        guard socket.isOpen, let exchange else { return }
        var request = exchange.head.request(from: peer, at: listener, body: exchange.body)
        request.incoming = exchange.incoming
        if exchange.incoming == nil {
            phase = .answering
            expire(after: server.limits.answer)
        }
        exchange.body = []
        let reception = server.reception
        // The task waits on the loop: without a preference it would go through Swift's own pool after each wait.
        exchange.task = Task.immediate(executorPreference: Loop.jobs) { @Loop [weak self] in
            let response = await reception.respond(to: request)
            if !Task.isCancelled { self?.send(response) }
        }
        // Most answers are ready by now. For the others, the connection watches for the peer's end.
        guard phase == .answering || phase == .passingOn, exchange.watch == nil else { return }
        socket.pauseReading()
        exchange.watch = server.loop.watch(socket.descriptor, mask: EPOLLRDHUP.rawValue) { [weak self] _ in self?.cut() }
    }

    private func send(_ response: HTTPResponse) {
        if phase == .passingOn, let exchange { return refuseRest(of: exchange, response) }
        guard phase == .answering, let exchange else { return }
        exchange.framing = .of(response, for: exchange.head)
        exchange.output = ResponseText.bytes(
            of: response, headOnly: exchange.head.method == .head, keepsAlive: exchange.keepsAlive, exchange.framing)
        if exchange.head.method != .head { exchange.stream = response.stream }
        push()
    }

    /// Writes as much as the pipe accepts, and waits for room for the rest.
    func push() {
        guard phase == .answering, socket.isOpen, let exchange else { return }
        while exchange.sent < exchange.output.count {
            let count = unsafe exchange.output.withUnsafeBytes {
                unsafe socket.send(UnsafeRawBufferPointer(rebasing: $0[exchange.sent...]))
            }
            if count > 0 {
                exchange.sent += count
            } else if errno == EAGAIN {
                return watchForRoom(of: exchange) { [weak self] in self?.push() }
            } else if errno != EINTR {
                return cut()
            }
        }
        guard let stream = exchange.stream, !exchange.isWhole(stream) else { return answered(exchange) }
        if exchange.relay != nil { return relay(stream, for: exchange) }
        if exchange.passage != nil || beginPassage(of: stream, for: exchange) { return pass(stream, for: exchange) }
        if mayRelay(stream, for: exchange) { return askForConnection(of: stream, for: exchange) }
        fetch(stream, for: exchange)
    }

    /// Reads the next piece once the peer has accepted the one before, so that only one piece is in memory.
    func fetch(_ stream: HTTPStream, for exchange: Exchange) {
        guard socket.isOpen else { return }
        guard stream.mayGoOn() else { return cut() }
        watchForEnd(of: exchange)
        let at = stream.start + exchange.streamed
        let count = Int(min(Int64(HTTPStream.pieceBytes), (stream.length ?? .max) - exchange.streamed))
        // A peer that accepts a piece is present, and gets the full time for the next.
        expire(after: server.limits.answer)
        exchange.task = Task(executorPreference: stream.blockingPool) { [weak self] in
            let piece = await Self.piece(of: stream, at: at, count)
            if !Task.isCancelled { await self?.take(piece, of: exchange) }
        }
    }

    /// Watches for the peer's end during other waits.
    func watchForEnd(of exchange: Exchange) {
        socket.pauseReading()
        exchange.watch?.cancel()
        exchange.watch = server.loop.watch(socket.descriptor, mask: EPOLLRDHUP.rawValue) { [weak self] _ in self?.cut() }
    }

    func watchForRoom(of exchange: Exchange, _ action: @escaping @Loop () -> Void) {
        socket.pauseReading()
        exchange.watch?.cancel()
        exchange.watch = server.loop.watch(socket.descriptor, mask: EPOLLOUT.rawValue | EPOLLRDHUP.rawValue) { [weak self] ready in
            if ready.contains(.broken) { self?.cut() } else { action() }
        }
    }

    private nonisolated static func piece(of stream: HTTPStream, at: Int64, _ count: Int) async -> [UInt8]? { await stream.read(at, count) }

    private func take(_ piece: [UInt8]?, of exchange: Exchange) {
        guard phase == .answering, self.exchange === exchange, let stream = exchange.stream else { return }
        // The file has become shorter than the length that was sent; closing tells the peer.
        guard let piece, !piece.isEmpty || stream.length == nil, Int64(piece.count) <= (stream.length ?? .max) - exchange.streamed else {
            return cut()
        }
        if piece.isEmpty { exchange.hasEnded = true }
        exchange.output = exchange.framing == .chunked ? ResponseText.chunk(piece) : piece
        exchange.sent = 0
        exchange.streamed += Int64(piece.count)
        push()
    }

    /// Returns the socket to libwebsockets, for the next request or for its end.
    private func answered(_ exchange: Exchange) {
        guard socket.isOpen else { return }
        exchange.watch?.cancel()
        self.exchange = nil
        phase = .asking
        socket.resumeReading()
        guard exchange.keepsAlive else { return finish() }
        expire(after: server.limits.idle)
        proceed()
    }
}
