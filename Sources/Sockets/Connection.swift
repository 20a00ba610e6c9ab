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
    enum Stage: UInt8 {
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

    /// What the close frame says, kept until it is written: a ping that comes in between would
    /// overwrite libwebsockets' own copy.
    private struct Farewell {
        var code: UInt16
        var reason: String
    }

    let server: Server
    let descriptor: Int32
    /// Where the server keeps this connection.
    var place = 0
    /// The transport's word on who this is; a request's headers may lower it.
    private(set) var peer: Peer
    var stage = Stage.asking
    /// When the present stage has taken too long; never, if zero.
    var deadlineUs: Int64 = 0
    var exchange: Exchange?
    private(set) var owner: (any LinkOwner)?

    package var messageLimit: Int
    package var binaryLimit: Int
    package var patience: Patience { didSet { server.look(by: heardUs + patience.pingUs) } }
    private var message: [UInt8] = []
    private var messageAlarm: (any Alarm)?
    private var wantsWritable = false
    private var farewell: Farewell?
    /// Sees bytes before libwebsockets does; only while this is a WebSocket.
    private var sentry: Sentry?

    // Liveness, read by the server's tick.
    private(set) var heardUs: Int64
    /// Bytes came at this time, and since then neither a message nor a pong. Zero: none.
    private(set) var unexplainedUs: Int64 = 0
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
        deadlineUs = heardUs + server.limits.request.us
        super.init()
        Self.alive += 1
    }

    isolated deinit { Self.alive -= 1 }

    override var label: String { "a connection" }

    override func called(for reason: lws_callback_reasons, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
        switch reason {
        case LWS_CALLBACK_RECEIVE: unsafe received(UnsafeRawBufferPointer(start: bytes, count: count))
        case LWS_CALLBACK_SERVER_WRITEABLE: return writable()
        case LWS_CALLBACK_RECEIVE_PONG: explained()
        case LWS_CALLBACK_HTTP: return requestArrived()
        case LWS_CALLBACK_HTTP_BODY: return unsafe bodyArrived(UnsafeRawBufferPointer(start: bytes, count: count))
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: return bodyEnded()
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return upgradeAsked()
        case LWS_CALLBACK_ESTABLISHED: opened()
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: stage = .closing
        case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLOSED_HTTP, LWS_CALLBACK_WSI_DESTROY: ended()
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
        stage = .upgrading
    }

    private func opened() {
        stage = .open
        deadlineUs = 0
        explained()
        server.look(by: heardUs + patience.pingUs)
        sentry = Sentry(self)
        owner?.linkOpened(self)
    }

    private func ended() {
        guard stage != .gone else { return }
        stage = .gone
        deadlineUs = 0
        sentry?.stop()
        sentry = nil
        messageAlarm?.cancel()
        messageAlarm = nil
        message = []
        exchange?.cancel()
        exchange = nil
        let owner = owner
        self.owner = nil
        owner?.linkClosed()
    }

    // MARK: Receiving

    private func received(_ bytes: UnsafeRawBufferPointer) {
        explained()
        guard stage == .open, let wsi = unsafe wsi else { return }
        let remaining = unsafe lws_remaining_packet_payload(wsi)
        let isBinary = unsafe lws_frame_is_binary(wsi) != 0
        let limit = isBinary ? binaryLimit : messageLimit
        guard message.count + bytes.count + remaining <= limit else {
            return close(1009, "A message may have at most \(limit) bytes.")
        }
        guard unsafe lws_is_final_fragment(wsi) != 0 else { return unsafe begin(bytes) }
        // The common case: a message in one piece is copied once, into what the owner gets.
        guard messageAlarm != nil else { return unsafe deliver(Self.copy(bytes), isBinary) }
        unsafe message.append(contentsOf: bytes)
        messageAlarm?.cancel()
        messageAlarm = nil
        let whole = message
        message = []
        deliver(whole, isBinary)
    }

    /// What `Array(bytes)` does. That one, seen from here, looks its types up anew each time.
    private nonisolated static func copy(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        unsafe copy.append(contentsOf: bytes)
        return copy
    }

    private func begin(_ bytes: UnsafeRawBufferPointer) {
        unsafe message.append(contentsOf: bytes)
        guard messageAlarm == nil else { return }
        messageAlarm = server.loop.after(server.limits.message) { [weak self] in self?.messageIsLate() }
    }

    func messageIsLate() { close(4408, "A message was not complete in time.") }

    private func deliver(_ bytes: [UInt8], _ isBinary: Bool) {
        if isBinary { owner?.linkReceived(binary: bytes) } else { owner?.linkReceived(text: bytes) }
    }

    /// Bytes wait to be read. Called before libwebsockets reads them.
    func bytesCame() {
        // The farewell did not pass either: see `TLS.abandon`.
        if stage == .closing, isSecure, let wsi = unsafe wsi, unsafe lws_partial_buffered(wsi) != 0 { return cut() }
        guard unexplainedUs == 0 else { return }
        unexplainedUs = server.loop.nowUs
        server.look(by: unexplainedUs + server.limits.message.us * 3 / 4)
    }

    /// Whatever came has become a message or a pong.
    private func explained() {
        heardUs = server.loop.nowUs
        unexplainedUs = 0
        pingedUs = 0
    }

    // MARK: Sending

    package var isReady: Bool {
        guard stage == .open, let wsi = unsafe wsi else { return false }
        return unsafe lws_partial_buffered(wsi) == 0
    }

    package func write(_ frame: Frame) {
        guard mayWrite else { return }
        frame.layHeader()
        let start = Frame.headroom - frame.headerCount
        if unsafe frame.storage.withUnsafeMutableBytes({ unsafe send($0, from: start, LWS_WRITE_HTTP) }) < 0 { cut() }
    }

    package func write(_ frame: Frame, then next: Frame) {
        guard mayWrite else { return }
        var both: [UInt8] = []
        both.reserveCapacity(frame.storage.count + next.storage.count)
        both.append(contentsOf: Self.headroom)
        both.append(contentsOf: frame.wireBytes)
        both.append(contentsOf: next.wireBytes)
        if unsafe both.withUnsafeMutableBytes({ unsafe send($0, from: Frame.headroom, LWS_WRITE_HTTP) }) < 0 { cut() }
    }

    private nonisolated static let headroom = [UInt8](repeating: 0, count: Frame.headroom)

    private var mayWrite: Bool {
        if isReady { return true }
        assert(stage != .open, "A frame was written while another one waits in the socket library.")
        return false
    }

    /// `bytes` begin with room for libwebsockets. Frames that bring their own header go out as the
    /// kind that gets none: what libwebsockets would write is the same for every watcher.
    private func send(_ bytes: UnsafeMutableRawBufferPointer, from start: Int, _ kind: lws_write_protocol) -> Int32 {
        guard let wsi = unsafe wsi, let base = bytes.baseAddress else { return 0 }
        let first = unsafe (base + start).assumingMemoryBound(to: UInt8.self)
        return unsafe lws_write(wsi, first, bytes.count - start, kind)
    }

    func ping() {
        guard isReady else { return }
        pingedUs = server.loop.nowUs
        // Four bytes, since libwebsockets keeps the answer to an empty ping to itself.
        var bytes = [UInt8](repeating: 0, count: Frame.headroom + 4)
        if unsafe bytes.withUnsafeMutableBytes({ unsafe send($0, from: Frame.headroom, LWS_WRITE_PING) }) < 0 { cut() }
    }

    package func wantWritable() {
        guard stage == .open, let wsi = unsafe wsi else { return }
        wantsWritable = true
        unsafe lws_callback_on_writable(wsi)
    }

    private func writable() -> Int32 {
        if let farewell {
            say(farewell)
            self.farewell = nil
            return -1
        }
        guard stage == .open, wantsWritable else { return 0 }
        wantsWritable = false
        owner?.linkWritable()
        return 0
    }

    // MARK: Closing

    /// Cuts the connection unless it has moved on by then.
    func expire(after time: Duration) {
        deadlineUs = server.loop.nowUs + time.us
        server.look(by: deadlineUs)
    }

    package func close(_ code: UInt16, _ reason: String) {
        guard stage == .open, let wsi = unsafe wsi else { return }
        // No frame passes a full pipe, and a peer that does not read is not waited for.
        guard unsafe lws_partial_buffered(wsi) == 0 else { return cut() }
        stage = .closing
        let farewell = Farewell(code: code, reason: reason)
        self.farewell = farewell
        say(farewell)
        unsafe lws_callback_on_writable(wsi)
        expire(after: server.limits.farewell)
    }

    private func say(_ farewell: Farewell) {
        guard let wsi = unsafe wsi else { return }
        // A close frame carries 123 bytes of reason at most.
        var reason = Array(farewell.reason.utf8.prefix(123))
        while !reason.isEmpty, String(validating: reason, as: UTF8.self) == nil { reason.removeLast() }
        unsafe reason.withUnsafeMutableBufferPointer {
            unsafe lws_close_reason(wsi, lws_close_status(rawValue: UInt32(farewell.code)), $0.baseAddress, $0.count)
        }
    }

    func timeIsUp() {
        guard stage == .asking else { return cut() }
        deadlineUs = 0
        kill()
    }

    /// Ends the connection now. What the kernel still holds for the peer is thrown away with it.
    func cut() {
        guard stage != .gone else { return }
        stage = .closing
        deadlineUs = 0
        farewell = nil
        exchange?.cancel()
        var now = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        shutdown(descriptor, Int32(SHUT_RDWR))
        if isSecure, let wsi = unsafe wsi, let ssl = unsafe lws_get_ssl(wsi) { unsafe TLS.abandon(ssl) }
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
