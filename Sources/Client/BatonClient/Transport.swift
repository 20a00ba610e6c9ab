/// How bytes reach a hub. The satellite brings libwebsockets; another platform brings its own, and
/// everything above it stays the same.
public protocol Transport: Sendable {
    /// Opens a WebSocket that speaks `Wire.subprotocol`. Throws `ConnectFault` with a sentence.
    func connect(to endpoint: Endpoint) async throws(ConnectFault) -> any Channel
}

/// One open WebSocket.
public protocol Channel: Sendable {
    /// Text messages in the order they came. Ends when the connection does.
    var messages: AsyncStream<[UInt8]> { get }
    /// Binary messages in the order they came, which carry pictures. A transport without them gives an empty stream.
    var pictures: AsyncStream<[UInt8]> { get }
    /// What TLS says of the two ends; `nil` without it.
    var security: ChannelSecurity? { get }
    /// Hands one text message over. A message sent to a connection that has ended is dropped; its
    /// end is told by `messages`.
    func send(_ text: [UInt8])
    /// Says goodbye with a close code.
    func close(_ code: UInt16)
    /// How it ended; waits until it has.
    func ending() async -> Ending
}

extension Channel {
    public var security: ChannelSecurity? { nil }
    public var pictures: AsyncStream<[UInt8]> { AsyncStream { $0.finish() } }
}

/// An encrypted connection, as seen from its client.
public struct ChannelSecurity: Equatable, Sendable {
    /// SHA-256 of the hub's public key.
    public var hubKey: [UInt8]
    /// What only the two ends know, where the client's TLS can tell.
    public var exporter: [UInt8]?

    public init(hubKey: [UInt8], exporter: [UInt8]? = nil) {
        self.hubKey = hubKey
        self.exporter = exporter
    }
}

/// How a connection ended: the close code and sentence of the other side, if it gave any.
public struct Ending: Equatable, Sendable {
    public var code: UInt16?
    public var sentence: String

    public init(code: UInt16? = nil, sentence: String = "") {
        self.code = code
        self.sentence = sentence
    }
}

/// Why there is no connection.
public struct ConnectFault: Error, Equatable, Sendable {
    /// What to decide by.
    public enum Code: Equatable, Sendable {
        /// No program listens there.
        case nobody
        /// A server answered and refused the connection; the status of its answer.
        case refused(status: Int)
        /// The hub ended the greeting with this close code.
        case ended(code: UInt16?)
        case timedOut
        /// The hub has not the key that this device was paired with.
        case otherKey
        /// This device is not paired with the hub.
        case notPaired
        /// The answer was not this protocol.
        case strange
    }

    public var code: Code
    /// For people.
    public var sentence: String

    public init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}
