import BatonSeams
import CLinux
import CWebSockets
import Glibc

/// One accepted connection: a few HTTP requests, and perhaps a WebSocket for the rest of its life.
///
/// Kept small, since an idle watcher costs its whole size: what only HTTP needs lives in `Exchange`
/// while a request is served. The server keeps it until libwebsockets has forgotten the socket.
@Loop
final class Connection: Socket, Link {
    enum Phase: UInt8 {
        /// Waiting for a request, or reading one.
        case asking
        /// Reading a request's body.
        case readingBody
        /// The answer is being made or sent.
        case answering
        /// Answered in the middle of a body that nobody wants; ends with it.
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
    let descriptor: Int32
    /// Where the server keeps this connection.
    var place = 0
    /// The transport's word on who this is; a request's headers may lower it.
    private(set) var peer: Peer
    var phase = Phase.asking
    /// When the present stage has taken too long; never, if zero.
    var deadlineUs: Int64 = 0
    var exchange: Exchange?
    /// What has come and was not understood yet: a head before its end, or the requests behind one that is answered.
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
        set { if newValue != meter.allowance { meter = FrameMeter(newValue, atUs: server.loop.nowUs) } }
    }
    var reader = FrameReader()
    var meter: FrameMeter
    var pauseAlarm: (any Alarm)?
    /// How much was read after the end was decided.
    var drainedBytes = 0
    /// Counted among the connections of its address that have not said anything yet.
    var isSilent = false
    private var messageAlarm: (any Alarm)?
    private var wantsWritable = false
    /// What the last ping brought, until the pipe has room for its answer.
    private var owedPong: [UInt8]?
    /// Only while this is a WebSocket.
    private(set) var intake: ReadSignal?

    // Liveness, read by the server's tick.
    private(set) var heardUs: Int64
    var pingedUs: Int64 = 0

    /// How many there are in the process; tests look for leaks with it.
    static var alive = 0

    var isSecure: Bool { peer.channel == .tls }

    package var exporter: [UInt8]? { isSecure ? unsafe TLS.exporter(of: lws_get_ssl(wsi)) : nil }

    init(_ server: Server, _ descriptor: Int32, _ peer: Peer) {
        self.server = server
        self.descriptor = descriptor
        self.peer = peer
        messageLimit = server.limits.firstMessageBytes
        binaryLimit = server.limits.firstMessageBytes
        patience = server.limits.patience
        heardUs = server.loop.nowUs
        meter = FrameMeter(server.limits.allowance, atUs: heardUs)
        deadlineUs = heardUs + server.limits.request.us
        super.init()
        Self.alive += 1
    }

    isolated deinit { Self.alive -= 1 }

    override var label: String { "a connection" }

    override func called(for reason: lws_callback_reasons, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
        switch reason {
        case LWS_CALLBACK_RAW_RX: unsafe arrived(UnsafeRawBufferPointer(start: bytes, count: count))
        case LWS_CALLBACK_RAW_WRITEABLE: writable()
        case LWS_CALLBACK_RAW_CLOSE, LWS_CALLBACK_WSI_DESTROY: ended()
        default: break
        }
        return 0
    }

    override func destroyed() { server.forget(self) }

    // MARK: Life

    /// The hub agreed to have this connection. `linkClosed` is owed from here on.
    func agreed(with owner: any LinkOwner, _ peer: Peer) {
        self.owner = owner
        self.peer = peer
        phase = .upgrading
    }

    func opened() {
        guard let wsi = unsafe wsi else { return }
        phase = .open
        deadlineUs = 0
        heard()
        server.look(by: heardUs + patience.pingUs)
        unsafe lws_rx_flow_control(wsi, 0)
        intake = ReadSignal(self)
        owner?.linkOpened(self)
    }

