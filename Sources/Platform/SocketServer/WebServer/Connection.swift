import BatonCore
import BatonSeams
import EventLoop
import Glibc

/// One accepted connection: a few HTTP requests, and perhaps a WebSocket for the rest of its life.
///
/// It is small, since every idle watcher needs one: state of HTTP is in `Exchange` while a request is served. The server retains it until
/// libwebsockets has dropped the socket.
@Loop
final class Connection: SocketHandler, Link {
    enum Phase: UInt8 {
        /// Waiting for a request, or reading one.
        case asking
        /// Reading a request's body.
        case readingBody
        /// The route reads the body while it arrives.
        case passingOn
        /// The answer is being computed or sent.
        case answering
        /// Refused before the end of its body; ends with the body.
        case discarding
        /// Between the hub's consent and the end of the handshake.
        case upgrading
        /// A WebSocket.
        case open
        /// A close frame is being sent, or the connection is being cut.
        case closing
        case gone
    }

    struct Listing {
        /// Index of this connection in the server's list.
        var index = 0
        /// True while it counts among the connections of its address without a request.
        var isSilent = false
    }

    /// Alarms of a WebSocket.
    @Loop
    struct Alarms {
        /// The end of a pause in reading.
        var pause: (any Alarm)?
        private var message: (any Alarm)?

        var awaitsMessage: Bool { message != nil }
        mutating func expectMessage(until alarm: any Alarm) { message = alarm }

        mutating func endMessage() {
            message?.cancel()
            message = nil
        }

        mutating func cancel() {
            endMessage()
            pause?.cancel()
            pause = nil
        }
    }

    let server: Server
    let socket: Socket
    /// The server's own note of this connection.
    var listing = Listing()
    /// The peer as the transport knows it; a request's headers may lower its channel.
    private(set) var peer: Peer
    /// The listening socket that accepted it, as an index in the server's list of names.
    private let listenerIndex: UInt8
    var listener: ListenerName { server.listenerNames[Int(listenerIndex)] }
    var phase = Phase.asking
    /// Deadline of the current phase; none, if zero.
    private(set) var deadlineUs: Microseconds = 0
    var exchange: Exchange?
    var bytes = RequestBytes()
    private(set) var owner: (any LinkOwner)?

    package var bounds: LinkBounds { didSet { boundsChanged() } }
    var frames: FrameIntake
    var owed = OwedFrames()
    var drain = Drain()
    var alarms = Alarms()
    /// Set for a WebSocket, and while a route reads a body.
    var readSignal: ReadSignal?
    /// The silence of the peer, which the server's tick looks at.
    private(set) var liveness: Liveness

    /// Number of connections in the process; tests use it to find leaks.
    private(set) static var alive = 0

    package var exporter: [UInt8]? { socket.exporter }

    init(of server: Server, _ descriptor: Int32, from peer: Peer, at listenerIndex: UInt8) {
        self.server = server
        self.listenerIndex = listenerIndex
        socket = Socket(descriptor, isSecure: peer.channel == .tls)
        self.peer = peer
        bounds = LinkBounds(
            textBytes: server.limits.firstMessageBytes, binaryBytes: server.limits.firstMessageBytes, patience: server.limits.patience,
            allowance: server.limits.allowance)
        let nowUs = server.time.nowUs
        liveness = Liveness(atUs: nowUs)
        frames = FrameIntake(server.limits.allowance, atUs: nowUs)
        deadlineUs = nowUs + (peer.channel == .tls ? min(server.limits.handshake, server.limits.request) : server.limits.request).us
        socket.handler = self
        Self.alive += 1
    }

    isolated deinit { Self.alive -= 1 }

    // MARK: SocketHandler

    var label: String { "a connection" }

    func handle(_ event: SocketEvent, _ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
        switch event {
        case .received: unsafe arrived(UnsafeRawBufferPointer(bytes))
        case .writable: writable()
        case .closed, .forgotten: ended()
        default: break
        }
        return 0
    }

    func socketForgotten() { server.forget(self) }

    func bytesWait() { phase == .passingOn ? takeBody() : takeIn() }

    // MARK: Life

    /// The hub accepted this connection. From here on `linkClosed` must be called.
    func agreed(with owner: any LinkOwner, _ peer: Peer) {
        self.owner = owner
        self.peer = peer
        phase = .upgrading
    }

    func opened() {
        guard socket.isOpen else { return }
        phase = .open
        deadlineUs = 0
        heard()
        server.look(by: liveness.pingDueUs(within: bounds.patience))
        socket.pauseReading()
        readSignal = ReadSignal(socket, of: self, on: server.loop)
        owner?.linkOpened(self)
    }

    private func ended() {
        guard phase != .gone else { return }
        phase = .gone
        deadlineUs = 0
        readSignal?.stop()
        readSignal = nil
        alarms.cancel()
        frames.end()
        exchange?.cancel()
        exchange = nil
        bytes.dropAll()
        let owner = owner
        self.owner = nil
        owner?.linkClosed()
    }

    private func boundsChanged() {
        server.look(by: liveness.pingDueUs(within: bounds.patience))
        frames.allow(bounds.allowance, atUs: server.time.nowUs)
    }

    func heard() { liveness.heard(atUs: server.time.nowUs) }

    func ping() {
        guard isReady else { return }
        liveness.pinged()
        control(0x89, [])
    }

    // MARK: Closing

    /// Sets a deadline unless an earlier one is set.
    func expire(noLaterThan time: Duration) {
        if deadlineUs == 0 || deadlineUs > server.time.nowUs + time.us { expire(after: time) }
    }

    /// Cuts the connection after `time`, unless a later phase sets another deadline.
    func expire(after time: Duration) {
        deadlineUs = server.time.nowUs + time.us
        server.look(by: deadlineUs)
    }

    var isHandshaking: Bool { phase == .asking && socket.isHandshaking }

    func timeIsUp() {
        guard phase == .asking else { return cut() }
        // The handshake was in time, so the first request has its own limit.
        let requestEndUs = liveness.heardUs + server.limits.request.us
        if socket.isSecure, deadlineUs < requestEndUs, !socket.isHandshaking {
            return expire(after: .microseconds(requestEndUs - server.time.nowUs))
        }
        deadlineUs = 0
        socket.kill()
    }

    /// Called when the peer has sent a close frame, or is gone without one.
    func leave() {
        phase = .closing
        readSignal?.stop()
        socket.kill()
    }

    /// Ends the connection now. Bytes that the kernel holds for the peer are lost.
    func cut() {
        guard phase != .gone else { return }
        phase = .closing
        deadlineUs = 0
        readSignal?.stop()
        exchange?.cancel()
        var now = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(socket.descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        socket.kill()
    }
}
