import BatonClient
import BatonCore
import BatonSeams
import CLinux
import EventLoop
import Glibc

/// The answer to a plain request.
package struct HTTPReply: Sendable {
    package var status: Int
    /// Headers with lower-case names.
    package var headers: [String: String]
    package var body: [UInt8]

    /// The body's first line, for people.
    package var sentence: String {
        String(decoding: body.prefix { $0 != 10 }, as: UTF8.self)
    }
}

/// One short HTTP request on a connection of its own, without libwebsockets. It also finds the reason for a failed connection, which
/// libwebsockets does not report.
@Loop
struct PlainCall {
    let loop: EventLoop
    let endpoint: Endpoint
    let deadlineUs: Microseconds

    /// Limit of an answer's size.
    private static let limit = 4 << 20

    init(on loop: EventLoop, to endpoint: Endpoint, timeout: Duration) {
        self.loop = loop
        self.endpoint = endpoint
        deadlineUs = loop.nowUs + timeout.us
    }

    func request(
        _ method: HTTPRequest.Method, _ path: String, headers: [(name: String, value: String)], body: [UInt8]
    ) async throws(SocketsError) -> HTTPReply {
        let pipe = try await open()
        defer { pipe.close() }
        var head = "\(method.rawValue) \(path) HTTP/1.1\r\nhost: \(endpoint.host)\r\n"
        if !headers.contains(where: { $0.name.lowercased() == "connection" }) { head += "connection: close\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if method == .post || !body.isEmpty { head += "content-length: \(body.count)\r\n" }
        try await send(Array((head + "\r\n").utf8) + body, through: pipe)
        return try await answer(to: method, from: pipe, until: deadlineUs)
    }

    /// Opens the connection, and with TLS checks the other side's key.
    func open() async throws(SocketsError) -> Pipe {
        try Client.check(endpoint, on: loop)
        let pipe = unsafe Pipe(try await connected(), tls: endpoint.isSecure ? loop.engine.tlsClient : nil, host: endpoint.hostName)
        while true {
            switch pipe.shakeHands() {
            case .moved:
                guard let fault = endpoint.fault(ofKey: pipe.keyHash) else { return pipe }
                pipe.close()
                throw fault
            case .wait(let mask):
                if await pipe.ready(on: loop, mask, until: deadlineUs) { continue }
                pipe.close()
                throw endpoint.error(ETIMEDOUT)
            case .over:
                pipe.close()
                throw SocketsError(.failed, "\(endpoint) does not speak TLS 1.3.")
            }
        }
    }

    /// A connection to the first address that accepts one.
    func connected() async throws(SocketsError) -> Int32 {
        var last = endpoint.error(ECONNREFUSED)
        for address in try await endpoint.addresses() {
            let descriptor = socket(
                address.family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var cause = address.connect(descriptor) == 0 ? 0 : errno
            if cause == EINPROGRESS {
                cause = await loop.ready(descriptor, EPOLLOUT.rawValue, until: deadlineUs) ? Self.pending(descriptor) : ETIMEDOUT
            }
            if cause == 0 { return descriptor }
            close(descriptor)
            last = endpoint.error(cause)
        }
        throw last
    }

    private static func pending(_ descriptor: Int32) -> Int32 {
        var cause: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &cause, &size) == 0 ? cause : errno
    }

    private func send(_ bytes: [UInt8], through pipe: Pipe) async throws(SocketsError) {
        var sent = 0
        while sent < bytes.count {
            switch pipe.send(bytes[sent...]) {
            case .moved(let count): sent += count
            case .wait(let mask): guard await pipe.ready(on: loop, mask, until: deadlineUs) else { throw endpoint.error(ETIMEDOUT) }
            // A server that stopped reading may have sent the reason.
            case .over: return
            }
        }
    }

    /// `begun` is the part of the answer that has already arrived.
    func answer(
        to method: HTTPRequest.Method, from pipe: Pipe, begun: [UInt8] = [], until deadlineUs: Microseconds
    ) async throws(SocketsError) -> HTTPReply {
        var bytes = begun
        var room = [UInt8](repeating: 0, count: 16_384)
        while true {
            if let reply = Self.parsed(bytes, headOnly: method == .head, isWhole: false) { return reply }
            switch pipe.receive(&room) {
            case .moved(let count):
                bytes.append(contentsOf: room[..<count])
                guard bytes.count < Self.limit else { throw SocketsError(.overflow, "\(endpoint) answers without end.") }
            case .wait(let mask): guard await pipe.ready(on: loop, mask, until: deadlineUs) else { throw endpoint.error(ETIMEDOUT) }
            case .over:
                guard let reply = Self.parsed(bytes, headOnly: method == .head, isWhole: true) else {
                    throw SocketsError(.closed, "\(endpoint) hung up without an answer.")
                }
                return reply
            }
        }
    }

    /// The answer, once it is complete.
    static func parsed(_ bytes: [UInt8], headOnly: Bool, isWhole: Bool) -> HTTPReply? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= 4, let end = (0...bytes.count - 4).first(where: { bytes[$0...].starts(with: mark) }) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        let body = Array(bytes[(end + 4)...])
        let length = headers["content-length"].flatMap { Int($0) }
        if headOnly || status == 101 || status == 204 || status == 304 { return HTTPReply(status: status, headers: headers, body: []) }
        if let length, body.count >= length { return HTTPReply(status: status, headers: headers, body: Array(body[..<length])) }
        return isWhole && length == nil ? HTTPReply(status: status, headers: headers, body: body) : nil
    }
}

extension EventLoop {
    /// Waits until the descriptor is ready or broken; false after a timeout.
    func ready(_ descriptor: Int32, _ mask: UInt32, until deadlineUs: Microseconds) async -> Bool {
        await withCheckedContinuation { answer in
            var waiting: CheckedContinuation<Bool, Never>? = answer
            var watch: (any Watch)?
            var alarm: (any Alarm)?
            let settle = { @Loop (isReady: Bool) in
                watch?.cancel()
                alarm?.cancel()
                waiting?.resume(returning: isReady)
                waiting = nil
            }
            watch = self.watch(descriptor, mask: mask) { _ in settle(true) }
            alarm = after(.microseconds(max(0, deadlineUs - nowUs))) { settle(false) }
        }
    }
}
