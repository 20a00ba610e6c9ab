/// HTTP as the hub sees it: whole small requests, whole small answers.

package struct HTTPRequest: Sendable {
    package enum Method: String, Sendable { case get = "GET", head = "HEAD", post = "POST" }

    package var method: Method
    /// Percent-decoded, always beginning with `/`, without the query.
    package var path: String
    /// Percent-decoded names and values in their order.
    package var query: [(name: String, value: String)]
    /// Lower-case names. Only those that Sockets lists are kept.
    package var headers: [String: String]
    package var body: [UInt8]
    package var peer: Peer

    package init(
        method: Method, path: String, query: [(name: String, value: String)] = [], headers: [String: String] = [:],
        body: [UInt8] = [], peer: Peer
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peer = peer
    }
}

package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A sentence as plain text.
    package static func sentence(_ status: Int, _ text: String, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("content-type", "text/plain; charset=utf-8")] + headers, body: Array((text + "\n").utf8))
    }
}

/// Who answers what comes in at a listening port.
@Loop
package protocol Reception: AnyObject {
    /// Answers a plain request. Sockets ends the task when the connection goes away.
    func respond(to request: HTTPRequest) async -> HTTPResponse
    /// Decides on an upgrade to WebSocket before it happens.
    func admit(_ request: HTTPRequest) -> Admission
}

package enum Admission {
    case accept(any LinkOwner)
    case refuse(HTTPResponse)
}
