/// One WebSocket connection, as the two sides of it see each other: WebServer implements `Link`,
/// the hub's session implements `LinkOwner`.

@Loop
package protocol Link: AnyObject {
    var peer: Peer { get }

    /// 32 bytes that only the two ends of this connection know; `nil` without TLS.
    var exporter: [UInt8]? { get }

    /// True when a frame written now goes straight to the kernel: nothing is queued in the socket
    /// library and the pipe is not choked. Writing outside of `linkWritable` is allowed only then.
    var isReady: Bool { get }

    /// The longest text and the longest binary message accepted; a longer one closes with 1009. The
    /// owner raises them after the handshake.
    var messageLimit: Int { get set }
    var binaryLimit: Int { get set }

    /// How long the peer may be silent. It changes when the owner knows who it is.
    var patience: Patience { get set }

    /// How much the peer may send. What comes faster is not read before its time, and a peer that keeps
    /// on sending is closed with 4429.
    var allowance: FrameAllowance { get set }

    /// Writes one frame. At most one for each `linkWritable`, or any time while `isReady`.
    func write(_ frame: Frame)

    /// Writes two frames as one: they leave together, in this order.
    func write(_ frame: Frame, then next: Frame)

    /// Asks for one `linkWritable`.
    func wantWritable()

    /// Sends a close frame and ends the connection. Nothing more is delivered but `linkClosed`.
    func close(_ code: UInt16, _ reason: String)
}

@Loop
package protocol LinkOwner: AnyObject {
    /// The handshake of WebSocket is done. The owner keeps the link until `linkClosed`.
    func linkOpened(_ link: any Link)
    /// A whole text message, valid UTF-8, within the limit.
    func linkReceived(text: [UInt8])
    /// A whole binary message, within the limit.
    func linkReceived(binary: [UInt8])
    func linkWritable()
    /// Comes exactly once, whether the hub or the peer ended it.
    func linkClosed()
}

/// Silence before a peer is asked whether it is there, and before it is given up.
package struct Patience: Equatable, Sendable {
    package var pingMs: Int32
    package var endMs: Int32

    package init(pingMs: Int, endMs: Int) {
        self.pingMs = Int32(clamping: pingMs)
        self.endMs = Int32(clamping: endMs)
    }
}

/// How many frames a peer may send, whatever is in them: `burst` at once, and `perSecond` after that.
package struct FrameAllowance: Equatable, Sendable {
    package var perSecond: Int32
    package var burst: Int32
    /// This many may have to wait within `windowMs`. The next one that does ends the connection.
    package var late: Int32
    package var windowMs: Int32

    package init(perSecond: Int, burst: Int, late: Int, windowMs: Int) {
        self.perSecond = Int32(clamping: max(1, perSecond))
        self.burst = Int32(clamping: max(1, burst))
        self.late = Int32(clamping: late)
        self.windowMs = Int32(clamping: windowMs)
    }
}

/// Who is at the other end, as far as the transport can tell.
package struct Peer: Equatable, Sendable {
    package enum Channel: Equatable, Sendable {
        /// A unix socket, with the user the kernel vouches for.
        case unix(uid: UInt32, gid: UInt32)
        /// A TCP connection that never left this machine, and no proxy's headers on the request.
        case loopback
        /// TCP from elsewhere, or through a proxy.
        case network
        /// TCP with TLS around it, from wherever.
        case tls
    }

    package var channel: Channel
    /// For logs and limits: an address without its port, or `unix`.
    package var address: String

    package init(channel: Channel, address: String) {
        self.channel = channel
        self.address = address
    }
}
