import BatonClient
import BatonSeams
import CWebSockets
import EventLoop
import Glibc

/// The client side of libwebsockets: one connection from its first attempt to its end.
///
/// The loop retains it until libwebsockets has dropped it. libwebsockets masks bytes in place when it writes them, so each message is a
/// copy.
@Loop
final class ClientSocket: SocketHandler {
    enum Opening: Sendable {
        case open
        case rejected(status: Int)
        case failed(String)
        case late
        case otherKey(SocketsError)
    }

    nonisolated let messages: AsyncStream<[UInt8]>
    nonisolated let pictures: AsyncStream<[UInt8]>
    private nonisolated let sink: AsyncStream<[UInt8]>.Continuation
    private nonisolated let pictureSink: AsyncStream<[UInt8]>.Continuation
    private let socket = Socket()
    private let loop: EventLoop
    private var opening: CheckedContinuation<Opening, Never>?
    private var alarm: (any Alarm)?
    private var status: Int?
    private let endpoint: Endpoint
    private(set) var security: ChannelSecurity?
    private var message: [UInt8] = []
    private var outbox: [[UInt8]] = []
    private var outboxBytes = 0
    private var closingMessage: ClientLink.Ending?
    private(set) var ending: ClientLink.Ending?
    private var waiting: [CheckedContinuation<ClientLink.Ending, Never>] = []

    /// Limit of a message from a hub, which may send 64 KiB.
    private static let messageLimit = 1 << 20
    private static let outboxLimit = 1 << 20

