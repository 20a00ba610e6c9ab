/// Listening for protocols of lines, such as a music player daemon's: lines in, bytes out.
///
/// A dialect implements `LineDialect` and `LineOwner`, and gets its connections without knowing of sockets. The
/// listener splits bytes into lines, keeps every bound in `LineLimits`, and reads no faster than its owner works.
@Loop
package protocol LineListener: AnyObject {
    /// Listens on a numeric address or `localhost`; port 0 finds a free one. Returns the port.
    func listen(tcp host: String, port: UInt16) throws(ListenFault) -> UInt16

    /// Listens on a socket file with this mode. One that a dead process left behind is replaced.
    func listen(unix path: String, mode: UInt32) throws(ListenFault)

    var connectionCount: Int { get }

    /// Stops listening, sends the dialect's last words to every peer, and waits until all have ended; after
    /// `grace` the others are cut.
    func close(grace: Duration) async
}

/// Why a listener could not open, as a sentence for people.
package struct ListenFault: Error, Equatable, Sendable {
    package var sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// The side of the dialect that accepts connections.
@Loop
package protocol LineDialect: AnyObject {
    /// The owner of a new connection, which keeps the connection until `lineClosed`. `nil` closes it at once.
    func admit(_ connection: any LineConnection) -> (any LineOwner)?

    /// What a peer is told before the listener ends its connection, in the dialect's own form; empty for nothing.
    func lastWords(_ end: LineEnd) -> [UInt8]
}

/// Why the listener ends a connection.
package enum LineEnd: Equatable, Sendable {
    /// A line is longer than this many bytes.
    case lineTooLong(Int)
    /// No line came for this long.
    case idle(Duration)
    /// The listener has, or this address has, as many connections as are allowed.
    case tooManyConnections(Int)
    case closing
}

/// The dialect's side of one connection.
@Loop
package protocol LineOwner: AnyObject {
    /// One line without its end: a line feed, or a carriage return and a line feed.
    func received(line: [UInt8])
    /// Everything that was written has gone to the kernel. Comes after each `write` that could not be sent at once.
    func lineWritable()
    /// Comes exactly once, whichever side ended the connection.
    func lineClosed()
}

/// One connection, as the dialect sees it.
@Loop
package protocol LineConnection: AnyObject {
    var peer: Peer { get }

    /// Bytes that were written and wait for the peer. Writing while there are any is allowed up to
    /// `LineLimits.unsentBytes`; a peer that lets more pile up is cut.
    var unsentBytes: Int { get }

    /// How long the peer may send no line; `nil` for ever. A protocol whose clients wait for news sets it while they do.
    var idle: Duration? { get set }

    /// Sends bytes of any kind.
    func write(_ bytes: [UInt8])

    /// Delivers no line until `resume`, also none of those that came in one piece with the present one. The peer's
    /// bytes stay in the kernel, and its idle time does not pass.
    func pause()
    func resume()

    /// Ends the connection after the bytes that were written.
    func close()
}

/// What one listener allows.
package struct LineLimits: Equatable, Sendable {
    /// A line's bytes, its end not counted.
    package var lineBytes = 4_096
    /// How much may wait for a peer that does not read.
    package var unsentBytes = 1 << 20
    /// How long a peer may take none of the bytes that wait for it.
    package var stalled: Duration = .seconds(10)
    /// How long a peer may send no whole line.
    package var idle: Duration? = .seconds(60)
    package var connections = 64
    /// Connections from one address; unix sockets count as one address.
    package var connectionsPerAddress = 16
    /// How many lines of one peer are delivered before others are served.
    package var linesPerTurn = 32
    /// From the last words to the end of the connection, where the peer does not close.
    package var closingTime: Duration = .seconds(2)
    /// Connections that the kernel holds until they are accepted.
    package var backlog: Int32 = 256

    package init() {}
}
