import BatonCore
import BatonProtocol
package import BatonSeams
import BatonWire

/// The hub's routes: its page, media and pictures, single commands over HTTP, and the WebSocket.
@Loop
package final class RequestRouter {
    let companion: Companion
    let policy: AdmissionPolicy

    private init(_ companion: Companion, _ policy: AdmissionPolicy) {
        self.companion = companion
        self.policy = policy
    }

    /// Registers the routes of the companion protocol and the page in the hub's table.
    package static func register(_ companion: Companion, _ policy: AdmissionPolicy, in routes: inout Routes) {
        RequestRouter(companion, policy).register(in: &routes)
    }

    /// The entry of a server to the routes of all dialects. Every request passes the hub's admission check.
    package static func reception(of routes: Routes, _ companion: Companion, _ policy: AdmissionPolicy) -> any Reception {
        Router(HubAdmission(companion, policy), routes)
    }

    private static let reading: Set<HTTPRequest.Method> = [.get, .head]
    private static let all: Set<HTTPRequest.Method> = [.get, .head, .post]

    /// Registers the routes, which retain this object.
    private func register(in routes: inout Routes) {
        routes.add(Self.all, .exact("/healthz"), for: .everyone) { _, _ in .sentence(200, "ok") }
        registerTrust(in: &routes)
        registerPairing(in: &routes)
        routes.add(Self.reading, .prefix("/art/"), for: .proved) { [self] request, _ in await art(request) }
        routes.add(Self.reading, .prefix("/media/"), for: .proved) { [self] request, grant in await media(request, grant) }
        // The key in the link is the only proof that radios can give.
        routes.add(Self.reading, .prefix("/listen/"), for: .everyone) { [self] request, grant in stream(request, grant) }
        registerUploads(in: &routes)
        registerCompanion(in: &routes)
        routes.add(Self.all, .prefix("/"), for: .proved) { [self] request, _ in
            page(for: request) ?? .sentence(404, "There is nothing here. The remote is at /.")
        }
    }

    private func registerCompanion(in routes: inout Routes) {
        let path = "/companion/v1"
        routes.addUpgrade(.exact(path), subprotocol: "baton.v1", for: .visitors) { [companion] _, grant in
            .accept(Session(companion, grant: grant))
        }
        routes.add(Self.all, .exact(path), for: .visitors) { _, _ in
            .sentence(426, "This is where WebSocket connections go.", headers: [("upgrade", "websocket")])
        }
        routes.add([.get], .exact(path + "/state"), for: .proved) { [self] request, grant in state(request, grant) }
        routes.add([.post], .exact(path + "/cmd"), for: .proved) { [self] request, grant in await command(request, grant) }
        routes.add([.post], .exact(path + "/user"), for: .visitors) { [self] request, grant in await userCommand(request, grant) }
        routes.add(Self.reading, .exact(path + "/cmd"), for: .proved) { _, _ in
            .sentence(405, "Send a command with POST.", headers: [("allow", "POST")])
        }
    }

    private func state(_ request: HTTPRequest, _ grant: Grant) -> HTTPResponse {
        let asked = Dictionary(request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        guard let profile = Profile(rawValue: asked["profile"] ?? "full") else {
            return json(400, ProtocolFault(.badRequest, "profile must be watch, remote or full.", at: "/profile"))
        }
        let id = asked["room"].map(RoomID.init) ?? companion.state.firstRoom
        guard companion.state.has(id, for: grant.identity()) else {
            return json(404, ProtocolFault(.notFound, "There is no room “\(id)” on this hub.", at: "/room"))
        }
        companion.ports.attendance.freshen(profile.sections)
        let key = StateFrames.Key(room: id, namesRoom: true, wanted: profile.sections, since: nil)
        return json(200, companion.frame(for: key).map { Array($0.payload) } ?? [])
    }

    private func command(_ request: HTTPRequest, _ grant: Grant) async -> HTTPResponse {
        switch await reply(to: request, grant) {
        case .success(let reply): response(to: reply)
        case .failure(let refused): refused.response
        }
    }

    struct Refused: Error { let response: HTTPResponse }

    func response(to reply: Reply) -> HTTPResponse {
        json(Self.status(of: reply), JSONWriter.bytes { reply.encode(into: &$0, pageBytes: companion.limits.pageBytes) })
    }

    /// Result of the command in the body. With `kinds`, other commands are refused.
    func reply(
        to request: HTTPRequest, _ grant: Grant, among kinds: Set<CommandKind>? = nil
    ) async -> Result<Reply, Refused> {
        guard request.body.count <= companion.limits.clientFrame else {
            return .failure(Refused(response: .sentence(413, "A command may have at most \(companion.limits.clientFrame) bytes.")))
        }
        let receivedUs = companion.reactor.nowUs
        // All single requests of one address share a rate limit. They are counted before they are parsed.
        let sender = CommandContext.Sender.alone(meter: "\(grant.scope) \(grant.address)")
        if let fault = companion.door.count(sender) { return .failure(Refused(response: json(429, fault))) }
        let client = request.query.last { $0.name == "client" }?.value
        if let client, !Token.isToken(client, length: 4...64) {
            return .failure(
                Refused(response: json(400, ProtocolFault(.badRequest, "client must be 4 to 64 of A-Z a-z 0-9 - _.", at: "/client"))))
        }
        let frame: CommandFrame
        do throws(ProtocolFault) {
            guard case .command(let decoded) = try ClientMessage.decode(request.body, limits: companion.limits) else {
                throw ProtocolFault(.badRequest, "Only commands can be sent this way.", at: "/t")
            }
            frame = decoded
        } catch {
            return .failure(Refused(response: json(400, error)))
        }
        if let kinds, CommandKind.named(frame.method).map(kinds.contains) != true {
            let fault = ProtocolFault(.forbidden, "Only signing in and out is possible here.", at: "/m", id: frame.id)
            return .failure(Refused(response: json(403, fault)))
        }
        let context = CommandContext(frame, from: grant.identity(client: client), sender, to: frame.room, isCounted: true)
        var reply = await answer(to: frame, context)
        reply.stamps = Reply.Stamps(received: receivedUs.count, sent: companion.reactor.nowUs.count)
        return .success(reply)
    }

    private func answer(to frame: CommandFrame, _ context: CommandContext) async -> Reply {
        do throws(ProtocolFault) {
            return await companion.door.take(try frame.command(within: companion.limits), context)
        } catch {
            return await companion.door.refuse(error, kind: CommandKind.named(frame.method), context: context)
        }
    }

    private static func status(of reply: Reply) -> Int {
        guard case .failed(let error) = reply.outcome else { return 200 }
        return switch error.known {
        case .badRequest, .unknownCommand, .unknownType: 400
        case .forbidden, .revoked: 403
        case .unauthorized: 401
        case .notFound: 404
        case .rateLimited, .busy: 429
        case .internal: 500
        case .unavailable, .sourceFailed, .timeout: 503
        case .unsupported: 501
        default: 409
        }
    }

    private func json(_ status: Int, _ fault: ProtocolFault) -> HTTPResponse {
        if let id = fault.id { return json(status, JSONWriter.bytes { Reply(id: id, .failed(WireError(fault))).encode(into: &$0) }) }
        return json(status, JSONWriter.bytes { $0.error(WireError(fault)) })
    }

    private func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("content-type", "application/json"), ("cache-control", "no-store")], body: body)
    }
}
