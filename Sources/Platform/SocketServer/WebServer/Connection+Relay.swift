import BatonSeams
import EventLoop
import Glibc

/// Streams from another server's connection: the kernel passes the bytes on to the peer. Streams without such a connection, and the rest
/// after a failure, are read as usual.
extension Connection {
    /// Size below which a stream is read as usual, so that the other server's connection can be reused.
    private static let leastBytes: Int64 = 256 * 1024

    func mayRelay(_ stream: HTTPStream, for exchange: Exchange) -> Bool {
        guard stream.connection != nil, !exchange.hasAsked, !socket.isSecure, exchange.framing == .length, let length = stream.length
        else { return false }
        return length - exchange.streamed >= Self.leastBytes
    }

    func askForConnection(of stream: HTTPStream, for exchange: Exchange) {
        guard socket.isOpen, let connection = stream.connection else { return }
        exchange.hasAsked = true
        watchForEnd(of: exchange)
        expire(after: server.limits.answer)
        let at = stream.start + exchange.streamed
        exchange.task = Task(executorPreference: stream.blockingPool) { [weak self] in
            let found = await connection(at)
            if !Task.isCancelled { await self?.begin(found, of: exchange) }
        }
    }

    private func begin(_ found: BodyConnection?, of exchange: Exchange) {
        guard phase == .answering, self.exchange === exchange, let stream = exchange.stream else { return }
        let left = (stream.length ?? 0) - exchange.streamed
        if let found {
            exchange.relay = SocketRelay(found, most: left - Int64(found.early.count))
            exchange.output = Int64(found.early.count) > left ? Array(found.early.prefix(Int(left))) : found.early
            exchange.sent = 0
            exchange.streamed += Int64(exchange.output.count)
        }
        push()
    }

    /// One turn, followed by a wait for data or room.
    func relay(_ stream: HTTPStream, for exchange: Exchange) {
        guard phase == .answering, self.exchange === exchange, socket.isOpen, let relay = exchange.relay else { return }
        guard stream.mayGoOn() else { return cut() }
        let (sent, progress) = relay.turn(to: socket.descriptor)
        exchange.streamed += Int64(sent)
        if sent > 0 { expire(after: server.limits.answer) }
        switch progress {
        case .waitsForBytes:
            watchForEnd(of: exchange)
            relay.whenReadable(on: server.loop) { [weak self] in self?.relay(stream, for: exchange) }
        case .waitsForRoom, .more:
            relay.stopWaiting()
            watchForRoom(of: exchange) { [weak self] in self?.relay(stream, for: exchange) }
        case .ended:
            relay.stopWaiting()
            exchange.relay = nil
            push()
        case .peerIsGone: cut()
        }
    }
}
