import BatonClient
import BatonSeams
import EventLoop
import Glibc

/// The client side of libwebsockets: one connection from its first attempt to its end.
///
/// The loop retains it until libwebsockets has dropped it.
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
    private var frames = WebSocketFrames(messageLimit: messageLimit)

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
    var ending: ClientLink.Ending? { frames.ending }

    func open(_ address: Address, _ timeout: Duration) async -> Opening {
        loop.retain(self)
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
        // `established` compares the key itself, so libwebsockets does not check the certificate.
        let call = WebSocketCall(
            .hub(isSecure: endpoint.isSecure), address: place, port: address.port, host: endpoint.host, path: Client.path,
            subprotocols: Client.subprotocol)
        if let made = unsafe socket.connect(call, through: loop.engine.vhost, on: loop) {
            if ending == nil { unsafe socket.wsi = made }
        } else {
            // It may or may not have reported the failure already.
            settle(.failed("no connection"))
            socketForgotten()
        }
    }

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
        case .status: if let answered = socket.httpStatus { status = answered }
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

    private func failure(_ words: UnsafeRawBufferPointer) -> Opening {
        if let status, status != 101, status > 0 { return .rejected(status: status) }
        return .failed(unsafe String(decoding: words, as: UTF8.self))
    }

    // MARK: Receiving

    private func received(_ bytes: UnsafeRawBufferPointer) {
        guard socket.isOpen, frames.closing == nil else { return }
        switch unsafe frames.receive(bytes, toCome: socket.frameBytesToCome, isLast: socket.isLastPiece) {
        case .part: break
        case .whole(let picture) where socket.isBinaryMessage: pictureSink.yield(picture)
        case .whole(let message): if case .dropped = sink.yield(message) { close(4430, "The reader is too far behind.") }
        case .tooLong: close(1009, "The message is too long.")
        }
    }

    /// Takes the hub's close frame. See `ClientLink` for 1002: a client that took it for an error of its own would never reconnect.
    private func heardClose(_ bytes: UnsafeRawBufferPointer) {
        unsafe frames.heardClose(bytes) { $0 == 1002 ? 1013 : $0 }
    }

    private func finish() {
        guard frames.end() else { return }
        sink.finish()
        pictureSink.finish()
    }

    func ended() async -> ClientLink.Ending {
        await withCheckedContinuation { frames.tellEnd($0) }
    }

    // MARK: Sending

    func send(_ text: [UInt8]) throws(SocketsError) {
        guard !frames.isClosing, socket.isOpen else {
            throw SocketsError(.closed, "The connection to the hub is over.")
        }
        guard frames.unsentBytes + text.count <= Self.outboxLimit else {
            throw SocketsError(.overflow, "The hub takes nothing more at present.")
        }
        frames.add(text, isBinary: false)
        if frames.waitingMessages == 1, socket.hasRoom { writeNext() } else { socket.askForRoom() }
    }

    /// Writes the next message; false if there is none.
    @discardableResult
    private func writeNext() -> Bool {
        guard let next = frames.takeNext() else { return false }
        if !socket.write(next) { socket.kill() }
        return true
    }

    private func writable() -> Int32 {
        guard socket.isOpen else { return -1 }
        guard writeNext() else { return socket.sendClose(of: frames) }
        if frames.wantsRoom { socket.askForRoom() }
        return 0
    }

    func close(_ code: UInt16, _ reason: String) {
        if socket.isOpen, frames.close(code, reason) { socket.askForRoom() }
    }
}
