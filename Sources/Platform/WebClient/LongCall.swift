import BatonClient
import BatonCore
import BatonSeams
import CLinux
import EventLoop
import Glibc

/// One HTTP request with a long body, on a connection of its own.
///
/// The hub is first asked whether it accepts the body (`Expect: 100-continue`). Its answer may also come while the body is sent: a refusal
/// ends the sending. A connection without progress is closed.
@Loop
struct LongCall {
    private let call: PlainCall
    private let body: SentBody
    private let told: @Loop (Int64) -> Void

    /// Time without progress while the body is sent. The server behind the hub may be slow.
    private static let silence = Duration.seconds(240)
    /// Time for the answer after the whole body was sent, since the server may process the whole file first.
    private static let answerLimit = Duration.seconds(900)

    init(_ call: PlainCall, body: SentBody, told: @escaping @Loop (Int64) -> Void) {
        self.call = call
        self.body = body
        self.told = told
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: [(name: String, value: String)]
    ) async throws(SocketsError) -> HTTPReply {
        let pipe = try await call.open()
        defer { pipe.close() }
        var head = "\(method.rawValue) \(path) HTTP/1.1\r\nhost: \(call.endpoint.host)\r\nconnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        head += "content-length: \(body.length)\r\nexpect: 100-continue\r\n\r\n"
        guard try await send(Array(head.utf8)[...], through: pipe) else {
            return try await call.answer(to: method, from: pipe, until: due(Self.silence))
        }
        let first = try await firstAnswer(to: method, from: pipe)
        guard first.status == 100 else { return first }
        var early: [UInt8] = []
        var sent: Int64 = 0
        var room = [UInt8](repeating: 0, count: 4096)
        while sent < body.length {
            let piece = try body.next()
            guard !piece.isEmpty else { throw SocketsError(.failed, "The file became shorter while it was sent.") }
            guard try await send(piece.prefix(Int(clamping: body.length - sent)), through: pipe) else { break }
            sent += Int64(piece.count)
            told(sent)
            // An early answer of the hub is always a refusal.
            if case .moved(let count) = pipe.receive(&room) {
                early = Array(room[..<count])
                break
            }
        }
        return try await answer(to: method, from: pipe, early, after: sent)
    }

    private func answer(
        to method: HTTPRequest.Method, from pipe: Pipe, _ early: [UInt8], after sent: Int64
    ) async throws(SocketsError) -> HTTPReply {
        do throws(SocketsError) {
            return try await call.answer(to: method, from: pipe, begun: early, until: due(Self.answerLimit))
        } catch {
            guard error.code == .closed else { throw error }
            throw SocketsError(.closed, "The connection to \(call.endpoint) ended after \(sent) of \(body.length) bytes.")
        }
    }

    /// The head of the first answer: permission to continue, or a refusal.
    private func firstAnswer(to method: HTTPRequest.Method, from pipe: Pipe) async throws(SocketsError) -> HTTPReply {
        let goOn = Array("HTTP/1.1 100 ".utf8)
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            if bytes.starts(with: goOn), bytes.suffix(4) == [13, 10, 13, 10] { return HTTPReply(status: 100, headers: [:], body: []) }
            if bytes.count >= goOn.count, !bytes.starts(with: goOn) {
                return try await call.answer(to: method, from: pipe, begun: bytes, until: due(Self.silence))
            }
            switch pipe.receive(&room) {
            case .moved(let count): bytes += room[..<count]
            case .wait(let mask): try await wait(pipe, mask)
            case .over: throw SocketsError(.closed, "\(call.endpoint) hung up without an answer.")
            }
        }
    }

    /// False if the hub accepts no more.
    private func send(_ bytes: ArraySlice<UInt8>, through pipe: Pipe) async throws(SocketsError) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            switch pipe.send(rest) {
            case .moved(let count): rest = rest.dropFirst(count)
            case .wait(let mask): try await wait(pipe, mask)
            case .over: return false
            }
        }
        return true
    }

    private func wait(_ pipe: Pipe, _ mask: UInt32) async throws(SocketsError) {
        guard await pipe.ready(on: call.loop, mask, until: due(Self.silence)) else { throw call.endpoint.error(ETIMEDOUT) }
    }

    private func due(_ time: Duration) -> Microseconds { call.loop.nowUs + time.us }
}
