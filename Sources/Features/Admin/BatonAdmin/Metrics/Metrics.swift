/// Monitoring over HTTP: `/metrics` with the hub's figures, and `/health` for load balancers.
package import BatonSeams

@Loop
package enum Metrics {
    /// A separate listening socket for metrics, which serves nothing else.
    package nonisolated static let listener = ListenerName("metrics")

    package enum Readers: Sendable {
        /// Everyone who can reach the separate socket.
        case ownListener
        case admins
    }

    package static func register(
        for readers: Readers, figures: @escaping @Loop () -> [MetricFamily], in routes: inout Routes
    ) {
        switch readers {
        case .ownListener:
            routes.add([.get, .head], .exact("/metrics"), for: .everyone, at: [listener]) { request, _ in
                told(figures(), to: request)
            }
        case .admins:
            routes.add([.get, .head], .exact("/metrics"), for: .visitors) { request, grant in
                guard grant.role == .admin else { return .sentence(403, "Figures of this hub are for admins.") }
                return told(figures(), to: request)
            }
        }
    }

    /// Tells everyone whether the hub is well, and only admins the reasons, since those sentences may name files.
    package static func registerHealth(_ problems: @escaping @Loop () -> [String], in routes: inout Routes) {
        routes.add([.get, .head], .exact("/health"), for: .everyone, at: ListenerName.usual.union([listener])) { _, grant in
            let problems = problems()
            if problems.isEmpty { return .sentence(200, "ok") }
            return .sentence(503, grant.role == .admin ? problems.joined(separator: "\n") : "The hub is not well.")
        }
    }

    private static func told(_ families: [MetricFamily], to request: HTTPRequest) -> HTTPResponse {
        let format = MetricsText.Format(accept: request.headers["accept"])
        return HTTPResponse(
            status: 200, headers: [("content-type", format.contentType), ("cache-control", "no-store")],
            body: Array(MetricsText(format).text(of: families).utf8))
    }
}
