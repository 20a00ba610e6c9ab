/// Routes of the music room protocol, and their common parts: the visitor, the rate limit, and refusals in JSON.
import BatonCore
import BatonProtocol
package import BatonSeams

extension MusicRoomServer {
    typealias Reply = BatonProtocol.Reply
    /// A handler for requests of a signed-in visitor.
    typealias Answer = @Loop (HTTPRequest, RoomVisitor) async throws(RoomRefusal) -> HTTPResponse

    private static let shortBody = 4_096
    private static let longBody = 262_144

    /// Registers all routes below `/api/`, where the hub has no others.
    package func register(in routes: inout Routes) {
        registerAccess(in: &routes)
        add([.get, .head], "/api/library", in: &routes) { [self] _, visitor throws(RoomRefusal) in try library(for: visitor) }
        add([.get, .head], "/api/tracks/{track}", in: &routes) { [self] request, visitor throws(RoomRefusal) in
            try await track(request, visitor)
        }
        registerRooms(in: &routes)
        registerPlaylists(in: &routes)
        for path in ["/api/upload", "/api/tracks/upload", "/api/fetch", "/api/ytdlp", "/api/import"] {
            add([.post, .put], path, in: &routes) { _, _ throws(RoomRefusal) in
                throw RoomRefusal(501, "This hub takes no uploads and imports no addresses.")
            }
        }
        routes.add([.get, .head, .post, .put, .patch, .delete], .prefix("/api/"), for: .visitors, bodyBytes: Self.longBody) { _, _ in
            RoomRefusal(404, "There is nothing at this address.").response
        }
        routes.addUpgrade(.named("/api/channels/{room}/ws"), subprotocol: nil, for: .visitors) { [self] request, grant in
            open(request, grant)
        }
    }

    private func registerRooms(in routes: inout Routes) {
        add([.get, .head], "/api/channels", in: &routes) { [self] _, _ throws(RoomRefusal) in rooms() }
        add([.post], "/api/channels", in: &routes, answer: makeRoom)
        add([.get, .head], "/api/channels/{room}", in: &routes, answer: room)
        add([.patch], "/api/channels/{room}", in: &routes, answer: changeRoom)
        add([.delete], "/api/channels/{room}", in: &routes, answer: deleteRoom)
        add([.patch], "/api/channels/{room}/queue", body: Self.longBody, in: &routes, answer: changeQueue)
        add([.post], "/api/channels/{room}/mode", in: &routes, answer: setMode)
        add([.get, .head], "/api/channels/{room}/ws", in: &routes) { _, _ throws(RoomRefusal) in
            throw RoomRefusal(426, "This is where WebSocket connections go.")
        }
    }

    private func registerPlaylists(in routes: inout Routes) {
        add([.get, .head], "/api/playlists", in: &routes, answer: playlists)
        add([.post], "/api/playlists", body: Self.longBody, in: &routes, answer: makePlaylist)
        add([.get, .head], "/api/playlists/{list}", in: &routes, answer: playlist)
        add([.patch], "/api/playlists/{list}", body: Self.longBody, in: &routes, answer: changePlaylist)
        add([.delete], "/api/playlists/{list}", in: &routes, answer: deletePlaylist)
    }

    private func add(
        _ methods: Set<HTTPRequest.Method>, _ path: String, body: Int = shortBody, in routes: inout Routes, answer: @escaping Answer
    ) {
        let path: RoutePath = path.contains("{") ? .named(path) : .exact(path)
        routes.add(methods, path, for: .visitors, bodyBytes: body) { [self] request, grant in
            do throws(RoomRefusal) {
                let visitor = try visitor(of: request, grant)
                let isLook = request.method == .get || request.method == .head
                let fault = isLook ? ports.door.countLook(visitor.meter) : ports.door.count(visitor.sender)
                if let fault { throw RoomRefusal(fault) }
                return try await answer(request, visitor)
            } catch {
                var response = error.response
                // An invalid cookie is removed, so that the client asks for a password.
                if error.status == 401, request.roomToken != nil { response.headers.append(request.roomCookie(nil)) }
                return response
            }
        }
    }

    // MARK: What the answers share

    /// The visitor behind a request. A guest with a pass takes a place when a request changes something or opens a socket.
    func visitor(of request: HTTPRequest, _ grant: Grant, opensSocket: Bool = false) throws(RoomRefusal) -> RoomVisitor {
        guard let users = ports.users, let token = request.roomToken else { throw RoomRefusal(401, "Sign in first.") }
        let channel = request.peer.channel
        if let signedIn = users.session(withToken: token) {
            return RoomVisitor(signedIn, in: sessions.session(of: token, atUs: ports.reactor.nowUs), grant: grant, over: channel)
        }
        guard let guest = users.guest(withPass: token) else { throw RoomRefusal(401, "Sign in first.") }
        guard opensSocket || !request.onlyLooks else { return RoomVisitor(passing: guest, RoomSession(token: token), grant, over: channel) }
        do throws(ProtocolFault) {
            let signedIn = try users.admitGuest(withPass: token, from: grant.address)
            return RoomVisitor(signedIn, in: sessions.session(of: token, atUs: ports.reactor.nowUs), grant: grant, over: channel)
        } catch {
            throw RoomRefusal(error)
        }
    }

    func room(named request: HTTPRequest) throws(RoomRefusal) -> RoomID {
        let room = RoomID(request.parts["room"] ?? "")
        guard view.has(room) else { throw RoomRefusal(404, "There is no room “\(room)” on this hub.") }
        return room
    }

    /// Sends a command through the door and waits for its answer. The request was counted already.
    @discardableResult
    func ask(_ command: any CommandRequest, _ visitor: RoomVisitor, in room: RoomID? = nil) async throws(RoomRefusal) -> Reply {
        let context = CommandContext(visitor.identity, visitor.sender, number: nextNumber(), room: room, isCounted: true)
        let reply = await ports.door.take(command, context)
        if case .failed(let error) = reply.outcome { throw RoomRefusal(error) }
        return reply
    }

    func read<Body>(_ request: HTTPRequest, _ body: ([UInt8]) throws(RoomFault) -> Body) throws(RoomRefusal) -> Body {
        do throws(RoomFault) { return try body(request.body) } catch { throw RoomRefusal(error) }
    }

    // MARK: The socket

    private func open(_ request: HTTPRequest, _ grant: Grant) -> UpgradeAnswer {
        do throws(RoomRefusal) {
            let visitor = try visitor(of: request, grant, opensSocket: true)
            let room = try room(named: request)
            if let fault = ports.attendance.refusal(of: visitor.identity, from: room) { throw RoomRefusal(fault) }
            guard visitor.session.sockets < RoomSession.mostSockets else {
                throw RoomRefusal(429, "This session has as many connections as one may have.")
            }
            if let fault = ports.door.count(visitor.sender) { throw RoomRefusal(fault) }
            return .accept(RoomSocket(self, for: visitor, grant: grant, in: room))
        } catch {
            return .refuse(error.response)
        }
    }
}
