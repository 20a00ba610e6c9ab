import BatonSeams
import CWebSockets

/// Delivery of libwebsockets' callbacks to the sockets' owners, and of other threads' calls to the loop.
extension EventLoop {
    /// Number of sockets that one turn ends.
    private nonisolated static let endsPerTurn = 32

    /// Number of callbacks that took more than 5 ms of processor time.
    package var slowCallbacks: Int { watchdog.slow }

    func deliver(_ event: SocketEvent, to socket: Socket, _ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
        guard let handler = socket.handler else { return 0 }
        socket.inside += 1
        let answer = watched(handler) {
            unsafe handler.handle(event, bytes)
        }
        socket.inside -= 1
        if event == .forgotten {
            unsafe socket.wsi = nil
            handler.socketForgotten()
        }
        if socket.mustEnd {
            socket.mustEnd = false
            return -1
        }
        return answer
    }

    /// Runs one callback and the jobs it queued, and logs slow ones that may have delayed a peer. The start is slow, but delays no peer,
    /// since the first connection comes later.
    func watched<Answer>(_ handler: any SocketHandler, _ body: @Loop () -> Answer) -> Answer {
        depth += 1
        if depth == 1 { watchdog.begin() }
        let answer = Loop.jobs.callback { Loop.assumeIsolated(body) }
        depth -= 1
        if depth == 0, let spent = watchdog.end(), hasAccepted {
            log(.warning, "A callback of \(handler.label) kept the loop busy for \(spent / 1_000) us.")
        }
        return answer
    }

    /// Runs `body` on the next turn; callable from any thread, for callbacks that cannot wait.
    package nonisolated func post(_ body: @escaping @Loop @Sendable () -> Void) {
        posted.withLock { $0.append(body) }
        Engine.ring()
    }

    func runPosted() {
        let bodies = posted.withLock { bodies in
            defer { bodies = [] }
            return bodies
        }
        for body in bodies { body() }
    }

    /// Ends a socket on the next turn.
    func scheduleEnd(_ socket: Socket) {
        if socketsToEnd.isEmpty { Engine.ring() }
        socketsToEnd.append(socket)
    }

    func endScheduledSockets() {
        let sockets = socketsToEnd.prefix(Self.endsPerTurn)
        socketsToEnd.removeFirst(sockets.count)
        if !socketsToEnd.isEmpty { Engine.ring() }
        for socket in sockets { socket.endNow() }
    }
}
