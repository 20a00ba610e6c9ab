import BatonCore
package import BatonProtocol
package import BatonSeams
import BatonWire

/// Who may come in, and what plain HTTP answers.
///
/// The rules keep a web page elsewhere from driving the hub through a visitor's browser: a request
/// that carries an `Origin` must come from the hub's own page or one that was allowed, and a name
/// in `Host` that is not ours is a sign of rebound DNS.
@Loop
package final class RequestRouter: Reception {
    package struct Policy: Sendable {
        /// What plain connections from elsewhere may do; `nil` keeps them out.
        package var lanPlain: Role?
        /// Pages on other origins that may connect.
        package var origins: [String]
        /// Names of this machine, for `Host`.
        package var hostNames: [String]
        /// The hub's root certificate, in DER; none is offered if empty.
        package var root: [UInt8]

        package init(lanPlain: Role? = nil, origins: [String] = [], hostNames: [String] = [], root: [UInt8] = []) {
            self.lanPlain = lanPlain
            self.origins = origins
            self.hostNames = hostNames
            self.root = root
        }
    }

    let companion: Companion
    let policy: Policy

    package init(_ companion: Companion, policy: Policy) {
        self.companion = companion
        self.policy = policy
    }

    // MARK: Admission

    package func admit(_ request: HTTPRequest) -> Admission {
        guard companion.subscribers.count < companion.limits.connections else {
            return .refuse(
                .sentence(503, "This hub has as many connections as it allows. Try again soon.", headers: [("retry-after", "5")]))
        }
        switch grant(request) {
        case .failure(let refusal): return .refuse(refusal.response)
        case .success(let grant):
            if grant.needsProof || request.peer.channel == .network, !Self.isLoopback(grant.address),
                companion.subscribers.count(fromAddress: grant.address) >= companion.limits.unauthenticatedPerAddress
            {
                return .refuse(.sentence(429, "Too many connections from this address have not said hello yet."))
            }
            return .accept(Session(companion, grant: grant))
        }
    }

    private static func isLoopback(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }

    package func receives(_ peer: Peer) -> Bool { companion.ports.devices?.receives(peer.address) ?? true }

    struct Refusal: Error { let response: HTTPResponse }

    private func grant(_ request: HTTPRequest) -> Result<Grant, Refusal> {
        let role = policy.lanPlain
        if request.peer.channel == .network, role == nil {
            return .failure(
                forbidden("This hub speaks without encryption to its own machine only. Use its TLS port, or ask its owner for --lan-plain.")
            )
        }
        // The same for every channel: a proxy may stand before any of them, and a browser before that.
        guard hostIsOurs(request) else { return .failure(forbidden("This address does not belong to the hub.")) }
        guard originIsOurs(request) else { return .failure(forbidden("Pages from elsewhere may not steer this hub.")) }
        let address = request.peer.address
        switch request.peer.channel {
        case .unix(let uid, _): return .success(Grant(role: .admin, trust: .anyPath, address: "unix", scope: "uid:\(uid)"))
        case .loopback: return .success(Grant(role: .remote, trust: .musicFolders, address: address, scope: "local"))
        case .network:
            let role = role ?? .listener
            return .success(Grant(role: role, trust: Grant.trust(of: role), address: address, scope: "lan"))
        case .tls: return secureGrant(request)
        }
    }

    private func forbidden(_ sentence: String) -> Refusal { Refusal(response: .sentence(403, sentence)) }

    /// Without an `Origin` no browser is behind it.
    private func originIsOurs(_ request: HTTPRequest) -> Bool {
        guard let origin = request.headers["origin"] else { return true }
        if policy.origins.contains(origin.lowercased()) { return true }
        guard let host = request.headers["host"] else { return false }
        let scheme = request.peer.channel == .tls ? "https" : "http"
        return origin.lowercased() == "\(scheme)://\(host.lowercased())"
    }

    /// Over the network, by an address or a name of this machine; on loopback, by what only this machine is called. A
    /// socket file has no name, so a program may also say none, that of the machine, or `hub`, as the examples do.
    private func hostIsOurs(_ request: HTTPRequest) -> Bool {
        let isUnix = if case .unix = request.peer.channel { true } else { false }
        guard let named = request.headers["host"] else { return isUnix }
        guard let host = Authority(named) else { return false }
        if host.isLoopback { return true }
        if request.peer.channel == .loopback { return false }
        return policy.hostNames.contains(host.host) || (isUnix ? host.host == "hub" : host.isAddress)
    }

    // MARK: Plain requests

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        if request.path == "/healthz" { return .sentence(200, "ok") }
        let grant: Grant
        switch self.grant(request) {
        case .success(let given): grant = given
        case .failure(let refusal): return refusal.response
        }
        if let trust = trust(request) { return trust }
        if grant.needsProof { return respondUnproved(to: request) }
        if request.method != .post {
            if request.path.hasPrefix("/art/") { return await art(request) }
            if request.path.hasPrefix("/media/") { return await media(request) }
        }
        switch (request.method, request.path) {
        case (.post, "/session/end"): return endSession(grant)
        case (.get, "/companion/v1/state"): return state(request)
        case (.post, "/companion/v1/cmd"): return await command(request, grant)
        case (_, "/companion/v1/cmd"): return .sentence(405, "Send a command with POST.", headers: [("allow", "POST")])
        case (_, "/companion/v1"): return .sentence(426, "This is where WebSocket connections go.", headers: [("upgrade", "websocket")])
        default: return page(for: request) ?? .sentence(404, "There is nothing here. The remote is at /.")
        }
    }

    private func state(_ request: HTTPRequest) -> HTTPResponse {
        let asked = Dictionary(request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        guard let profile = Profile(rawValue: asked["profile"] ?? "full") else {
            return json(400, ProtocolFault(.badRequest, "profile must be watch, remote or full.", at: "/profile"))
        }
        let id = asked["room"].map(RoomID.init) ?? companion.state.firstRoom
        guard companion.state.has(id) else {
            return json(404, ProtocolFault(.notFound, "There is no room “\(id)” on this hub.", at: "/room"))
        }
        companion.ports.attendance.freshen(profile.sections)
        let key = StateFrames.Key(room: id, namesRoom: true, wanted: profile.sections, since: nil)
        return json(200, companion.frame(for: key).map { Array($0.payload) } ?? [])
    }

    private func command(_ request: HTTPRequest, _ grant: Grant) async -> HTTPResponse {
        guard request.body.count <= companion.limits.clientFrame else {
            return .sentence(413, "A command may have at most \(companion.limits.clientFrame) bytes.")
        }
        let receivedUs = companion.reactor.nowUs
        // Requests that stand alone share one rate for each address. They are counted before they are read.
        let sender = CommandContext.Sender.alone(meter: "\(grant.scope) \(grant.address)")
        if let fault = companion.door.count(sender) { return json(429, fault) }
        let frame: CommandFrame
        do throws(ProtocolFault) {
            guard case .command(let decoded) = try ClientMessage.decode(request.body, limits: companion.limits) else {
                throw ProtocolFault(.badRequest, "Only commands can be sent this way.", at: "/t")
            }
            frame = decoded
        } catch {
            return json(400, error)
        }
        var context = CommandContext(frame, from: grant.identity, sender)
        context.isCounted = true
        var reply = await answer(to: frame, context)
        reply.stamps = Reply.Stamps(received: receivedUs, sent: companion.reactor.nowUs)
        return json(Self.status(of: reply), JSONWriter.bytes { reply.encode(into: &$0, pageBytes: companion.limits.pageBytes) })
    }

    private func answer(to frame: CommandFrame, _ context: CommandContext) async -> Reply {
        do throws(ProtocolFault) {
            let kind = try RequestKind(of: frame)
            return await companion.door.take(try Request.decode(frame, as: kind, limits: companion.limits), context)
        } catch {
            return await companion.door.refuse(error, RequestKind.named(frame.method), context)
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
