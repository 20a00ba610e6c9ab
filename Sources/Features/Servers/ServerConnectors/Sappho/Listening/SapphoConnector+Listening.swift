/// Receives messages of the server's WebSocket: the user's positions, other devices that play, and changes of the
/// library.
import BatonCore
package import BatonSeams

extension SapphoConnector {
    package func listen(_ told: @escaping @Sendable (SourceNews) async -> Void) async throws(SourceFault) {
        guard let sockets else { throw SourceFault(.unsupported, "This hub opens no WebSockets.") }
        let user = try await own.id(server)
        let request = try await server.socket("/ws/notifications")
        let connection: any WebSocketConnection
        do throws(WebSocketFault) { connection = try await sockets.connect(request) } catch {
            throw SourceFault(.unavailable, error.sentence)
        }
        // Events before the connection opened were missed, so the current state is read.
        await told(.sessions)
        for (uri, place) in try await places() { await told(.place(uri, place)) }
        while let message = await connection.next() {
            guard case .text(let text) = message, let event = SapphoEvent(text, of: user) else { continue }
            await told(news(event))
        }
        guard !Task.isCancelled else { return await connection.close(1001, "The hub ends or listens no more.") }
        // The token has expired or was revoked, which the next request reports.
        if await connection.ending().code == 1008 { _ = try await server.ask("/api/profile") }
    }

    private func news(_ event: SapphoEvent) -> SourceNews {
        switch event {
        case .items: .items
        case .session: .sessions
        case .place(let book, let place): .place(rows.uri(.book(book)), ServerPlace(place, atMs: clock.wallMs))
        }
    }
}

/// The user's id at the server, and the names of devices under which this hub reports there.
actor OwnDevices {
    private var id: Int?
    private(set) var devices: Set<String> = []

    func note(_ device: String) { devices.insert(device) }

    func id(_ server: SapphoServer) async throws(SourceFault) -> Int {
        if let id { return id }
        guard let found = try await server.ask("/api/profile").whole("id") else {
            throw SourceFault(.failed, "“\(server.title)” does not say who its user is.")
        }
        id = found
        return found
    }
}
