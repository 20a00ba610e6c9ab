/// WebSockets that connectors open to other servers.
package protocol WebSocketClient: Sendable {
    /// Connects within the time limit. Cancelling the task ends the attempt.
    func connect(_ request: WebSocketRequest) async throws(WebSocketFault) -> any WebSocketConnection
}

/// An upgrade request to another server.
package struct WebSocketRequest: Sendable {
    /// A URL with `ws://` or `wss://`; a server's certificate is checked, including its host name.
    package var url: String
    /// Headers of the upgrade request. Their values may be keys, and appear in no sentence.
    package var headers: [(name: String, value: String)]
    /// Subprotocols of which the server must choose one; empty for none.
    package var subprotocols: [String]
    /// The limits of time and size.
    package var limits: WebSocketLimits
    /// The rule for every address of the host, applied before anything is sent there. Redirects are not followed. A proxy looks up the name itself,
    /// so the rule is not applied then.
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

/// The limits of one connection: what its server may send, and how long it may be silent.
package struct WebSocketLimits: Equatable, Sendable {
    /// Time limit from the call to the open connection.
    package var connect: Duration = .seconds(10)
    /// The longest accepted message; a longer one ends the connection with 1009.
    package var messageBytes = 1 << 20
    /// Number of unread messages at which reading from the server stops, as it does at `messageBytes` of them.
    package var messagesHeld = 64
    /// Number of unsent bytes at which `send` waits.
    package var unsentBytes = 1 << 20
    /// Silence after which the server is pinged, and after which the connection is ended.
    package var pingAfter: Duration = .seconds(20)
    /// Silence after which the connection is ended.
    package var silence: Duration = .seconds(45)

    package init() {}
}

/// A complete message, put together from its frames.
package enum WebSocketMessage: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
}

/// An open connection, for one reader and any number of writers.
package protocol WebSocketConnection: AnyObject, Sendable {
    /// The subprotocol that the server chose.
    var subprotocol: String? { get }

    /// The next message; `nil` when the connection has ended, or the task was cancelled.
    func next() async -> WebSocketMessage?

    /// Sends a message; waits while too many bytes are unsent.
    func send(_ message: WebSocketMessage) async throws(WebSocketFault)

    /// Sends a close frame after the waiting messages, and ends the connection.
    func close(_ code: UInt16, _ reason: String) async

    /// Waits for the end of the connection, and returns how it ended.
    func ending() async -> WebSocketEnding
}

/// The close code and the reason. 1005 is a close without a code, 1006 the loss of the connection. libwebsockets reports a server's 1012, 1013 and
/// 1014 as 1002.
package struct WebSocketEnding: Equatable, Sendable {
    package var code: UInt16
    /// The reason in the close frame; empty where there was none.
    package var reason: String
    /// True when the server ended the connection, or it was lost.
    package var byPeer: Bool

    package init(code: UInt16, reason: String, byPeer: Bool) {
        self.code = code
        self.reason = reason
        self.byPeer = byPeer
    }
}

/// The reason why a connection was not made or cannot be used: a code to switch on, and a sentence that names the host and no secret.
package struct WebSocketFault: Error, Equatable, Sendable {
    /// The kind of fault, for decisions of connectors.
    package enum Code: Equatable, Sendable {
        case badRequest, forbidden, notFound, refused, timedOut, certificate, closed, cancelled, failed
        /// The server answered with this status instead of a WebSocket.
        case rejected(status: Int)
    }

    package var code: Code
    package var sentence: String

    package init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}
