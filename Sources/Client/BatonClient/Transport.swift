/// Connects to hubs. The satellite uses libwebsockets; other platforms bring their own transport, and all code above
/// it stays the same.
public protocol Transport: Sendable {
    /// Opens a WebSocket with `CoreVersion.subprotocol` at `CoreVersion.path`. Throws `ConnectFault` with a sentence.
    func connect(to endpoint: Endpoint) async throws(ConnectFault) -> any Channel
}

/// An open WebSocket.
public protocol Channel: Sendable {
    /// Text messages in order of arrival. Ends with the connection.
    var messages: AsyncStream<[UInt8]> { get }
    /// Binary messages in order of arrival, which carry pictures. A transport without them returns an empty stream.
    var pictures: AsyncStream<[UInt8]> { get }
    /// The TLS properties of the connection; `nil` without TLS.
    var security: ChannelSecurity? { get }
    /// Sends a text message. After the connection has ended, messages are dropped; `messages` reports the end.
    func send(_ text: [UInt8])
    /// Closes the connection with a close code.
    func close(_ code: UInt16)
    /// Waits for the connection to end; returns how it ended.
    func ending() async -> Ending
}

extension Channel {
    /// Default for a transport or test double without TLS.
    public var security: ChannelSecurity? { nil }
    /// Default for a transport that receives no pictures.
    public var pictures: AsyncStream<[UInt8]> { AsyncStream { $0.finish() } }
}

/// An encrypted connection, from its client's side.
public struct ChannelSecurity: Equatable, Sendable {
    /// SHA-256 of the hub's public key.
    public var hubKey: [UInt8]
    /// Keying material that only the two ends know, if the client's TLS exports it.
    public var exporter: [UInt8]?

    /// Properties that the transport reads after the handshake. Without exported material the proofs are bound to the hub's key alone.
    public init(hubKey: [UInt8], exporter: [UInt8]? = nil) {
        self.hubKey = hubKey
        self.exporter = exporter
    }
}

/// The end of a connection: the other side's close code and sentence, if it gave any.
public struct Ending: Equatable, Sendable {
    /// The close code of RFC 6455 or of the protocol; `nil` if the connection broke without a close frame.
    public var code: UInt16?
    /// The reason in the close frame; empty if there was none.
    public var sentence: String

    /// An ending; without arguments, one of which nothing is known.
    public init(code: UInt16? = nil, sentence: String = "") {
        self.code = code
        self.sentence = sentence
    }
}

/// The reason why there is no connection.
public struct ConnectFault: Error, Equatable, Sendable {
    /// The kind of fault, for decisions.
    public enum Code: Equatable, Sendable {
        /// No program listens at the address.
        case nobody
        /// A server refused the connection with this status.
        case refused(status: Int)
        /// The hub ended the greeting with this close code.
        case ended(code: UInt16?)
        /// No answer arrived within the time limit.
        case timedOut
        /// The hub's key differs from the one that this device was paired with.
        case otherKey
        /// This device is not paired with the hub.
        case notPaired
        /// The answer does not follow this protocol.
        case strange
    }

    /// The kind of fault, on which reconnecting decides.
    public var code: Code
    /// The text for people.
    public var sentence: String

    /// A fault with a whole sentence, which programs show unchanged.
    public init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}
