/// The server's rooms, and joining one of them over its WebSocket.
import BatonCore
package import BatonSeams

extension MusicRoom {
    package func rooms() async throws(SourceFault) -> ServerRooms {
        let status = try await server.ask("/api/status", isPublic: true)
        return ServerRooms(try await channels(), hub: answers.hub(in: status))
    }

    package func enter(_ room: String) async throws(SourceFault) -> any ServerRoomConnection {
        guard let sockets else { throw SourceFault(.unsupported, "This hub opens no WebSockets.") }
        let socket = try await connect(to: room, sockets)
        let connection = MusicRoomConnection(socket, room: room, of: self)
        do throws(SourceFault) {
            // The state is requested as well, because the server's first message may be late or missing.
            let askedUs = clock.nowUs
            let state = try await state(of: room)
            await connection.begin(with: .state(state, atUs: askedUs + (clock.nowUs - askedUs) / 2))
        } catch {
            guard error.code == .notFound || error.code == .forbidden || error.code == .cancelled else { return connection }
            await connection.close()
            throw error
        }
        return connection
    }

    /// Connects to a room. A session that the server has ended is replaced once, if possible.
    private func connect(to room: String, _ sockets: any WebSocketClient) async throws(SourceFault) -> any WebSocketConnection {
        let path = "/api/channels/\(PercentText.encoded(room))/ws"
        let (request, session) = try await server.socket(path)
        do throws(WebSocketFault) { return try await sockets.connect(request) } catch {
            guard error.code == .rejected(status: 401) else { throw fault(error) }
        }
        let (fresh, _) = try await server.socket(path, after: session)
        do throws(WebSocketFault) { return try await sockets.connect(fresh) } catch { throw fault(error) }
    }

    private func fault(_ fault: WebSocketFault) -> SourceFault {
        switch fault.code {
        case .rejected(status: 401), .rejected(status: 403):
            SourceFault(.forbidden, "“\(title)” does not let this user into the room.")
        case .rejected(status: 404), .notFound: SourceFault(.notFound, "“\(title)” has no such room any more.")
        case .cancelled: .cancelled
        default: SourceFault(.unavailable, fault.sentence)
        }
    }
}

/// The account's connection to one room.
actor MusicRoomConnection: ServerRoomConnection {
    private let socket: any WebSocketConnection
    private let connector: MusicRoom
    private var room: String
    private var first: ServerRoomNews?

    init(_ socket: any WebSocketConnection, room: String, of connector: MusicRoom) {
        self.socket = socket
        self.room = room
        self.connector = connector
    }

    func begin(with news: ServerRoomNews) { first = news }

    func next() async -> ServerRoomNews? {
        if let news = first {
            first = nil
            return news
        }
        guard let message = await socket.next() else { return nil }
        // The time is taken before parsing, which takes a while for a long queue.
        let atUs = connector.clock.nowUs
        guard case .text(let text) = message, let news = connector.answers.news(Array(text.utf8), atUs: atUs) else {
            return .unreadable("“\(connector.title)” sent a message that makes no sense.")
        }
        if case .moved(let other) = news { room = other }
        return news
    }

    func send(_ action: ServerRoomAction) async throws(SourceFault) {
        switch MusicRoomRequests.order(action, in: room, of: connector.source) {
        case .message(let text)?:
            do throws(WebSocketFault) { try await socket.send(.text(text)) } catch {
                throw SourceFault(.unavailable, error.sentence)
            }
        case .call(let method, let path, let body)?: try await connector.server.tell(method, path, body: body)
        case nil:
            throw SourceFault(
                .unsupported, "The room is one of “\(connector.title)”, so only tracks of “\(connector.title)” can be in its queue.")
        }
    }

    func close() async { await socket.close(1000, "Left the room.") }
}
