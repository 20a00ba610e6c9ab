import BatonSeams
import EventLoop
import Glibc

/// One accepted connection: a few HTTP requests, and perhaps a WebSocket for the rest of its life.
///
/// Kept small, since an idle watcher costs its whole size: what only HTTP needs lives in `Exchange`
/// while a request is served. The server keeps it until libwebsockets has forgotten the socket.
@Loop
final class Connection: SocketHandler, Link {
    enum Phase: UInt8 {
        /// Waiting for a request, or reading one.
        case asking
        /// Reading a request's body.
        case readingBody
        /// A request's body is read by its route while it arrives.
        case passingOn
        /// The answer is being made or sent.
        case answering
        /// Refused before the end of its body; ends with the body.
        case discarding
        /// Between the hub's consent and the end of the handshake.
        case upgrading
        /// A WebSocket.
        case open
        /// A close frame is on its way, or the connection is being cut.
        case closing
        case gone
    }

    let server: Server
    let socket: Socket
    /// Where the server keeps this connection.
    var place = 0
    /// The peer as the transport knows it; headers of a request may lower its channel.
    private(set) var peer: Peer
    /// The listening socket that it came by, as a place in the server's list of names.
    private let listenerPlace: UInt8
    var listener: ListenerName { server.listenerNames[Int(listenerPlace)] }
    var phase = Phase.asking
    /// When the present phase has taken too long; never, if zero.
    var deadlineUs: Int64 = 0
    var exchange: Exchange?
    /// Bytes that came and were not read yet: a head before its end, or the requests behind one that is being answered.
    var unread: [UInt8] = []
    /// How much of it holds no end of a head.
    var searched = 0
    var isProceeding = false
    /// How much of a refused request is still to come.
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
    /// Nothing more is read.
    var isDeaf = false
    /// How much was read after the end was decided.
    var drainedBytes = 0
    /// Counted among the connections of its address that have not sent a request yet.
    var isSilent = false
    var messageAlarm: (any Alarm)?
    var wantsWritable = false
    /// The payload of the last ping, until the pipe has room for its answer.
    var owedPong: [UInt8]?
    /// The payload of the close frame, until the pipe has room for it.
    var owedClosing: [UInt8]?
    /// While this is a WebSocket, and while a route reads a body.
    var readSignal: ReadSignal?

    // Liveness, read by the server's tick.
    var heardUs: Int64
    var pingedUs: Int64 = 0

    /// How many there are in the process; tests look for leaks with it.
    static var alive = 0

    package var exporter: [UInt8]? { socket.exporter }

    init(_ server: Server, _ descriptor: Int32, _ peer: Peer, at listenerPlace: UInt8) {
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

    /// The hub agreed to have this connection. `linkClosed` is owed from here on.
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

    /// The same, where no earlier end is set.
    func expire(noLaterThan time: Duration) {
        if deadlineUs == 0 || deadlineUs > server.time.nowUs + time.us { expire(after: time) }
    }

    /// Cuts the connection unless it has moved on by then.
    func expire(after time: Duration) {
        deadlineUs = server.time.nowUs + time.us
        server.look(by: deadlineUs)
    }

    var isHandshaking: Bool { phase == .asking && socket.isHandshaking }

    func timeIsUp() {
        guard phase == .asking else { return cut() }
        // The handshake was in time, so the first request has its own time.
        let requestEndUs = heardUs + server.limits.request.us
        if socket.isSecure, deadlineUs < requestEndUs, !socket.isHandshaking {
            return expire(after: .microseconds(requestEndUs - server.time.nowUs))
        }
        deadlineUs = 0
        socket.kill()
    }

    /// The peer has sent a close frame, or has gone without one.
    func leave() {
        phase = .closing
        readSignal?.stop()
        socket.kill()
    }

    /// Ends the connection now. Bytes that the kernel still holds for the peer are thrown away.
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
