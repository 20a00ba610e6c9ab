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
        routes.add(Self.reading, .exact("/healthz"), for: .everyone) { _, _ in .sentence(200, "ok") }
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
        let path = CoreVersion.path
        routes.addUpgrade(.exact(path), subprotocol: CoreVersion.subprotocol, for: .visitors) { [companion] _, grant in
            .accept(Session(companion, grant: grant))
        }
        routes.add(Self.all, .exact(path), for: .visitors) { _, _ in
            .sentence(426, "This is where WebSocket connections go.", headers: [("upgrade", "websocket")])
        }
        routes.add([.get], .exact(path + "/state"), for: .proved) { [self] request, grant in state(request, grant) }
        routes.add([.post], .exact(path + "/cmd"), for: .proved) { [self] request, grant in await command(request, grant) }
        routes.add([.post], .exact(path + "/user"), for: .visitors) { [self] request, grant in await userCommand(request, grant) }
        registerEarlier(in: &routes)
    }

    /// The path before Core 1.0 is there to refuse.
    private func registerEarlier(in routes: inout Routes) {
        routes.addUpgrade(.exact(EarlierClient.path), subprotocol: CoreVersion.subprotocol, for: .visitors) { [companion] request, grant in
            // A peer that still has to prove who it is learns nothing of the hub, since a program writes any `Origin`.
            let isOwnPage = !grant.needsProof && HubAdmission.isOwnPage(request)
            return .accept(EarlierClient(companion, from: grant.address, isOwnPage: isOwnPage))
        }
        routes.add(Set(HTTPRequest.Method.allCases), .prefix(EarlierClient.path), for: .visitors) { _, _ in
            .sentence(410, EarlierClient.sentence)
        }
    }

    private func state(_ request: HTTPRequest, _ grant: Grant) -> HTTPResponse {
        let asked = Dictionary(request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        let view = StateView(rawValue: asked["view"] ?? "full") ?? .remote
        let id = asked["room"].map(RoomID.init) ?? companion.state.firstRoom
        guard companion.state.has(id, for: grant.identity()) else {
            return json(ProtocolFault(.notFound, "There is no room “\(id)” on this hub.", at: "/room"))
        }
        let wanted = view.shape(of: view.sections, for: grant.role)
        companion.ports.attendance.freshen(wanted)
        return json(200, companion.wholeState(of: id, wanted, learnsNames: grant.identity().role.learnsNames))
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
        if let fault = companion.door.count(sender) { return .failure(Refused(response: json(fault))) }
        let client = request.query.last { $0.name == "client" }?.value
        if let client, !Token.isToken(client, length: 4...64) {
            return .failure(
                Refused(response: json(ProtocolFault(.badRequest, "client must be 4 to 64 of A-Z a-z 0-9 - _.", at: "/client"))))
        }
        let frame: CommandFrame
        do throws(ProtocolFault) {
            guard case .command(let decoded) = try ClientMessage.decode(request.body, limits: companion.limits) else {
                throw ProtocolFault(.badRequest, "Only commands can be sent this way.", at: "/t")
            }
            frame = decoded
        } catch {
            return .failure(Refused(response: json(error)))
        }
        if let fault = Self.refusal(of: frame, in: request, among: kinds) { return .failure(Refused(response: json(fault))) }
        let context = CommandContext(frame, from: grant.identity(client: client), sender, to: frame.room, isCounted: true)
        var reply = await answer(to: frame, context)
        reply.stamps = Reply.Stamps(received: receivedUs.count, sent: companion.reactor.nowUs.count)
        return .success(reply)
    }

    /// A bearer lies in scripts and their logs, so it makes nothing that lasts longer than itself. A page elsewhere that may steer this hub
    /// does not learn secrets by it.
    private static func refusal(of frame: CommandFrame, in request: HTTPRequest, among kinds: Set<CommandKind>?) -> ProtocolFault? {
        let kind = CommandKind.named(frame.method)
        if let kinds, kind.map(kinds.contains) != true {
            return ProtocolFault(.forbidden, "Only signing in and out is possible here.", at: "/m", id: frame.id)
        }
        guard kind?.keys == .memory else { return nil }
        guard request.headers["origin"] == nil || HubAdmission.isOwnPage(request) else {
            return ProtocolFault(.forbidden, "Only the hub's own page may do this.", at: "/m", id: frame.id)
        }
        guard request.peer.channel == .tls, HubAdmission.bearer(of: request) != nil else { return nil }
        return ProtocolFault(.forbidden, "A bearer cannot make a secret. Do it over a WebSocket.", at: "/m", id: frame.id)
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
        return error.known?.status ?? ErrorCode.internal.status
    }

    private func json(_ fault: ProtocolFault) -> HTTPResponse {
        let status = fault.code.status
        if let id = fault.id { return json(status, JSONWriter.bytes { Reply(id: id, .failed(WireError(fault))).encode(into: &$0) }) }
        return json(status, JSONWriter.bytes { $0.error(WireError(fault)) })
    }

    private func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("content-type", "application/json"), ("cache-control", "no-store")], body: body)
    }
}
