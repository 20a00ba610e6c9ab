import BatonSeams
import CLinux
import EventLoop
import Glibc

/// Bodies that a route reads while they arrive.
///
/// The hub reads from the socket itself, in large pieces and only while the route wants more. The rest stays in the kernel, which stops the
/// peer. libwebsockets does not read in the meantime, as with WebSockets.
extension Connection {
    private static let shortRest: Int64 = 1 << 20

    /// Starts to pass the body on. `most` limits a body of unknown length.
    func passOn(_ exchange: Exchange, length: Int?, most: Int64) {
        let body = IncomingBody(length: length.map(Int64.init))
        exchange.incoming = body
        exchange.left = length.map(Int64.init) ?? most
        exchange.most = most
        if length == nil { exchange.chunks = ChunkReader() }
        phase = .passingOn
        socket.pauseReading()
        expire(after: server.limits.route)
        body.isWanted = { [weak self] in self?.readOn() }
        if length == 0 { bodyIsWhole() }
        answer()
    }

    /// Called when the route wants more.
    private func readOn() {
        guard phase == .passingOn, let exchange, socket.isOpen else { return }
        if exchange.owesContinue {
            exchange.owesContinue = false
            sendContinue()
        }
        let begins = readSignal == nil
        if begins { readSignal = ReadSignal(socket, of: self, on: server.loop) }
        takeUnread()
        guard phase == .passingOn, exchange.incoming?.isFull == false else { return }
        expire(after: server.limits.bodyPause)
        readSignal?.resume()
        // TLS does not signal again for bytes that it has decrypted.
        if begins, socket.holdsDecryptedBytes { takeBody() }
    }

    /// Takes bytes that arrived together with the head.
    func takeUnread() {
        guard readSignal != nil, !bytes.isEmpty else { return }
        take(bytes.takeAll()[...])
    }

    /// Reads one piece from the kernel, so that a fast body does not delay other connections.
    func takeBody() {
        let room = unsafe server.loop.inbox
        repeat {
            switch unsafe socket.receive(into: room) {
            case .done(let count):
                expire(after: server.limits.bodyPause)
                take(unsafe [UInt8](UnsafeRawBufferPointer(rebasing: room[..<count]))[...])
            case .later: return
            case .over: return cut()
            }
        } while readSignal?.isPaused == false && socket.holdsDecryptedBytes
    }

    private func take(_ arrived: ArraySlice<UInt8>) {
        guard let exchange, let incoming = exchange.incoming else { return }
        var rest = arrived
        var piece: [UInt8]
        if exchange.chunks == nil {
            piece = Array(rest.prefix(Int(clamping: exchange.left)))
            rest = rest.dropFirst(piece.count)
        } else {
            do throws(ChunkReader.Fault) {
                piece = try exchange.chunks?.take(&rest) ?? []
            } catch {
                return breakOff(SourceFault(.badRequest, error.sentence))
            }
            guard Int64(piece.count) <= exchange.left else {
                return breakOff(SourceFault(.tooLarge, "A request to this address may have at most \(exchange.most) bytes of body."))
            }
        }
        exchange.left -= Int64(piece.count)
        bytes.putBack(rest)
        incoming.put(piece)
        if exchange.chunks?.isDone ?? (exchange.left == 0) {
            bodyIsWhole()
        } else if incoming.isFull {
            readSignal?.pause()
            // From here on the route's limits apply, and not the peer's pace.
            expire(after: server.limits.route)
        }
    }

    private func bodyIsWhole() {
        stopReadingBody()
        phase = .answering
        expire(after: server.limits.route)
        exchange?.incoming?.finish()
    }

    /// Ends a body whose length is unknown: the route's answer is the last one on this connection.
    private func breakOff(_ fault: SourceFault) {
        stopReadingBody()
        exchange?.isBroken = true
        exchange?.incoming?.fail(fault)
    }

    private func stopReadingBody() {
        readSignal?.stop()
        readSignal = nil
    }

    /// Handles an answer before the end of the body: the rest is not read, and the connection ends.
    func refuseRest(of exchange: Exchange, _ response: HTTPResponse) {
        stopReadingBody()
        exchange.cancel()
        self.exchange = nil
        // A peer that waits for `100 Continue` sends nothing after a refusal.
        let hasLength = exchange.chunks == nil && !exchange.isBroken && !exchange.owesContinue
        // A peer with little left to send gets the answer sooner if it can finish.
        if hasLength, exchange.left <= Self.shortRest { drain.allow(Int(exchange.left)) }
        refuse(response, body: hasLength ? Int(clamping: exchange.left) : .max)
        socket.resumeReading()
        proceed()
    }

    /// Tells a waiting peer to send the body.
    func sendContinue() {
        _ = unsafe Array("HTTP/1.1 100 Continue\r\n\r\n".utf8).withUnsafeBytes { unsafe socket.send($0) }
    }
}
