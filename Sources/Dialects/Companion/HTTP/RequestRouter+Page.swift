import BatonSeams
import WebRemote

/// The web remote over HTTP: its types, its policy, and how long a browser may keep it.
extension RequestRouter {
    /// The file at this path, or nothing when there is none.
    func page(for request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .get || request.method == .head, let file = WebRemote.file(at: request.path) else { return nil }
        let tag = "\"\(WebRemote.version)\""
        var headers = [
            ("content-type", file.type), ("etag", tag),
            // A document is asked for each time and costs one answer without a body; what it names never changes.
            ("cache-control", file.isForever ? "public, max-age=31536000, immutable" : "no-cache"),
            ("x-content-type-options", "nosniff"),
        ]
        if let policy = file.policy { headers += [("content-security-policy", policy), ("referrer-policy", "no-referrer")] }
        if let known = request.headers["if-none-match"], known == "*" || known.contains(tag) {
            return HTTPResponse(status: 304, headers: headers)
        }
        return HTTPResponse(status: 200, headers: headers, body: file.bytes)
    }
}
