import BatonSeams

/// What an answer with a redirect leads to. A value: status, method and addresses in, the next request out.
struct Redirect {
    var url: URLParts
    var method: HTTPCall.Method
    /// Own headers and the body go on only to the same server.
    var keepsHeaders: Bool
    var keepsBody: Bool
    var isForGood: Bool

    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// `from` is the URL that was asked.
    init(status: Int, location: String, method: HTTPCall.Method, hasBody: Bool, from: URLParts) throws(HTTPCallFault) {
        let next = try from.following(location)
        let repeats = status == 307 || status == 308 || method == .get || method == .head
        url = next
        // As browsers do: after 301 to 303 a form is not sent again.
        self.method = repeats ? method : .get
        keepsHeaders = next.isSameServer(as: from)
        keepsBody = repeats && hasBody
        isForGood = status == 301 || status == 308
        guard keepsHeaders || !keepsBody else {
            throw HTTPCallFault(.refused, "\(from.place) wants the request sent to \(next.place), which was not meant to get it.")
        }
    }
}
