/// What monitoring reads over HTTP: `/metrics` with the figures of the hub, and `/health` for load balancers.
package import BatonSeams

@Loop
package enum Metrics {
    /// Where figures are told on a listening socket of their own. It answers nothing else.
    package nonisolated static let listener = ListenerName("metrics")

    package enum Readers: Sendable {
        /// All who reach the socket of its own.
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

    /// Everyone learns whether the hub is well, and admins why it is not: a sentence may name a file.
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
