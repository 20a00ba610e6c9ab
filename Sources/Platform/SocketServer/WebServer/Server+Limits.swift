package import BatonSeams

/// The limits of a server: how much a client may send, and how long it may take.
extension Server {
    package struct Limits: Sendable {
        /// Limit of a request's body in bytes; more is refused with 413.
        package var bodyBytes = 65_536
        /// Limit of a message before the link's owner raises `messageLimit`.
        package var firstMessageBytes = 4_096
        /// Time from the start of a connection to the end of its TLS handshake.
        package var handshake: Duration = .seconds(5)
        /// Limit of pending TLS handshakes, each of which takes some 50 KB. Above it, the oldest is dropped.
        package var handshakes = 256
        /// Limit of handshakes for one address, one /64 of IPv6, or this machine.
        package var handshakesPerAddress = 32
        /// Time from the start of a connection, or the first byte of a request, to the whole request.
        package var request: Duration = .seconds(10)
        /// Time from the request to the end of its answer.
        package var answer: Duration = .seconds(30)
        /// Time without new bytes while a route waits for a body.
        package var bodyPause: Duration = .seconds(30)
        /// Time that such a route may spend without reading, before and after the end of the body.
        package var route: Duration = .seconds(900)
        /// Time that a connection may stay open without a request.
        package var idle: Duration = .seconds(30)
        /// Time from a message's first byte to its last; then 4408.
        package var message: Duration = .seconds(10)
        /// Time from a close frame to the end of the connection, if the peer does not read.
        package var closingTime: Duration = .seconds(2)
        /// Number of bytes read after a close frame, or of a refused body; the rest is left unread.
        package var closingBytes = 65_536
        /// Used until the link's owner sets another.
        package var patience = Patience(pingMs: 20_000, endMs: 45_000)
        package var allowance = FrameAllowance(perSecond: 100, burst: 500, late: 200, windowMs: 10_000)
        /// Limit of connections without a request, for one address elsewhere or with TLS.
        package var silentPerAddress = 128
        /// Connections that the kernel holds until they are accepted; capped by `net.core.somaxconn`.
        package var backlog: Int32 = 4_096

        package init() {}
    }
}
