import BatonSeams
import WebRemote

/// The web remote over HTTP: content types, security policy, compression, and caching.
extension RequestRouter {
    /// The file at this path, or `nil`.
    func page(for request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .get || request.method == .head, let file = WebRemote.file(at: request.path) else { return nil }
        let isGzip = file.isText && Self.takesGzip(request.headers["accept-encoding"])
        // Each encoding has its own tag (RFC 9110, 8.8.3), so that a cache does not mix them up.
        let tag = isGzip ? "\"\(WebRemote.version)-gzip\"" : "\"\(WebRemote.version)\""
        var headers = [
            ("content-type", file.type), ("etag", tag),
            // A document is revalidated each time, which costs one answer without a body; the files that it names never change.
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
