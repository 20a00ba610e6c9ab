import BatonCore
import BatonSeams

/// One connection to another server, from its first attempt to its end.
///
/// Threads: the loop's. Lifetime: the loop retains it until libwebsockets has dropped the socket. Memory is limited: reading stops while
/// enough messages wait for the reader, and `send` waits while `unsentBytes` wait for the server.
@Loop
final class OutgoingSocket: SocketHandler {
    /// The route to the server.
    struct Destination: Sendable {
        /// A numeric address, or with a proxy the name for it to look up.
        var host: String
        /// An HTTP proxy as `address:port`.
        var proxy: String?
        /// `nil` for a connection without TLS.
        var tls: OutgoingTLS?
    }

    let socket = Socket()
    let loop: EventLoop
    let url: WebSocketURL
    let limits: WebSocketLimits
    let destination: Destination
    let subprotocols: [String]
    /// Custom headers, as lines.
    let headers: [UInt8]

    // Opening: see `OutgoingSocket+Opening.swift`.
    private var opening: CheckedContinuation<Result<any WebSocketConnection, WebSocketFault>, Never>?
    private var alarm: (any Alarm)?
    var status: Int?
    var chosen: String?

    // Receiving: see `OutgoingSocket+Messages.swift`.
    var inbox: [WebSocketMessage] = []
    var inboxBytes = 0
    var reader: (number: Int, waiting: CheckedContinuation<WebSocketMessage?, Never>)?
    var readerNumbers = 0
    var isPaused = false

    // Sending.
    var writers: [CheckedContinuation<Void, Never>] = []

    // Liveness.
    private var heardUs: Microseconds = 0
    private var hasPinged = false
    var owesPing = false
    private(set) var pongs = 0

    /// Messages and the close, in both directions.
    var frames: WebSocketFrames

    init(on loop: EventLoop, to url: WebSocketURL, at destination: Destination, for request: WebSocketRequest, headers: [UInt8]) {
        self.loop = loop
        self.url = url
        self.destination = destination
        limits = request.limits
        frames = WebSocketFrames(messageLimit: request.limits.messageBytes)
        subprotocols = request.subprotocols
        self.headers = headers
        socket.handler = self
    }

    var label: String { "a connection of a source" }

    // MARK: Opening

    func open(within limit: Duration) async -> Result<any WebSocketConnection, WebSocketFault> {
        loop.retain(self)
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

    func giveUp(_ code: WebSocketFault.Code, _ words: String) {
        guard opening != nil else { return }
        settle(.failure(WebSocketFault(code, "\(url.name) \(words).")))
        if socket.isOpen { socket.kill() } else { loop.release(self) }
    }

    /// Answers the caller of `open`; later calls do nothing.
    func settle(_ result: Result<any WebSocketConnection, WebSocketFault>) {
        guard let opening else { return }
        self.opening = nil
        alarm?.cancel()
        alarm = nil
        opening.resume(returning: result)
    }

    func handle(_ event: SocketEvent, _ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
        let piece = UnsafeRawBufferPointer(bytes)
        switch event {
        case .handshake: return unsafe addHeaders(bytes)
        case .status: readStatus()
        case .agreement: return readSubprotocol()
        case .established: established()
        case .failed: unsafe failed(String(decoding: piece, as: UTF8.self))
        case .message: unsafe received(piece)
        case .pong:
            pongs += 1
            heard()
        case .writable: return writable()
        case .peerCloses: unsafe frames.heardClose(piece)
        case .closed: finish()
        default: break
        }
        return 0
    }

    private func established() {
        settle(.success(OutgoingConnection(self, subprotocol: chosen)))
        heard()
        // After `settle`, which cancels the alarm of the opening.
        watchLiveness()
    }

    func socketForgotten() {
        settle(.failure(WebSocketFault(.failed, "\(url.name) ended the connection.")))
        finish()
        loop.release(self)
    }

    // MARK: Ending

    func finish() {
        guard frames.end() else { return }
        alarm?.cancel()
        reader?.waiting.resume(returning: nil)
        reader = nil
        wakeWriters()
    }

    func ended() async -> WebSocketEnding {
        await withCheckedContinuation { frames.tellEnd($0) }
    }

    // MARK: Liveness

    func heard() {
        heardUs = loop.nowUs
        hasPinged = false
    }

    /// Sends a ping to a silent server, and closes if it stays silent. While the reader is behind, nothing is read, so silence does not
    /// count.
    private func watchLiveness() {
        guard frames.ending == nil else { return }
        if isPaused { heard() }
        let silentUs = loop.nowUs - heardUs
        if silentUs >= limits.silence.us {
            frames.lose(1006, "The server was silent for too long.")
            return socket.kill()
        }
        if silentUs >= limits.pingAfter.us, !hasPinged {
            hasPinged = true
            owesPing = true
            socket.askForRoom()
        }
        // Checks again soon after a ping, so that the next ping follows the last activity and not the limit of silence.
        let pingUs = (hasPinged ? loop.nowUs : heardUs) + limits.pingAfter.us
        let nextUs = min(pingUs, heardUs + limits.silence.us)
        alarm = loop.after(.microseconds(max(1_000, nextUs - loop.nowUs))) { [weak self] in self?.watchLiveness() }
    }
}