    private func ended() {
        guard phase != .gone else { return }
        phase = .gone
        deadlineUs = 0
        intake?.stop()
        intake = nil
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

    // MARK: Receiving

    /// Reads what waits, and does what it says. One piece a turn, so that nobody who says much keeps
    /// the others waiting; but what TLS has decrypted is not announced again.
    func takeIn() {
        let room = unsafe server.loop.inbox
        repeat {
            switch unsafe receive(into: room) {
            case .done(let count): unsafe read(UnsafeRawBufferPointer(rebasing: room[..<count]))
            case .later: return
            case .over: return leave()
            }
        } while unsafe isSecure && intake?.isPaused == false && TLS.holdsBytes(lws_get_ssl(wsi))
    }

    private func receive(into room: UnsafeMutableRawBufferPointer) -> TLS.Progress {
        guard isSecure else {
            let count = unsafe recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
            if count > 0 { return .done(count) }
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .later(isReading: true) : .over
        }
        guard let ssl = unsafe lws_get_ssl(wsi) else { return .over }
        return unsafe TLS.progress(SSL_read(ssl, room.baseAddress, Int32(room.count)), of: ssl)
    }

    func read(_ bytes: UnsafeRawBufferPointer) {
        var rest = unsafe bytes[...]
        var isHeard = false
        do throws(FrameReader.Violation) {
            while let event = try unsafe reader.next(from: &rest, textLimit: messageLimit, binaryLimit: binaryLimit) {
                if !isHeard { heard() }
                isHeard = true
                take(event)
            }
        } catch {
            close(error.code, error.sentence)
        }
        answerPing()
        watchOverMessage()
        keepPace(with: bytes.count)
    }

    private func take(_ event: FrameReader.Event) {
        switch event {
        case .message(let bytes, let isBinary):
            messageAlarm?.cancel()
            messageAlarm = nil
            guard phase == .open else { return }
            if isBinary { owner?.linkReceived(binary: bytes) } else { owner?.linkReceived(text: bytes) }
        case .ping(let payload): owedPong = payload
        case .pong: break
        case .close(let code):
            if phase == .open { sendClosing(code ?? 1000, "") }
            leave()
        }
    }

    /// A message that has begun must come to its end in time.
    private func watchOverMessage() {
        guard reader.isInside, phase == .open else {
            messageAlarm?.cancel()
            messageAlarm = nil
            return
        }
        guard messageAlarm == nil else { return }
        messageAlarm = server.loop.after(server.limits.message) { [weak self] in
            self?.close(4408, "A message was not complete in time.")
        }
    }

    private func heard() {
        heardUs = server.loop.nowUs
        pingedUs = 0
    }

    /// The peer has said goodbye, or has gone without.
    private func leave() {
        phase = .closing
        intake?.stop()
        kill()
    }

    // MARK: Sending

    package var isReady: Bool {
        guard phase == .open, let wsi = unsafe wsi else { return false }
        return unsafe lws_partial_buffered(wsi) == 0
    }

    package func write(_ frame: Frame) {
        guard mayWrite else { return }
        frame.layHeader()
        let start = Frame.headroom - frame.headerCount
        if unsafe frame.storage.withUnsafeMutableBytes({ unsafe send($0, from: start) }) < 0 { cut() }
    }

    package func write(_ frame: Frame, then next: Frame) {
        guard mayWrite else { return }
        var both: [UInt8] = []
        both.reserveCapacity(frame.storage.count + next.storage.count)
        both.append(contentsOf: Self.headroom)
        both.append(contentsOf: frame.wireBytes)
        both.append(contentsOf: next.wireBytes)
        if unsafe both.withUnsafeMutableBytes({ unsafe send($0, from: Frame.headroom) }) < 0 { cut() }
    }

    private nonisolated static let headroom = [UInt8](repeating: 0, count: Frame.headroom)

    private var mayWrite: Bool {
        if isReady { return true }
        assert(phase != .open, "A frame was written while another one waits in the socket library.")
        return false
    }

    /// `bytes` begin with room for libwebsockets. Frames bring their own header and so go out as the
    /// kind that gets none: what libwebsockets would write is the same for every watcher.
    private func send(_ bytes: UnsafeMutableRawBufferPointer, from start: Int) -> Int32 {
        guard let wsi = unsafe wsi, let base = bytes.baseAddress else { return 0 }
        let first = unsafe (base + start).assumingMemoryBound(to: UInt8.self)
        return unsafe lws_write(wsi, first, bytes.count - start, LWS_WRITE_HTTP)
    }

    func ping() {
        guard isReady else { return }
        pingedUs = server.loop.nowUs
        control(0x89, [])
    }

    /// Of several pings that came together, or before the pipe had room, the last one is answered
    /// (RFC 6455, 5.5.3).
    private func answerPing() {
        guard phase == .open, let payload = owedPong, let wsi = unsafe wsi else { return }
        guard isReady else {
            unsafe lws_callback_on_writable(wsi)
            return
        }
        owedPong = nil
        control(0x8a, payload)
    }

    private func control(_ first: UInt8, _ payload: [UInt8]) {
        var bytes = Self.headroom + [first, UInt8(payload.count)] + payload
        if unsafe bytes.withUnsafeMutableBytes({ unsafe send($0, from: Frame.headroom) }) < 0 { cut() }
    }

    package func wantWritable() {
        guard phase == .open, let wsi = unsafe wsi else { return }
        wantsWritable = true
        unsafe lws_callback_on_writable(wsi)
    }

    private func writable() {
        guard phase == .open, let wsi = unsafe wsi else { return }
        answerPing()
        guard wantsWritable else { return }
        guard isReady else {
            unsafe lws_callback_on_writable(wsi)
            return
        }
        wantsWritable = false
        owner?.linkWritable()
    }

    // MARK: Closing

    /// The same, where no earlier end is set.
    func expire(noLaterThan time: Duration) {
        if deadlineUs == 0 || deadlineUs > server.loop.nowUs + time.us { expire(after: time) }
    }

    /// Cuts the connection unless it has moved on by then.
    func expire(after time: Duration) {
        deadlineUs = server.loop.nowUs + time.us
        server.look(by: deadlineUs)
    }

    package func close(_ code: UInt16, _ reason: String) {
        guard phase == .open else { return }
        // No frame passes a full pipe, and a peer that does not read is not waited for.
        guard isReady else { return cut() }
        sendClosing(code, reason)
        expire(after: server.limits.closingTime)
    }

    private func sendClosing(_ code: UInt16, _ reason: String) {
        guard isReady else { return }
        phase = .closing
        reader.skipsMessages = true
        // A close frame carries 123 bytes of reason at most.
        var reason = Array(reason.utf8.prefix(123))
        while !reason.isEmpty, String(validating: reason, as: UTF8.self) == nil { reason.removeLast() }
        control(0x88, [UInt8(code >> 8), UInt8(code & 255)] + reason)
    }

    func timeIsUp() {
        guard phase == .asking else { return cut() }
        deadlineUs = 0
        kill()
    }

    /// Ends the connection now. What the kernel still holds for the peer is thrown away with it.
    func cut() {
        guard phase != .gone else { return }
        phase = .closing
        deadlineUs = 0
        intake?.stop()
        exchange?.cancel()
        var now = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        shutdown(descriptor, Int32(SHUT_RDWR))
        kill()
    }
}

extension Patience {
    var pingUs: Int64 { Int64(pingMs) * 1000 }
    var endUs: Int64 { Int64(endMs) * 1000 }
}

extension Duration {
    var us: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
