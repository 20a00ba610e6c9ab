/// WebSockets that connectors open to other servers.
package protocol WebSocketClient: Sendable {
    /// Connects, within the limits' time. Cancelling the task gives it up.
    func connect(_ request: WebSocketRequest) async throws(WebSocketFault) -> any WebSocketConnection
}

package struct WebSocketRequest: Sendable {
    /// `ws://` or `wss://`; a server's certificate is checked, its host name included.
    package var url: String
    /// Sent with the request for the upgrade. Their values may be keys, and appear in no sentence.
    package var headers: [(name: String, value: String)]
    /// The server must choose one of these; empty for none.
    package var subprotocols: [String]
    package var limits: WebSocketLimits
    /// Asked about every address of the host before anything is sent there. Redirects are not followed. A proxy looks the name
    /// up itself, so the policy is not asked then.
    package var policy: AddressPolicy

    package init(
        _ url: String, headers: [(name: String, value: String)] = [], subprotocols: [String] = [],
        limits: WebSocketLimits = WebSocketLimits(),
        policy: AddressPolicy = .publicOnly
    ) {
        self.url = url
        self.headers = headers
        self.subprotocols = subprotocols
        self.limits = limits
        self.policy = policy
    }
}

package struct WebSocketLimits: Equatable, Sendable {
    /// From the call to the open connection.
    package var connect: Duration = .seconds(10)
    /// The longest message that is taken; a longer one ends the connection with 1009.
    package var messageBytes = 1 << 20
    /// While this many messages wait for the reader, or `messageBytes` of them, nothing more is read from the server.
    package var messagesHeld = 64
    /// This much may wait to be sent; `send` waits while it does.
    package var unsentBytes = 1 << 20
    /// Silence before the server is asked whether it is there, and before it is given up.
    package var pingAfter: Duration = .seconds(20)
    package var silence: Duration = .seconds(45)

    package init() {}
}

package enum WebSocketMessage: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
}

/// One open connection. For one reader and any number of writers.
package protocol WebSocketConnection: AnyObject, Sendable {
    /// The one that the server chose.
    var subprotocol: String? { get }

    /// The next message; `nil` when the connection has ended, or the task was cancelled.
    func next() async -> WebSocketMessage?

    /// Sends a message; waits while too much waits already.
    func send(_ message: WebSocketMessage) async throws(WebSocketFault)

    /// Sends a close frame after the messages that wait, and ends the connection.
    func close(_ code: UInt16, _ reason: String) async

    /// How it ended; waits for the end.
    func ending() async -> WebSocketEnding
}

/// 1005 is a close without a code, 1006 the loss of the connection. libwebsockets reports a server's 1012, 1013 and 1014 as 1002.
package struct WebSocketEnding: Equatable, Sendable {
    package var code: UInt16
    package var reason: String
    package var byPeer: Bool

    package init(code: UInt16, reason: String, byPeer: Bool) {
        self.code = code
        self.reason = reason
        self.byPeer = byPeer
    }
}

/// Why a connection was not made, or cannot be used: a code to switch on and a sentence that names the host and no secret.
package struct WebSocketFault: Error, Equatable, Sendable {
    package enum Code: Equatable, Sendable {
        case badRequest, forbidden, notFound, refused, timedOut, certificate, closed, cancelled, failed
        /// The server answered with this status and not with a WebSocket.
        case rejected(status: Int)
    }

    package var code: Code
    package var sentence: String

    package init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}
