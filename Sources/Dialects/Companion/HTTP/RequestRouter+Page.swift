import BatonSeams
import WebRemote

/// The web remote over HTTP: its types, its policy, its compressed form, and how long a browser may keep it.
extension RequestRouter {
    /// The file at this path, or nothing when there is none.
    func page(for request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .get || request.method == .head, let file = WebRemote.file(at: request.path) else { return nil }
        let isGzip = file.isText && Self.takesGzip(request.headers["accept-encoding"])
        // Each form has a tag of its own (RFC 9110, 8.8.3): a cache must not take one for the other.
        let tag = isGzip ? "\"\(WebRemote.version)-gzip\"" : "\"\(WebRemote.version)\""
        var headers = [
            ("content-type", file.type), ("etag", tag),
            // A document is asked for each time and costs one answer without a body; what it names never changes.
            ("cache-control", file.isForever ? "public, max-age=31536000, immutable" : "no-cache"),
            ("x-content-type-options", "nosniff"),
        ]
        if file.isText { headers.append(("vary", "accept-encoding")) }
        if let policy = file.policy { headers += [("content-security-policy", policy), ("referrer-policy", "no-referrer")] }
        if let known = request.headers["if-none-match"], known == "*" || known.contains(tag) {
            return HTTPResponse(status: 304, headers: headers)
        }
        guard isGzip else { return HTTPResponse(status: 200, headers: headers, body: file.bytes) }
        return HTTPResponse(status: 200, headers: headers + [("content-encoding", "gzip")], body: file.gzipped)
    }

    /// Whether an `Accept-Encoding` header names gzip and does not refuse it with a weight of zero (RFC 9110, 12.5.3).
    nonisolated static func takesGzip(_ header: String?) -> Bool {
        guard let header else { return false }
        return header.lowercased().split(separator: ",").contains { choice in
            let parts = choice.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let name = parts.first, ["gzip", "x-gzip"].contains(name) else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }
}