    init(_ loop: EventLoop, to endpoint: Endpoint) {
        self.loop = loop
        self.endpoint = endpoint
        (messages, sink) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(1_024))
        (pictures, pictureSink) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(1_024))
        socket.handler = self
    }

    var label: String { "a connection to a hub" }

    func open(_ address: Address, _ timeout: Duration) async -> Opening {
        loop.keep(self)
        return await withCheckedContinuation { opening in
            self.opening = opening
            alarm = loop.after(timeout) { [weak self] in
                self?.settle(.late)
                self?.socket.kill()
            }
            start(address)
        }
    }

    private func start(_ address: Address) {
        let place = if case .unix(let path) = endpoint { "+\(path)" } else { address.host }
        let made = unsafe place.withCString { place in
            unsafe endpoint.host.withCString { host in
                unsafe Client.path.withCString { path in
                    unsafe Client.subprotocol.withCString { name in
                        // libwebsockets copies all of these before it returns.
                        var info = unsafe lws_client_connect_info()
                        unsafe info.context = loop.engine.context
                        unsafe info.vhost = loop.engine.vhost
                        unsafe info.address = place
                        unsafe info.port = Int32(address.port)
                        unsafe info.host = host
                        unsafe info.path = path
                        unsafe info.protocol = name
                        unsafe info.local_protocol_name = name
                        unsafe info.ietf_version_or_minus_one = -1
                        unsafe info.opaque_user_data = socket.opaque
                        if endpoint.isSecure { unsafe info.ssl_connection = Self.anyCertificate }
                        return unsafe lws_client_connect_via_info(&info)
                    }
                }
            }
        }
        if let made = unsafe made {
            if ending == nil { unsafe socket.wsi = made }
        } else {
            // It may or may not have reported the failure already.
            settle(.failed("no connection"))
            socketForgotten()
        }
    }

    /// `established` compares the key itself, so libwebsockets does not check the certificate.
    private static let anyCertificate = Int32(
        LCCSCF_USE_SSL.rawValue | LCCSCF_ALLOW_SELFSIGNED.rawValue | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue
            | LCCSCF_ALLOW_EXPIRED.rawValue | LCCSCF_ALLOW_INSECURE.rawValue)

    /// Compares the key. Only the WebSocket request was sent so far, which contains no secret.
    private func established() {
        guard endpoint.isSecure else { return settle(.open) }
        guard let hash = socket.peerKeyHash else {
            settle(.failed("its certificate cannot be read"))
            return socket.kill()
        }
        if let fault = endpoint.fault(ofKey: hash) {
            settle(.otherKey(fault))
            return socket.kill()
        }
        security = ChannelSecurity(hubKey: hash, exporter: socket.exporter)
        settle(.open)
    }

    private func settle(_ result: Opening) {
        alarm?.cancel()
        alarm = nil
        opening?.resume(returning: result)
        opening = nil
    }

    func handle(_ event: SocketEvent, _ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
        let bytes = UnsafeRawBufferPointer(bytes)
        switch event {
        case .message: unsafe received(bytes)
        case .writable: return writable()
        case .status: heardStatus()
        case .established: established()
        case .failed: unsafe settle(failure(bytes))
        case .peerCloses: unsafe heardClose(bytes)
        case .closed: finish()
        default: break
        }
        return 0
    }

    func socketForgotten() {
        settle(.failed("the connection was lost"))
        finish()
        loop.release(self)
    }

    /// Called before libwebsockets evaluates the status itself and drops the rest.
    private func heardStatus() {
        guard let wsi = unsafe socket.wsi else { return }
        status = Int(unsafe lws_http_client_http_response(wsi))
    }

    private func failure(_ words: UnsafeRawBufferPointer) -> Opening {
        if let status, status != 101, status > 0 { return .rejected(status: status) }
        return .failed(unsafe String(decoding: words, as: UTF8.self))
    }

    // MARK: Receiving

    private func received(_ bytes: UnsafeRawBufferPointer) {
        guard let wsi = unsafe socket.wsi, closingMessage == nil else { return }
        guard message.count + bytes.count <= Self.messageLimit else { return close(1009, "The message is too long.") }
        unsafe message.append(contentsOf: bytes)
        guard unsafe lws_is_final_fragment(wsi) != 0 else { return }
        let whole = message
        message = []
        if unsafe lws_frame_is_binary(wsi) != 0 {
            pictureSink.yield(whole)
            return
        }
        if case .dropped = sink.yield(whole) { close(4430, "The reader is too far behind.") }
    }

    private func heardClose(_ bytes: UnsafeRawBufferPointer) {
        guard closingMessage == nil else { return }
        let said = unsafe bytes.count >= 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 1005
        // See `ClientLink.Ending`: a client that took it for an error of its own would never reconnect.
        let code = said == 1002 ? 1013 : said
        let reason = unsafe String(decoding: bytes.dropFirst(2), as: UTF8.self)
        closingMessage = ClientLink.Ending(code: code, reason: reason, byPeer: true)
    }

    private func finish() {
        guard ending == nil else { return }
        let ending = closingMessage ?? ClientLink.Ending(code: 1006, reason: "The connection was lost.", byPeer: true)
        self.ending = ending
        outbox = []
        sink.finish()
        pictureSink.finish()
        for waiter in waiting { waiter.resume(returning: ending) }
        waiting = []
    }

    func ended() async -> ClientLink.Ending {
        if let ending { return ending }
        return await withCheckedContinuation { answer in
            // Other work may have run on the loop in the meantime.
            if let ending { answer.resume(returning: ending) } else { waiting.append(answer) }
        }
    }

    // MARK: Sending

    func send(_ text: [UInt8]) throws(SocketsError) {
        guard ending == nil, closingMessage == nil, socket.isOpen else {
            throw SocketsError(.closed, "The connection to the hub is over.")
        }
        guard outboxBytes + text.count <= Self.outboxLimit else {
            throw SocketsError(.overflow, "The hub takes nothing more at present.")
        }
        outbox.append([UInt8](repeating: 0, count: Frame.headroom) + text)
        outboxBytes += text.count
        if outbox.count == 1, socket.hasRoom { writeNext() } else { socket.askForRoom() }
    }

    private func writeNext() {
        guard let wsi = unsafe socket.wsi, !outbox.isEmpty else { return }
        var bytes = outbox.removeFirst()
        outboxBytes -= bytes.count - Frame.headroom
        let result = unsafe bytes.withUnsafeMutableBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return 0 }
            let payload = unsafe (start + Frame.headroom).assumingMemoryBound(to: UInt8.self)
            return unsafe lws_write(wsi, payload, bytes.count - Frame.headroom, LWS_WRITE_TEXT)
        }
        if result < 0 { socket.kill() }
    }

    private func writable() -> Int32 {
        guard let wsi = unsafe socket.wsi else { return -1 }
        if !outbox.isEmpty {
            writeNext()
            if !outbox.isEmpty || closingMessage != nil { socket.askForRoom() }
            return 0
        }
        guard let closingMessage, !closingMessage.byPeer else { return 0 }
        var reason = Array(closingMessage.reason.utf8.prefix(123))
        unsafe reason.withUnsafeMutableBufferPointer {
            unsafe lws_close_reason(wsi, lws_close_status(rawValue: UInt32(closingMessage.code)), $0.baseAddress, $0.count)
        }
        return -1
    }

    func close(_ code: UInt16, _ reason: String) {
        guard ending == nil, closingMessage == nil, socket.isOpen else { return }
        closingMessage = ClientLink.Ending(code: code, reason: reason, byPeer: false)
        socket.askForRoom()
    }
}
