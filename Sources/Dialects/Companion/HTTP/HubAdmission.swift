import BatonCore
import BatonProtocol
import BatonSeams

/// The admission check of every route.
///
/// It keeps other web pages from controlling the hub through a visitor's browser: a request with an `Origin` must come from the hub's own
/// page or an allowed one. A foreign name in `Host` is a DNS name that an attacker pointed at this machine.
@Loop
final class HubAdmission: Admission {
    let companion: Companion
    private let policy: AdmissionPolicy

    init(_ companion: Companion, _ policy: AdmissionPolicy) {
        self.companion = companion
        self.policy = policy
    }

    func receives(_ peer: Peer) -> Bool { companion.ports.devices?.receives(peer.address) ?? true }

    func admit(_ request: HTTPRequest, to audience: Audience, forUpgrade: Bool) -> Admitted {
        let address = request.peer.address
        guard audience != .everyone else { return .visitor(.unproved(address: address)) }
        if forUpgrade, companion.ports.connections() >= companion.limits.connections {
            return .refused(
                .sentence(503, "This hub has as many connections as it allows. Try again soon.", headers: [("retry-after", "5")]))
        }
        do throws(Refusal) {
            let grant = owned(try grant(request, forUpgrade: forUpgrade), request)
            if forUpgrade, grant.needsProof || request.peer.channel == .network, !Self.isLoopback(grant.address),
                companion.strangers(from: grant.address) >= companion.limits.unauthenticatedPerAddress
            {
                return .refused(
                    .sentence(429, "Too many connections from this address have not said hello yet.", headers: [("retry-after", "5")]))
            }
            return .visitor(grant)
        } catch {
            return .refused(error.response)
        }
    }

    private static func isLoopback(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }

    struct Refusal: Error { let response: HTTPResponse }

    private func grant(_ request: HTTPRequest, forUpgrade: Bool) throws(Refusal) -> Grant {
        let role = policy.lanPlain
        if request.peer.channel == .network, role == nil {
            throw forbidden(
                "This hub speaks without encryption to its own machine only. Use its TLS port, or ask its owner for --lan-plain.")
        }
        // These checks apply to every channel: any of them may have a proxy in front, and a browser before that.
        guard hostIsOurs(request) else { throw forbidden("This address does not belong to the hub.") }
        guard originIsOurs(request) else { throw forbidden("Pages from elsewhere may not steer this hub.") }
        let address = request.peer.address
        switch request.peer.channel {
        case .unix(let uid, _): return Grant(role: .admin, trust: .anyPath, address: "unix", scope: "\(Grant.userScope)\(uid)")
        case .loopback: return Grant(role: .remote, trust: .ownMachine, address: address, scope: Grant.localScope)
        case .network:
            let role = role ?? .listener
            return Grant(role: role, trust: Grant.trust(of: role), address: address, scope: "lan")
        case .tls: return try secureGrant(request, forUpgrade: forUpgrade)
        }
    }

    private func forbidden(_ sentence: String) -> Refusal { Refusal(response: .sentence(403, sentence)) }

    /// Without an `Origin`, a request that changes something does not come from a page, unless the browser reports one.
    private func originIsOurs(_ request: HTTPRequest) -> Bool {
        guard let origin = request.headers["origin"] else { return request.onlyLooks || !request.isOfForeignPage }
        if policy.origins.all.contains(origin.lowercased()) { return true }
        return Self.isOwnPage(request)
    }

    /// Whether the request is from a page that this hub gave, as its `Origin` says.
    static func isOwnPage(_ request: HTTPRequest) -> Bool {
        guard let origin = request.headers["origin"], let host = request.headers["host"] else { return false }
        let scheme = request.peer.channel == .tls ? "https" : "http"
        return origin.lowercased() == "\(scheme)://\(host.lowercased())"
    }

    /// Over the network, an address or a name of this machine; on loopback, a name that only this machine has. A socket file has no name,
    /// so a program may also send none, the machine's, or `hub`, as the examples do.
    private func hostIsOurs(_ request: HTTPRequest) -> Bool {
        let isUnix = if case .unix = request.peer.channel { true } else { false }
        guard let named = request.headers["host"] else { return isUnix }
        guard let host = Authority(named) else { return false }
        if host.isLoopback { return true }
        if request.peer.channel == .loopback { return false }
        return policy.hostNames.contains(host.host) || policy.origins.hosts.contains(host.host)
            || (isUnix ? host.host == "hub" : host.isAddress)
    }
}
