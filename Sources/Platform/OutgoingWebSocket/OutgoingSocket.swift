import BatonSeams
import CWebSockets
import EventLoop
import Glibc

/// One connection to a server of others, from its first attempt to its end.
///
/// Thread: the loop's. Lifetime: the loop keeps it until libwebsockets has forgotten the socket. Memory is bounded:
/// reading stops while `messagesHeld` wait for the reader, and `send` waits while `unsentBytes` wait for the server.
@Loop
final class OutgoingSocket: SocketHandler {
    enum Way: Sendable {
        case direct(Address)
        /// An HTTP proxy as `address:port`.
        case proxy(String)
    }

    let socket = Socket()
    let loop: EventLoop
    let url: WebSocketURL
    let limits: WebSocketLimits
    private let way: Way
    private let subprotocols: [String]
    private let roots: String?
    private let head: [UInt8]

    private var opening: CheckedContinuation<Result<any WebSocketConnection, WebSocketFault>, Never>?
    private var alarm: (any Alarm)?
    private var status: Int?
    private(set) var chosen: String?

    // Receiving: see `OutgoingSocket+Messages.swift`.
    var message: [UInt8] = []
    var messages: [WebSocketMessage] = []
    var reader: CheckedContinuation<WebSocketMessage?, Never>?
    var isPaused = false
    var heardUs: Int64 = 0
    var hasPinged = false
    private(set) var pongs = 0

    // Sending.
    var outbox: [(bytes: [UInt8], isBinary: Bool)] = []
    var outboxBytes = 0
    var writers: [CheckedContinuation<Void, Never>] = []
    var owesPing = false

    var closing: WebSocketEnding?
    private(set) var ending: WebSocketEnding?
    private var waiting: [CheckedContinuation<WebSocketEnding, Never>] = []

    init(_ loop: EventLoop, _ url: WebSocketURL, _ way: Way, _ request: WebSocketRequest, head: [UInt8], roots: String?) {
        self.loop = loop
        self.url = url
        self.way = way
        limits = request.limits
        subprotocols = request.subprotocols
        self.head = head
        self.roots = roots
        socket.handler = self
    }

    var label: String { "a connection of a source" }

    // MARK: Opening

