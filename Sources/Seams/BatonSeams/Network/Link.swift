package import BatonCore

/// One WebSocket connection, as its two sides see each other: WebServer implements `Link`, and the hub's session implements `LinkOwner`.

/// The server's side of a connection, as the dialect sees it. The server owns the socket.
@Loop
package protocol Link: AnyObject {
    var peer: Peer { get }

    /// 32 bytes that only the two ends of this connection know; `nil` without TLS.
    var exporter: [UInt8]? { get }

    /// True when a frame written now goes straight to the kernel: nothing is queued in the socket library and the socket accepts data. Outside of
    /// `linkWritable`, writing is permitted only then.
    var isReady: Bool { get }

    /// The limits for the peer. They change when the owner knows who it is.
    var bounds: LinkBounds { get set }

    /// Writes one frame. At most one for each `linkWritable`, or any time while `isReady`.
    func write(_ frame: Frame)

    /// Writes two frames as one: they are sent together, in this order.
    func write(_ frame: Frame, then next: Frame)

    /// Requests one `linkWritable`.
    func wantWritable()

    /// Sends a close frame and ends the connection. After this only `linkClosed` is called.
    func close(_ code: UInt16, _ reason: String)
}

/// The side of the hub, which owns the session.
@Loop
package protocol LinkOwner: AnyObject {
    /// The WebSocket handshake is done. The owner keeps the link until `linkClosed`.
    func linkOpened(_ link: any Link)
    /// Takes a complete text message, valid UTF-8, within the limit.
    func linkReceived(text: [UInt8])
    /// Takes a complete binary message, within the limit.
    func linkReceived(binary: [UInt8])
    /// The link can take a frame; called once for each `wantWritable`.
    func linkWritable()
    /// Called exactly once, whichever side ended the connection.
    func linkClosed()
}

/// The limits for the peer of a link.
package struct LinkBounds: Equatable, Sendable {
    /// The longest accepted text message; a longer one closes with 1009.
    package var textBytes: Int
    /// The longest accepted binary message; a longer one closes with 1009.
    package var binaryBytes: Int
    /// The limits for the peer's silence.
    package var patience: Patience
    /// The limit for the peer's frames. Faster frames are read later, and a peer that keeps sending them is closed with 4429.
    package var allowance: FrameAllowance

    package init(textBytes: Int, binaryBytes: Int, patience: Patience, allowance: FrameAllowance) {
        self.textBytes = textBytes
        self.binaryBytes = binaryBytes
        self.patience = patience
        self.allowance = allowance
    }
}

/// Silence after which a peer is pinged, and after which its connection is ended.
package struct Patience: Equatable, Sendable {
    // Four bytes each, because every connection has them.
    private let pingMs: Int32
    private let endMs: Int32

    /// Silence after which the peer is pinged.
    package var pingUs: Microseconds { Microseconds(Milliseconds(pingMs)) }
    /// Silence after which the connection is ended.
    package var endUs: Microseconds { Microseconds(Milliseconds(endMs)) }

    package init(pingMs: Milliseconds, endMs: Milliseconds) {
        self.pingMs = Int32(clamping: pingMs.count)
        self.endMs = Int32(clamping: endMs.count)
    }
}

/// The number of frames that a peer may send, whatever they contain: `burst` at once, and `perSecond` after that.
package struct FrameAllowance: Equatable, Sendable {
    /// Number of frames a second in the long run, at least 1.
    package var perSecond: Int32
    /// Number of frames that may come at once, at least 1.
    package var burst: Int32
    /// Number of frames that may be delayed within `windowUs`. One more ends the connection.
    package var late: Int32
    private let windowMs: Int32

    /// The time in which `late` is counted.
    package var windowUs: Microseconds { Microseconds(Milliseconds(windowMs)) }

    package init(perSecond: Int, burst: Int, late: Int, windowMs: Milliseconds) {
        self.perSecond = Int32(clamping: max(1, perSecond))
        self.burst = Int32(clamping: max(1, burst))
        self.late = Int32(clamping: late)
        self.windowMs = Int32(clamping: windowMs.count)
    }
}

/// The peer of a connection, as far as the transport knows it.
package struct Peer: Equatable, Sendable {
    /// The kind of connection, as the kernel and the headers show it.
    package enum Channel: Equatable, Sendable {
        /// A unix socket, with the user that the kernel reports.
        case unix(uid: UInt32, gid: UInt32)
        /// A TCP connection within this machine, without proxy headers on the request.
        case loopback
        /// TCP from another machine, or through a proxy.
        case network
        /// TCP with TLS, from anywhere.
        case tls
    }

    /// The kind of connection, from which rights follow.
    package var channel: Channel
    /// An address without its port, or `unix`, for logs and limits.
    package var address: String

    package init(channel: Channel, address: String) {
        self.channel = channel
        self.address = address
    }
}
