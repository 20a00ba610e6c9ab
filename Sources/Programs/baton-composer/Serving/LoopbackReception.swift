import BatonSeams

/// Admits programs on this machine, but no web pages: a page of another site could make a browser send requests to
/// this port.
@Loop
final class LoopbackAdmission: Admission {
    func receives(_ peer: Peer) -> Bool { peer.channel == .loopback }

    func admit(_ request: HTTPRequest, to audience: Audience, forUpgrade: Bool) -> Admitted {
        let host = request.headers["host"].map { String($0.prefix { $0 != ":" }) }
        guard request.headers["origin"] == nil, ["127.0.0.1", "localhost"].contains(host) else {
            return .refused(.detail(403, "Only programs of this machine are served here."))
        }
        return .visitor(Grant(role: .remote, trust: .itemsOnly, address: request.peer.address, scope: "local"))
    }
}

/// The service's routes, which also read the header `Idempotency-Key`.
@Loop
final class LoopbackReception: Reception {
    private let router: Router
    let headers: Set<String>

    init(_ routes: Routes) {
        router = Router(LoopbackAdmission(), routes)
        headers = router.headers.union(["idempotency-key"])
    }

    func receives(_ peer: Peer) -> Bool { router.receives(peer) }
    func opening(of request: HTTPRequest, _ method: HTTPRequest.Method?) -> RequestOpening { router.opening(of: request, method) }
    func upgradeOpening(of request: HTTPRequest) -> UpgradeOpening { router.upgradeOpening(of: request) }
    func respond(to request: HTTPRequest) async -> HTTPResponse { await router.respond(to: request) }
    func upgrade(_ request: HTTPRequest) -> UpgradeAnswer { router.upgrade(request) }
}
