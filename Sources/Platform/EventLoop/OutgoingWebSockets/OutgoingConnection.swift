import BatonSeams

/// The connection for its caller. Releasing it closes the connection.
final class OutgoingConnection: WebSocketConnection {
    let subprotocol: String?
    private let socket: OutgoingSocket

    init(_ socket: OutgoingSocket, subprotocol: String?) {
        self.socket = socket
        self.subprotocol = subprotocol
    }

    deinit { socket.loop.post { [socket] in socket.close(1001, "") } }

    // For tests of the limits.
    @Loop var held: Int { socket.inbox.count }
    @Loop var unsent: Int { socket.frames.unsentBytes }
    @Loop var isHeldUp: Bool { !socket.writers.isEmpty }
    @Loop var pongs: Int { socket.pongs }

    func next() async -> WebSocketMessage? { await socket.next() }
    func send(_ message: WebSocketMessage) async throws(WebSocketFault) { try await socket.send(message) }
    func close(_ code: UInt16, _ reason: String) async { await socket.close(code, reason) }
    func ending() async -> WebSocketEnding { await socket.ended() }
}
