/// A listener for line protocols such as that of MPD: lines in, bytes out.
///
/// A dialect implements `LineDialect` and `LineOwner`, and gets its connections without knowing of sockets. The listener splits bytes into lines,
/// enforces `LineLimits`, and reads no faster than its owner works.
@Loop
package protocol LineListener: AnyObject {
    /// Listens on a numeric address or `localhost`; port 0 finds a free one. Returns the port.
    func listen(tcp host: String, port: UInt16) throws(ListenFault) -> UInt16

    /// Listens on a socket file with this mode. A file that a dead process left is replaced.
    func listen(unix path: String, mode: UInt32) throws(ListenFault)

    var connectionCount: Int { get }

    /// Stops listening, sends the dialect's last words to every peer, and waits until all connections have ended; after `grace` the rest are cut.
    func close(grace: Duration) async
}

/// The reason why a listener could not open, as a sentence for people.
package struct ListenFault: Error, Equatable, Sendable {
    /// The sentence, which names the address.
    package var sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// The side of the dialect that accepts connections.
@Loop
package protocol LineDialect: AnyObject {
    /// The owner of a new connection, which keeps the connection until `lineClosed`. `nil` closes it at once.
    func admit(_ connection: any LineConnection) -> (any LineOwner)?

    /// The message to a peer before the listener ends its connection, in the dialect's own form; empty for none.
    func lastWords(_ end: LineEnd) -> [UInt8]
}

/// The reason why the listener ends a connection.
package enum LineEnd: Equatable, Sendable {
    /// A line is longer than this many bytes.
    case lineTooLong(Int)
    /// No line came for this long.
    case idle(Duration)
    /// The listener or the address has reached its maximum number of connections.
    case tooManyConnections(Int)
    case closing
}

/// The dialect's side of one connection.
@Loop
package protocol LineOwner: AnyObject {
    /// Takes one line without its end, which is a line feed, perhaps after a carriage return.
    func received(line: [UInt8])
    /// All written bytes have gone to the kernel. Called after each `write` that could not be sent at once.
    func lineWritable()
    /// Called exactly once, whichever side ended the connection.
    func lineClosed()
}

/// One connection, for the dialect.
@Loop
package protocol LineConnection: AnyObject {
    var peer: Peer { get }

    /// Number of written bytes that wait for the peer. More may be written up to `LineLimits.unsentBytes`; a peer that exceeds this is cut.
    var unsentBytes: Int { get }

    /// The time that the peer may send no line; `nil` for no limit. A protocol whose clients wait for events sets it while they do.
    var idle: Duration? { get set }

    /// Sends bytes of any kind.
    func write(_ bytes: [UInt8])

    /// Delivers no line until `resume`, not even those that came together with the present one. The peer's bytes stay in the kernel, and its idle
    /// time stops.
    func pause()
    /// Delivers lines again, beginning with those that came meanwhile.
    func resume()

    /// Ends the connection after sending the written bytes.
    func close()
}

/// The limits of a listener.
package struct LineLimits: Equatable, Sendable {
    /// Maximum bytes of a line without its end.
    package var lineBytes = 4_096
    /// Maximum bytes that may wait for a peer that does not read.
    package var unsentBytes = 1 << 20
    /// Time limit for a peer that takes none of the waiting bytes.
    package var stalled: Duration = .seconds(10)
    /// Time limit for a peer that sends no complete line.
    package var idle: Duration? = .seconds(60)
    /// Maximum number of connections to the listener.
    package var connections = 64
    /// Connections from one address; unix sockets count as one address.
    package var connectionsPerAddress = 16
    /// Number of lines of one peer that are delivered before others are served.
    package var linesPerTurn = 32
    /// Time from the last words until the connection is ended, if the peer does not close it.
    package var closingTime: Duration = .seconds(2)
    /// Number of connections that the kernel holds until they are accepted.
    package var backlog: Int32 = 256

    package init() {}
}