    func open(within limit: Duration) async -> Result<any WebSocketConnection, WebSocketFault> {
        loop.keep(self)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { opening in
                self.opening = opening
                alarm = loop.after(limit) { [weak self] in self?.giveUp(.timedOut, "did not answer in time") }
                if Task.isCancelled { giveUp(.cancelled, "was not waited for") } else { start() }
            }
        } onCancel: {
            loop.post { self.giveUp(.cancelled, "was not waited for") }
        }
    }

    private func giveUp(_ code: WebSocketFault.Code, _ what: String) {
        guard opening != nil else { return }
        settle(.failure(WebSocketFault(code, "\(url.name) \(what).")))
        if socket.isOpen { socket.kill() } else { loop.release(self) }
    }

    private func settle(_ result: Result<any WebSocketConnection, WebSocketFault>) {
        alarm?.cancel()
        alarm = nil
        opening?.resume(returning: result)
        opening = nil
    }

    private func start() {
        guard let vhost = unsafe loop.outgoingVhost(roots: roots) else { return giveUp(.failed, "cannot be called: TLS could not start") }
        let (place, proxy) =
            switch way {
            case .direct(let address): (address.host, "-:0")
            case .proxy(let proxy): (url.host, proxy)
            }
        let offered = subprotocols.joined(separator: ", ")
        // libwebsockets copies all of these before it returns, and looks at the proxy during the call only.
        let made = unsafe place.withCString { place in
            unsafe url.name.withCString { host in
                unsafe url.target.withCString { path in
                    unsafe offered.withCString { offered in
                        unsafe Engine.clientTable.withCString { table in
                            unsafe proxy.withCString { _ = unsafe lws_set_proxy(vhost, $0) }
                            var info = unsafe lws_client_connect_info()
                            unsafe info.context = loop.engine.context
                            unsafe info.vhost = vhost
                            unsafe info.address = place
                            unsafe info.port = Int32(url.port)
                            unsafe info.host = host
                            unsafe info.path = path
                            if !subprotocols.isEmpty { unsafe info.protocol = offered }
                            unsafe info.local_protocol_name = table
                            unsafe info.ietf_version_or_minus_one = -1
                            unsafe info.opaque_user_data = socket.opaque
                            if url.isSecure { unsafe info.ssl_connection = Int32(LCCSCF_USE_SSL.rawValue) }
                            return unsafe lws_client_connect_via_info(&info)
                        }
                    }
                }
            }
        }
        if let made = unsafe made {
            if ending == nil { unsafe socket.wsi = made }
        } else {
            // It may have said so already, or not at all.
            giveUp(.failed, "could not be reached")
            socketForgotten()
        }
    }

    func handle(_ event: SocketEvent, _ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
        let piece = UnsafeRawBufferPointer(bytes)
        switch event {
        case .handshake: return unsafe addHeaders(bytes)
        case .status: heardStatus()
        case .established: return established()
        case .failed: unsafe failed(String(decoding: piece, as: UTF8.self))
        case .message: unsafe received(piece)
        case .pong:
            pongs += 1
            heard()
        case .writable: return writable()
        case .peerCloses: unsafe heardClose(piece)
        case .closed: finish()
        default: break
        }
        return 0
    }

    func socketForgotten() {
        settle(.failure(WebSocketFault(.failed, "\(url.name) ended the connection.")))
        finish()
        loop.release(self)
    }

    /// libwebsockets passes the place in its own buffer, to be moved on, and how much room is behind it.
    private func addHeaders(_ place: UnsafeMutableRawBufferPointer) -> Int32 {
        guard let pointer = place.baseAddress, !head.isEmpty else { return 0 }
        guard head.count <= place.count else { return -1 }
        let next = unsafe pointer.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>.self)
        for (index, byte) in head.enumerated() { unsafe next.pointee[index] = byte }
        unsafe next.pointee += head.count
        return 0
    }

    /// Comes before libwebsockets looks at the status itself, and drops the rest.
    private func heardStatus() {
        guard let wsi = unsafe socket.wsi else { return }
        status = Int(unsafe lws_http_client_http_response(wsi))
    }

    private func established() -> Int32 {
        chosen = negotiated()
        if !subprotocols.isEmpty, chosen.map(subprotocols.contains) != true {
            giveUp(.failed, "speaks none of the subprotocols \(subprotocols.joined(separator: ", "))")
            return -1
        }
        heardUs = loop.nowUs
        watchLiveness()
        settle(.success(OutgoingConnection(self, subprotocol: chosen)))
        return 0
    }

    private func negotiated() -> String? {
        guard let wsi = unsafe socket.wsi else { return nil }
        var room = [CChar](repeating: 0, count: 256)
        let count = unsafe lws_hdr_copy(wsi, &room, Int32(room.count), WSI_TOKEN_PROTOCOL)
        return count > 0 ? String(decoding: room.prefix(Int(count)).map(UInt8.init), as: UTF8.self) : nil
    }

    /// libwebsockets says in words of its own why a connection failed; certificates are told apart by them.
    private func failed(_ words: String) {
        if let status, status != 101, status > 0 {
            return settle(
                .failure(WebSocketFault(.rejected(status: status), "\(url.name) refused the WebSocket with HTTP status \(status).")))
        }
        let isCertificate = ["certificate", "cert", "hostname", "CA is not trusted"].contains { words.contains($0) }
        if isCertificate {
            settle(.failure(WebSocketFault(.certificate, "The certificate of \(url.name) cannot be trusted: \(words).")))
        } else {
            settle(.failure(WebSocketFault(.refused, "\(url.name) could not be reached: \(words).")))
        }
    }

    // MARK: Ending

    func finish() {
        guard ending == nil else { return }
        let ending = closing ?? WebSocketEnding(code: 1006, reason: "The connection was lost.", byPeer: true)
        self.ending = ending
        alarm?.cancel()
        outbox = []
        outboxBytes = 0
        reader?.resume(returning: nil)
        reader = nil
        for writer in writers { writer.resume() }
        writers = []
        for waiter in waiting { waiter.resume(returning: ending) }
        waiting = []
    }

    func ended() async -> WebSocketEnding {
        if let ending { return ending }
        return await withCheckedContinuation { waiting.append($0) }
    }

    // MARK: Liveness

    func heard() {
        heardUs = loop.nowUs
        hasPinged = false
    }

    /// Asks a silent server whether it is there, and gives it up when it stays silent. While the reader is behind, the
    /// server's silence is our own doing, and says nothing.
    private func watchLiveness() {
        guard ending == nil else { return }
        if isPaused { heard() }
        let silentUs = loop.nowUs - heardUs
        if silentUs >= limits.silence.us {
            if closing == nil { closing = WebSocketEnding(code: 1006, reason: "The server was silent for too long.", byPeer: true) }
            return socket.kill()
        }
        if silentUs >= limits.pingAfter.us, !hasPinged {
            hasPinged = true
            owesPing = true
            socket.askForRoom()
        }
        let next = hasPinged ? limits.silence.us : limits.pingAfter.us
        alarm = loop.after(.microseconds(max(1_000, heardUs + next - loop.nowUs))) { [weak self] in self?.watchLiveness() }
    }
}
