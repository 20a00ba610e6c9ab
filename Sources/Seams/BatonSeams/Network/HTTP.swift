/// HTTP for routes: requests and answers that are complete and small, or read piece by piece.

/// A request as a route gets it.
package struct HTTPRequest: Sendable {
    /// The methods that routes may have; any other is refused.
    package enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method
    /// The percent-decoded path without the query; it always begins with `/`.
    package var path: String
    /// Percent-decoded names and values in order.
    package var query: [(name: String, value: String)]
    /// Headers with lower-case names: only those that `RequestHead` lists or a route needs.
    package var headers: [String: String]
    /// The whole body; empty where the route reads it while it arrives.
    package var body: [UInt8]
    /// Replaces `body` where the route reads the body while it arrives.
    package var incoming: IncomingBody?
    package var peer: Peer
    /// The listening socket of the connection.
    package var listener: ListenerName
    /// The named parts of its path, with the names in its route.
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

    /// True for a method that changes nothing (RFC 9110, 9.2.1).
    package var onlyLooks: Bool { method == .get || method == .head }

    /// True when the browser says that a page of another site or port makes the request (Fetch Metadata). Requests for pictures and the like have no
    /// `Origin`.
    package var isOfForeignPage: Bool {
        let site = headers["sec-fetch-site"]
        return headers["origin"] == nil && (site == "cross-site" || site == "same-site")
    }
}

/// An answer, complete or with a stream behind it.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    /// The bytes that are there already.
    package var body: [UInt8]
    /// The rest of the answer after `body`, which is too large for memory.
    package var stream: HTTPStream?

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], stream: HTTPStream? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.stream = stream
    }

    /// The length of the answer; `nil` when it is unknown before the end.
    package var length: Int64? {
        guard let stream else { return Int64(body.count) }
        return stream.length.map { Int64(body.count) + $0 }
    }

    /// The refusal of a body that is too long.
    package static func bodyTooLong(_ most: Int64) -> HTTPResponse {
        .sentence(413, "A request may have at most \(most) bytes of body.")
    }

    /// An answer with a sentence as plain text.
    package static func sentence(_ status: Int, _ text: String, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("content-type", "text/plain; charset=utf-8")] + headers, body: Array((text + "\n").utf8))
    }
}

/// Bytes that are read outside of the loop while the peer takes them: a slow peer costs the memory of one piece, and a slow disk delays no other
/// peer.
package struct HTTPStream: Sendable {
    /// The number of bytes; `nil` when it is unknown before the end. Then the answer is chunked, or for HTTP/1.0 ended by the end of the connection.
    package var length: Int64?
    /// The offset in the content at which it begins.
    package var start: Int64
    /// Reads up to `count` bytes. `nil`, or no bytes before the known length, ends the connection, so that the peer notices that some are missing; no
    /// bytes end an answer of unknown length.
    package var read: @Sendable (_ at: Int64, _ count: Int) async -> [UInt8]?
    /// The file with these bytes, from `start` on; they are then sent without being read.
    package var file: (any FileRange)?
    /// The rest of the bytes as a connection, which is then forwarded without being read (`ByteSource.connection`).
    package var connection: (@Sendable (_ at: Int64) async -> BodyConnection?)?
    /// True for an answer of unknown length that is ended by the end of the connection, even for clients that support chunks.
    package var isPlain = false
    /// The executor on which `read` is called.
    package var blockingPool: any TaskExecutor
    /// Called before each piece; the connection is cut when it returns false.
    package var mayGoOn: @Loop () -> Bool

    /// The size of a piece. It is below 128 KiB, from which on the allocator maps separate pages for each block.
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

/// Answers the requests at a server's listening sockets. `Router` is that of the hub.
@Loop
package protocol Reception: AnyObject, Sendable {
    /// Additional headers to keep of a request, in lower case.
    var headers: Set<String> { get }
    /// Called before the cost of TLS. A connection that is not received is closed without an answer.
    func receives(_ peer: Peer) -> Bool
    /// Decides from a request's head how it continues. `method` is `nil` for one that HTTPRequest lacks.
    func opening(of request: HTTPRequest, _ method: HTTPRequest.Method?) -> RequestOpening
    /// Decides from its head how an upgrade continues, before the handshake.
    func upgradeOpening(of request: HTTPRequest) -> UpgradeOpening
    /// Answers an ordinary request. The task is cancelled when the connection ends.
    func respond(to request: HTTPRequest) async -> HTTPResponse
    /// Decides on an upgrade to WebSocket before it happens.
    func upgrade(_ request: HTTPRequest) -> UpgradeAnswer
}

/// The way in which a request continues after its head.
package enum RequestOpening {
    /// The body is read up to this many bytes; `nil` for the server's own limit.
    case body(most: Int?)
    /// The route reads the body while it arrives; a body with more bytes is refused.
    case stream(most: Int64)
    /// The answer at once; the body is not read.
    case refuse(HTTPResponse)
}

/// The first decision about an upgrade, before the handshake.
package enum UpgradeOpening {
    /// The client must offer this subprotocol.
    case speaks(String?)
    /// The answer at once; nothing is upgraded.
    case refuse(HTTPResponse)
}

/// The final decision about an upgrade.
package enum UpgradeAnswer {
    /// The connection becomes a WebSocket with this owner.
    case accept(any LinkOwner)
    /// The answer instead of an upgrade.
    case refuse(HTTPResponse)
}
