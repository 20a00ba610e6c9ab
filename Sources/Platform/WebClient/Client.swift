package import BatonClient
import BatonProtocol
package import BatonSeams
package import EventLoop
import Glibc

/// Connections to a hub.
package enum Client {
    /// Path of the protocol on a hub, and the name of its subprotocol.
    static let path = CoreVersion.path
    static let subprotocol = CoreVersion.subprotocol
    /// The path of hubs before Core 1.0.
    private static let earlierPath = "/companion/v1"

    /// Connects a WebSocket, offering `baton.v1`. Throws a sentence: no program listens there, or the hub's own text if it refused.
    package static func connect(
        to endpoint: Endpoint, on loop: EventLoop, timeout: Duration = .seconds(5)
    ) async throws(SocketsError) -> ClientLink {
        try await check(endpoint, on: loop)
        var last = endpoint.error(ECONNREFUSED)
        for address in try await endpoint.addresses() {
            let socket = await ClientSocket(loop, to: endpoint)
            switch await socket.open(address, timeout) {
            case .open: return await ClientLink(socket)
            case .rejected(let status): throw await rejection(status, by: endpoint, on: loop, timeout)
            case .failed(let words): last = await reason(words, at: endpoint, on: loop, timeout: timeout)
            case .late: last = endpoint.error(ETIMEDOUT)
            case .otherKey(let error): throw error
            }
        }
        throw last
    }

    /// Whether a program listens at this socket file.
    package static func takesConnection(_ path: String) -> Bool {
        guard let address = Address(unix: path) else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { Glibc.close(descriptor) }
        return address.connect(descriptor) == 0
    }

    /// A loop without TLS serves this machine's hub only; any other hub counts as one that does not answer.
    @Loop
    static func check(_ endpoint: Endpoint, on loop: EventLoop) throws(SocketsError) {
        guard endpoint.isSecure, !loop.engine.hasTLS else { return }
        throw SocketsError(.refused, "The hub on this machine answers no more, and \(endpoint) was not tried. Try again.")
    }

    /// Sends one plain request on a connection of its own.
    package static func request(
        _ method: HTTPRequest.Method, _ path: String, of endpoint: Endpoint, headers: [(name: String, value: String)] = [],
        body: [UInt8] = [], on loop: EventLoop, timeout: Duration = .seconds(5)
    ) async throws(SocketsError) -> HTTPReply {
        try await PlainCall(on: loop, to: endpoint, timeout: timeout).request(method, path, headers: headers, body: body)
    }

    /// Sends a body that is read while it is sent. The hub may refuse the request before the body, which is then not sent. `told` gets the
    /// number of sent bytes.
    package static func send(
        _ body: SentBody, by method: HTTPRequest.Method, to path: String, of endpoint: Endpoint,
        headers: [(name: String, value: String)] = [], on loop: EventLoop, timeout: Duration = .seconds(5),
        told: @escaping @Loop (Int64) -> Void = { _ in }
    ) async throws(SocketsError) -> HTTPReply {
        try await LongCall(PlainCall(on: loop, to: endpoint, timeout: timeout), body: body, told: told).send(method, path, headers: headers)
    }

    /// Requests a long answer, and passes its body on while it arrives: `take` gets each piece and the total number of bytes. An answer
    /// other than 200 is returned as a whole.
    package static func receive(
        by method: HTTPRequest.Method, _ path: String, of endpoint: Endpoint, on loop: EventLoop, timeout: Duration = .seconds(5),
        take: @escaping @Loop (_ piece: ArraySlice<UInt8>, _ of: Int64) throws -> Void
    ) async throws -> HTTPReply {
        try await LongAnswer(PlainCall(on: loop, to: endpoint, timeout: timeout), take).ask(method, path)
    }

    /// libwebsockets drops the body of a refusal, so the request is sent again without libwebsockets.
    private static func rejection(
        _ status: Int, by endpoint: Endpoint, on loop: EventLoop, _ timeout: Duration
    ) async -> SocketsError {
        let upgrade = [
            (name: "connection", value: "Upgrade"), (name: "upgrade", value: "websocket"), (name: "sec-websocket-version", value: "13"),
            (name: "sec-websocket-key", value: "YmF0b24gYXNrcyBhZ2Fpbg=="), (name: "sec-websocket-protocol", value: subprotocol),
        ]
        var sentence = "\(endpoint) refused the connection with HTTP status \(status)."
        do throws(SocketsError) {
            let reply = try await PlainCall(on: loop, to: endpoint, timeout: timeout).request(.get, path, headers: upgrade, body: [])
            if reply.status == status, !reply.sentence.isEmpty { sentence = reply.sentence }
            // A hub of that time names its own path, of which a person knows nothing.
            if status == 404, sentence.contains(earlierPath) {
                sentence = "The hub at \(endpoint) is older than this program. Update the hub."
            }
        } catch {
            // The status has to be enough.
        }
        return SocketsError(.rejected(status: status), sentence)
    }

    /// libwebsockets does not pass on why a connection failed; a second attempt without it shows the reason.
    private static func reason(_ words: String, at endpoint: Endpoint, on loop: EventLoop, timeout: Duration) async -> SocketsError {
        do throws(SocketsError) {
            try await PlainCall(on: loop, to: endpoint, timeout: timeout).open().close()
            return SocketsError(.failed, "\(endpoint) answers, but not as a hub: \(words).")
        } catch {
            return error
        }
    }
}

/// A body that is read while it is sent.
package struct SentBody {
    package var length: Int64
    /// The next bytes, none at the end; throws a sentence if they cannot be read.
    package var next: @Loop () throws(SocketsError) -> [UInt8]

    package init(length: Int64, next: @escaping @Loop () throws(SocketsError) -> [UInt8]) {
        self.length = length
        self.next = next
    }
}

/// A WebSocket to a hub. Any isolation may use it; calls reach the loop in order.
@Loop
package final class ClientLink {
    /// The end of a connection. 1005 is a close without a code, 1006 a lost connection. libwebsockets 4.1 takes 1012 and 1013 for errors
    /// and reports 1002, with the reason intact. It frames our messages itself, so no hub has a reason to send us 1002: it is passed on as
    /// 1013, after which a client waits longest. A hub that sends `bye` before it closes tells which of the two it was.
    package typealias Ending = WebSocketEnding

    private let socket: ClientSocket

    /// Whole text messages in order, for one reader; finishes when the connection has ended. Up to 1,024 messages wait for the reader. One
    /// that is further behind would miss some unnoticed, so the connection is closed with 4430 instead.
    package nonisolated let messages: AsyncStream<[UInt8]>
    /// Whole binary messages, for one reader. Above 1,024 waiting ones, messages are dropped, and so are pictures with missing parts.
    package nonisolated let pictures: AsyncStream<[UInt8]>

    init(_ socket: ClientSocket) {
        self.socket = socket
        messages = socket.messages
        pictures = socket.pictures
    }

    isolated deinit { socket.close(1001, "") }

    /// TLS properties of the connection; `nil` without TLS.
    package var security: ChannelSecurity? { socket.security }

    /// Sends one text message, or stores it until the pipe has room: up to 1 MiB.
    package func send(_ text: [UInt8]) throws(SocketsError) { try socket.send(text) }

    /// Sends a close frame after the waiting messages.
    package func close(_ code: UInt16 = 1000, _ reason: String = "") { socket.close(code, reason) }

    /// The way it ended; `nil` while it lasts.
    package var ending: Ending? { socket.ending }

    /// Waits for the end.
    package func ended() async -> Ending { await socket.ended() }
}
