/// HTTP as routes see it: requests and answers that are whole and small, or read piece by piece.

package struct HTTPRequest: Sendable {
    package enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method
    /// Percent-decoded, always beginning with `/`, without the query.
    package var path: String
    /// Percent-decoded names and values in their order.
    package var query: [(name: String, value: String)]
    /// Lower-case names. Only those are kept that `RequestHead` lists or a route needs.
    package var headers: [String: String]
    package var body: [UInt8]
    /// In the place of `body`, where the route reads it while it arrives.
    package var incoming: IncomingBody?
    package var peer: Peer
    /// The listening socket that it came by.
    package var listener: ListenerName
    /// The named parts of its path, as its route names them.
    package var parts: [String: String] = [:]

    package init(
        method: Method, path: String, query: [(name: String, value: String)] = [], headers: [String: String] = [:],
        body: [UInt8] = [], peer: Peer, listener: ListenerName = .plain
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peer = peer
        self.listener = listener
    }

    /// A method that changes nothing (RFC 9110, 9.2.1).
    package var onlyLooks: Bool { method == .get || method == .head }

    /// The browser says that a page of another site or port asks (Fetch Metadata). Pictures and the like carry no `Origin`.
    package var isOfForeignPage: Bool {
        let site = headers["sec-fetch-site"]
        return headers["origin"] == nil && (site == "cross-site" || site == "same-site")
    }
}

package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// What follows the body, too much to be held at once.
    package var stream: HTTPStream?

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], stream: HTTPStream? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.stream = stream
    }

    /// `nil` when it shows only at the end.
    package var length: Int64? {
        guard let stream else { return Int64(body.count) }
        return stream.length.map { Int64(body.count) + $0 }
    }

    package static func bodyTooLong(_ most: Int64) -> HTTPResponse {
        .sentence(413, "A request may have at most \(most) bytes of body.")
    }

    /// A sentence as plain text.
    package static func sentence(_ status: Int, _ text: String, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("content-type", "text/plain; charset=utf-8")] + headers, body: Array((text + "\n").utf8))
    }
}

/// Bytes that are read outside of the loop while the peer takes them: a slow peer costs the memory of one piece, and a
/// slow disk delays no other peer.
package struct HTTPStream: Sendable {
    /// How many there are; `nil` when that shows only at the end. The answer is chunked then, and for HTTP/1.0 ended by the
    /// end of the connection.
    package var length: Int64?
    /// Where in the whole it begins.
    package var start: Int64
    /// Up to so many bytes from there. `nil`, or no bytes before the known length, ends the connection, so that the peer
    /// notices that some are missing; no bytes end an answer of unknown length.
    package var read: @Sendable (_ at: Int64, _ count: Int) async -> [UInt8]?
    /// The file whose bytes these are, from `start` on: they are passed on then without being read.
    package var file: (any FileRange)?
    /// The bytes from there to the end as a connection, which are passed on then without being read (`ByteSource.connection`).
    package var connection: (@Sendable (_ at: Int64) async -> BodyConnection?)?
    /// Of unknown length: ended by the end of the connection also for clients that know chunks.
    package var isPlain = false
    /// Where `read` is called.
    package var blockingPool: any TaskExecutor
    /// Asked before each piece; the connection is cut when it may not go on.
    package var mayGoOn: @Loop () -> Bool

    /// Below the size from which the allocator gives a block pages of its own (128 KiB), which would be mapped for each piece.
    package static let pieceBytes = 96 * 1024

    package init(
        start: Int64 = 0, length: Int64?, blockingPool: any TaskExecutor, mayGoOn: @escaping @Loop () -> Bool = { true },
        read: @escaping @Sendable (_ at: Int64, _ count: Int) async -> [UInt8]?
    ) {
        self.start = start
        self.length = length
        self.blockingPool = blockingPool
        self.mayGoOn = mayGoOn
        self.read = read
    }
}

/// Answers the requests that come in at a server's listening sockets. `Router` is the one of the hub.
@Loop
package protocol Reception: AnyObject, Sendable {
    /// The headers that are kept of a request beside the usual ones, in lower case.
    var headers: Set<String> { get }
    /// Asked before TLS costs anything. A connection that is not received is closed without an answer.
    func receives(_ peer: Peer) -> Bool
    /// Decides by a request's head how it goes on. `method` is `nil` for one that HTTPRequest does not know.
    func opening(of request: HTTPRequest, _ method: HTTPRequest.Method?) -> RequestOpening
    func upgradeOpening(of request: HTTPRequest) -> UpgradeOpening
    /// Answers a plain request. The task is cancelled when the connection ends.
    func respond(to request: HTTPRequest) async -> HTTPResponse
    /// Decides on an upgrade to WebSocket before it happens.
    func upgrade(_ request: HTTPRequest) -> UpgradeAnswer
}

package enum RequestOpening {
    /// The body is read, up to this many bytes; `nil` for the server's own limit.
    case body(most: Int?)
    /// The route reads the body while it arrives; one with more bytes than this is refused.
    case stream(most: Int64)
    case refuse(HTTPResponse)
}

package enum UpgradeOpening {
    /// The client must offer this subprotocol.
    case speaks(String?)
    case refuse(HTTPResponse)
}

package enum UpgradeAnswer {
    case accept(any LinkOwner)
    case refuse(HTTPResponse)
}
