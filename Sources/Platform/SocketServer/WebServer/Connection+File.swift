import BatonSeams
import EventLoop

/// Streams from a file of this machine: the kernel passes the bytes on to the peer. With TLS, and on disks without support, they are read
/// as usual.
extension Connection {
    /// Size below which a file is read in a few pieces.
    private static let leastBytes: Int64 = 256 * 1024

    func beginPassage(of stream: HTTPStream, for exchange: Exchange) -> Bool {
        guard let file = stream.file, let length = stream.length, length - exchange.streamed >= Self.leastBytes, !exchange.hasAsked,
            !socket.isSecure, exchange.framing == .length, let pipe = KernelPipe()
        else { return false }
        exchange.hasAsked = true
        exchange.passage = FilePassage(file, pipe)
        return true
    }

    /// One turn: empties the pipe to the peer, and then fills it again.
    func pass(_ stream: HTTPStream, for exchange: Exchange) {
        guard phase == .answering, self.exchange === exchange, socket.isOpen, let passage = exchange.passage else { return }
        let (sent, progress) = passage.empty(into: socket.descriptor)
        exchange.streamed += Int64(sent)
        if sent > 0 { expire(after: server.limits.answer) }
        switch progress {
        case .empty where exchange.isWhole(stream): push()
        case .empty: fill(passage, from: stream, for: exchange)
        case .waitsForRoom: watchForRoom(of: exchange) { [weak self] in self?.pass(stream, for: exchange) }
        case .peerIsGone: cut()
        }
    }

    private enum Filling {
        case bytes(Int)
        /// The file's disk does not support this.
        case unable
        case lost
    }

    private func fill(_ passage: FilePassage, from stream: HTTPStream, for exchange: Exchange) {
        guard stream.mayGoOn(), let length = stream.length else { return cut() }
        watchForEnd(of: exchange)
        expire(after: server.limits.answer)
        let at = stream.start + exchange.streamed
        let count = Int(min(Int64(passage.pipe.room), length - exchange.streamed))
        let (file, pipe) = (passage.file, passage.pipe)
        exchange.task = Task(executorPreference: stream.blockingPool) { [weak self] in
            let filling = await Self.fill(pipe, from: file, at: at, count)
            if !Task.isCancelled { await self?.go(on: stream, for: exchange, filling) }
        }
    }

    private nonisolated static func fill(_ pipe: KernelPipe, from file: any FileRange, at: Int64, _ count: Int) async -> Filling {
        do throws(SourceFault) {
            return try file.pass(at: at, count: count, into: pipe).map(Filling.bytes) ?? .unable
        } catch {
            return .lost
        }
    }

    private func go(on stream: HTTPStream, for exchange: Exchange, _ filling: Filling) {
        guard phase == .answering, self.exchange === exchange, let passage = exchange.passage else { return }
        switch filling {
        case .bytes(let count) where count > 0:
            passage.held = count
            pass(stream, for: exchange)
        case .unable:
            exchange.passage = nil
            push()
        // The file has become shorter than the length that was sent, or cannot be read; closing tells the peer.
        case .bytes, .lost: cut()
        }
    }
}
