/// Passes each request to its route after admission.
///
/// It is the only way from a server to a route: a request that has no route, lacks a header or is not admitted is answered here.
@Loop
package final class Router: Reception {
    private let admission: any Admission
    private let routes: Routes
    package let headers: Set<String>

    package init(_ admission: any Admission, _ routes: Routes) {
        self.admission = admission
        self.routes = routes
        headers = routes.headers
    }

    /// Asks admission before the cost of TLS.
    package func receives(_ peer: Peer) -> Bool { admission.receives(peer) }

    /// Decides by the best matching route; a path without any is refused before its body is read.
    package func opening(of request: HTTPRequest, _ method: HTTPRequest.Method?) -> RequestOpening {
        guard let method else { return .refuse(notAllowed(request)) }
        let found = routes.found(method, request.path, at: request.listener)
        guard let best = found.first else { return .refuse(notAllowed(request)) }
        if let most = best.streamBytes { return .stream(most: most) }
        // Admission decides later among routes of equal rank.
        let limits = found.filter { $0.path.rank == best.path.rank }.map(\.bodyBytes)
        return .body(most: limits.contains(nil) ? nil : limits.compactMap { $0 }.max())
    }

    /// Finds the subprotocol of a path; any other path is refused with those that there are.
    package func upgradeOpening(of request: HTTPRequest) -> UpgradeOpening {
        if let found = routes.upgrade(request.path, at: request.listener) { return .speaks(found.subprotocol) }
        let paths = routes.upgradePaths(at: request.listener)
        return .refuse(
            .sentence(404, paths.isEmpty ? "WebSocket is not spoken here." : "WebSocket is spoken at \(Self.list(paths)) only."))
    }

    /// Answers by the best route whose audience the peer belongs to.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let found = routes.found(request.method, request.path, at: request.listener)
        guard let best = found.first else { return notAllowed(request) }
        switch admission.admit(request, to: best.audience, forUpgrade: false) {
        case .refused(let response): return response
        case .visitor(let grant):
            let isFor = { (route: Routes.Route) in route.audience.includes(isProved: !grant.needsProof) }
            guard let route = found.first(where: isFor) else { return Self.nothing }
            // A route for all paths does not answer for a path that has other methods.
            if route.path == .root, routes.own(request.path, at: request.listener).contains(where: isFor) { return notAllowed(request) }
            if let missing = Self.missing(route.neededHeaders, in: request) { return missing }
            if let most = route.bodyBytes, request.body.count > most { return .bodyTooLong(Int64(most)) }
            return await route.answer(request.with(route.path.parts(of: request.path)), grant)
        }
    }

    /// Decides by the route of the path, after admission.
    package func upgrade(_ request: HTTPRequest) -> UpgradeAnswer {
        guard let route = routes.upgrade(request.path, at: request.listener) else { return .refuse(Self.nothing) }
        switch admission.admit(request, to: route.audience, forUpgrade: true) {
        case .refused(let response): return .refuse(response)
        case .visitor(let grant):
            guard route.audience.includes(isProved: !grant.needsProof) else { return .refuse(Self.nothing) }
            if let missing = Self.missing(route.neededHeaders, in: request) { return .refuse(missing) }
            return route.decide(request.with(route.path.parts(of: request.path)), grant)
        }
    }

    // MARK: Refusing

    private static var nothing: HTTPResponse { .sentence(404, "There is nothing at this address.") }

    private func notAllowed(_ request: HTTPRequest) -> HTTPResponse {
        let methods = routes.methods(at: request.path, request.listener).map(\.rawValue)
        guard !methods.isEmpty else { return Self.nothing }
        return .sentence(
            405, "Only \(Self.list(methods)) \(methods.count == 1 ? "is" : "are") understood here.",
            headers: [("allow", methods.joined(separator: ", "))])
    }

    private static func missing(_ needed: [String], in request: HTTPRequest) -> HTTPResponse? {
        needed.first { request.headers[$0] == nil }.map { .sentence(400, "A request to this address needs the header \($0).") }
    }

    private static func list(_ words: [String]) -> String {
        words.count < 2 ? words.joined() : "\(words.dropLast().joined(separator: ", ")) and \(words[words.count - 1])"
    }
}

extension HTTPRequest {
    fileprivate func with(_ parts: [String: String]?) -> HTTPRequest {
        guard let parts, !parts.isEmpty else { return self }
        var request = self
        request.parts = parts
        return request
    }
}
