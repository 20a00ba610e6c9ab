import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// Sign-in over HTTP: single commands, also from unauthenticated visitors, and the form for browsers that are not paired.
extension RequestRouter {
    private static let userKinds: Set<CommandKind> = [.userSignup, .userSignin, .userGuest, .userSignout, .userMe]

    /// With `cookie=1` the token is put into a cookie that scripts cannot read.
    func userCommand(_ request: HTTPRequest, _ grant: Grant) async -> HTTPResponse {
        // A page elsewhere that may steer this hub does not learn tokens by it.
        guard request.headers["origin"] == nil || HubAdmission.isOwnPage(request) else {
            return .sentence(403, "Only the hub's own page may do this.")
        }
        var reply: Reply
        switch await self.reply(to: request, grant, among: Self.userKinds) {
        case .success(let answered): reply = answered
        case .failure(let refused): return refused.response
        }
        guard reply.isSuccess else { return response(to: reply) }
        let isKept = request.query.contains { $0.name == "cookie" && $0.value == "1" }
        guard var signed = reply.data as? SignedInUser, let token = signed.token else {
            guard isKept, reply.data == nil else { return response(to: reply) }
            return response(to: reply).adding(HubAdmission.header(keeping: nil, for: request))
        }
        // Looked up by name: a session that was just created is not in use yet.
        let session = companion.ports.users?.session(named: signed.session)
        // The network or the device may restrict the user's role.
        signed.role = session.map { grant.signedIn($0).role } ?? signed.role
        if isKept { signed.token = nil }
        reply.data = signed
        guard isKept else { return response(to: reply) }
        return response(to: reply).adding(cookie(token, until: signed.expiresMs, for: request))
    }

    private func cookie(_ token: String, until expiresMs: Milliseconds?, for request: HTTPRequest) -> (String, String) {
        HubAdmission.header(keeping: token, for: request, until: expiresMs, nowMs: companion.ports.devices?.wallMs() ?? 0)
    }

    /// The form of an unauthenticated browser: a user's name and password let it in.
    func beginUserSession(_ request: HTTPRequest) async -> HTTPResponse {
        let name = companion.ports.identity.name, theme = PairTheme(of: request)
        guard let users = companion.ports.users, request.headers["origin"] != nil else {
            return .sentence(403, "Only the hub's own page may do this.")
        }
        let form = Self.form(request.body)
        do throws(ProtocolFault) {
            let signed = try await users.signIn(form["user"] ?? "", password: form["password"] ?? "", from: request.peer.address)
            return HTTPResponse(
                status: 303, headers: [("location", "/"), ("cache-control", "no-store")]
            ).adding(cookie(signed.token, until: signed.user.expiresMs, for: request))
        } catch {
            return PairPage.response(error.code == .rateLimited ? 429 : 403, name, in: theme, saying: error.sentence)
        }
    }
}

extension HTTPResponse {
    fileprivate func adding(_ header: (String, String)) -> HTTPResponse {
        var response = self
        response.headers.append(header)
        return response
    }
}
