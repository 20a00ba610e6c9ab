/// HTTP as the hub sees it: whole small requests, and answers that are whole and small or read piece by piece.

package struct HTTPRequest: Sendable {
    package enum Method: String, Sendable { case get = "GET", head = "HEAD", post = "POST" }

    package var method: Method
    /// Percent-decoded, always beginning with `/`, without the query.
    package var path: String
    /// Percent-decoded names and values in their order.
    package var query: [(name: String, value: String)]
    /// Lower-case names. Only those that `RequestHead` lists are kept.
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
    /// What follows the body, too much to be held at once.
    package var stream: HTTPStream?

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], stream: HTTPStream? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.stream = stream
    }

    package var length: Int64 { Int64(body.count) + (stream?.length ?? 0) }

    /// A sentence as plain text.
    package static func sentence(_ status: Int, _ text: String, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("content-type", "text/plain; charset=utf-8")] + headers, body: Array((text + "\n").utf8))
    }
}

/// Bytes of a known number, read off the loop while the peer takes them: a peer that reads slowly costs
/// the memory of one piece, and a disk that does not answer delays no other peer.
package struct HTTPStream: Sendable {
    package var length: Int64
    /// Where in the whole it begins.
    package var start: Int64
    /// Up to so many bytes from there. None, or `nil`, when there are no more than that after all: then
    /// the connection ends, since what was promised cannot be kept.
    package var read: @Sendable (_ at: Int64, _ count: Int) -> [UInt8]?
    /// Where `read` is called.
    package var blockingPool: any TaskExecutor

    package static let pieceBytes = 64 * 1024

    package init(
        start: Int64 = 0, length: Int64, blockingPool: any TaskExecutor, read: @escaping @Sendable (_ at: Int64, _ count: Int) -> [UInt8]?
    ) {
        self.start = start
        self.length = length
        self.blockingPool = blockingPool
        self.read = read
    }
}

/// Who answers what comes in at a listening port.
@Loop
package protocol Reception: AnyObject {
    /// Answers a plain request. The task is cancelled when the connection ends.
    func respond(to request: HTTPRequest) async -> HTTPResponse
    /// Decides on an upgrade to WebSocket before it happens.
    func admit(_ request: HTTPRequest) -> Admission
    /// Asked before TLS costs anything. A connection that is not received is closed without a word.
    func receives(_ peer: Peer) -> Bool
}

package enum Admission {
    case accept(any LinkOwner)
    case refuse(HTTPResponse)
}
