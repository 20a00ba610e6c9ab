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

    let server: Server
    let socket: Socket
    /// Index of this connection in the server's list.
    var place = 0
    /// The peer as the transport knows it; a request's headers may lower its channel.
    private(set) var peer: Peer
    /// The listening socket that accepted it, as an index in the server's list of names.
    private let listenerPlace: UInt8
    var listener: ListenerName { server.listenerNames[Int(listenerPlace)] }
    var phase = Phase.asking
    /// Deadline of the current phase; none, if zero.
    var deadlineUs: Int64 = 0
    var exchange: Exchange?
    /// Bytes that were not parsed yet: an incomplete head, or the requests behind the current one.
    var unread: [UInt8] = []
    /// Number of bytes that were searched without finding the end of a head.
    var searched = 0
    var isProceeding = false
    /// Number of bytes of a refused request that are still to come.
    var toDiscard = 0
    private(set) var owner: (any LinkOwner)?

    package var messageLimit: Int
    package var binaryLimit: Int
    package var patience: Patience { didSet { server.look(by: heardUs + patience.pingUs) } }
    package var allowance: FrameAllowance {
        get { meter.allowance }
        set { if newValue != meter.allowance { meter = FrameMeter(newValue, atUs: server.time.nowUs) } }
    }
    var reader = FrameReader()
    var meter: FrameMeter
    var pauseAlarm: (any Alarm)?
    /// True once reading has stopped.
    var isDeaf = false
    /// Number of bytes read after the end was decided.
    var drainedBytes = 0
    /// True while it counts among the connections of its address without a request.
    var isSilent = false
    var messageAlarm: (any Alarm)?
    var wantsWritable = false
    /// The payload of the last ping, until there is room for its answer.
    var owedPong: [UInt8]?
    /// The payload of the close frame, until there is room for it.
    var owedClosing: [UInt8]?
    /// Set for a WebSocket, and while a route reads a body.
    var readSignal: ReadSignal?

    // Liveness, read by the server's tick.
    var heardUs: Int64
    var pingedUs: Int64 = 0

    /// Number of connections in the process; tests use it to find leaks.
    static var alive = 0

    package var exporter: [UInt8]? { socket.exporter }

    init(of server: Server, _ descriptor: Int32, from peer: Peer, at listenerPlace: UInt8) {
        self.server = server
        self.listenerPlace = listenerPlace
        socket = Socket(descriptor, isSecure: peer.channel == .tls)
        self.peer = peer
        messageLimit = server.limits.firstMessageBytes
        binaryLimit = server.limits.firstMessageBytes
        patience = server.limits.patience
        heardUs = server.time.nowUs
        meter = FrameMeter(server.limits.allowance, atUs: heardUs)
        deadlineUs = heardUs + (peer.channel == .tls ? min(server.limits.handshake, server.limits.request) : server.limits.request).us
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
        server.look(by: heardUs + patience.pingUs)
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
        messageAlarm?.cancel()
        messageAlarm = nil
        pauseAlarm?.cancel()
        pauseAlarm = nil
        reader = FrameReader()
        exchange?.cancel()
        exchange = nil
        unread = []
        let owner = owner
        self.owner = nil
        owner?.linkClosed()
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
        let requestEndUs = heardUs + server.limits.request.us
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

extension Patience {
    var pingUs: Int64 { Int64(pingMs) * 1000 }
    var endUs: Int64 { Int64(endMs) * 1000 }
}
