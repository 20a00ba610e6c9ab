import BatonSeams

/// The request that follows a redirect. A value, computed from status, method and addresses.
struct Redirect {
    var url: URLParts
    var method: HTTPCall.Method
    /// Custom headers and the body are repeated only for the same server.
    var keepsHeaders: Bool
    var keepsBody: Bool
    var isForGood: Bool

    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// `from` is the URL of the request before.
    init(status: Int, location: String, method: HTTPCall.Method, hasBody: Bool, from: URLParts) throws(HTTPCallFault) {
        let next = try from.following(location)
        let repeats = status == 307 || status == 308 || method == .get || method == .head
        url = next
        // Like browsers, the client does not send a form again after 301 to 303.
        self.method = repeats ? method : .get
        keepsHeaders = next.isSameServer(as: from)
        keepsBody = repeats && hasBody
        isForGood = status == 301 || status == 308
        guard keepsHeaders || !keepsBody else {
            throw HTTPCallFault(.refused, "\(from.origin) wants the request sent to \(next.origin), which was not meant to get it.")
        }
    }
}
