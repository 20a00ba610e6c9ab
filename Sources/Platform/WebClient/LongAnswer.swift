import BatonClient
import BatonSeams
import CLinux
import EventLoop
import Glibc

/// One HTTP request with a long answer, on a connection of its own. The body is passed on while it arrives; a connection without progress
/// is closed.
@Loop
struct LongAnswer {
    private let call: PlainCall
    private let take: @Loop (ArraySlice<UInt8>, Int64) throws -> Void

    /// Time in which the hub prepares its answer.
    private static let patience = Duration.seconds(900)
    /// Time without progress while the body arrives.
    private static let silence = Duration.seconds(60)
    private static let mostHead = 65_536

    init(_ call: PlainCall, _ take: @escaping @Loop (ArraySlice<UInt8>, Int64) throws -> Void) {
        self.call = call
        self.take = take
    }

    func ask(_ method: HTTPRequest.Method, _ path: String) async throws -> HTTPReply {
        let pipe = try await call.open()
        defer { pipe.close() }
        let head = "\(method.rawValue) \(path) HTTP/1.1\r\nhost: \(call.endpoint.host)\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        var rest = Array(head.utf8)[...]
        while !rest.isEmpty {
            switch pipe.send(rest) {
            case .moved(let count): rest = rest.dropFirst(count)
            case .wait(let mask): try await wait(for: pipe, mask: mask, atMost: Self.silence)
            case .over: throw SocketsError(.closed, "\(call.endpoint) hung up without an answer.")
            }
        }
        return try await answer(to: method, from: pipe)
    }

    private func answer(to method: HTTPRequest.Method, from pipe: Pipe) async throws -> HTTPReply {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            if let reply = PlainCall.parsed(bytes, headOnly: true, isWhole: false) {
                // The head alone, without the body.
                let body = bytes[Self.bodyStart(of: bytes)...]
                guard reply.status == 200, let length = reply.headers["content-length"].flatMap({ Int64($0) }) else {
                    return try await call.answer(to: method, from: pipe, begun: bytes, until: call.loop.nowUs + Self.silence.us)
                }
                try await pass(body, length: length, from: pipe, through: &room)
                return reply
            }
            guard bytes.count < Self.mostHead else { throw SocketsError(.overflow, "\(call.endpoint) answers without end.") }
            switch pipe.receive(&room) {
            case .moved(let count): bytes += room[..<count]
            case .wait(let mask): try await wait(for: pipe, mask: mask, atMost: Self.patience)
            case .over: throw SocketsError(.closed, "\(call.endpoint) hung up without an answer.")
            }
        }
    }

    private static func bodyStart(of bytes: [UInt8]) -> Int {
        let mark: [UInt8] = [13, 10, 13, 10]
        return (bytes.indices.first { bytes[$0...].starts(with: mark) } ?? bytes.count - 4) + 4
    }

    private func pass(_ begun: ArraySlice<UInt8>, length: Int64, from pipe: Pipe, through room: inout [UInt8]) async throws {
        var come = Int64(begun.count)
        try take(begun, length)
        while come < length {
            switch pipe.receive(&room) {
            case .moved(let count):
                come += Int64(count)
                try take(room[..<count], length)
            case .wait(let mask): try await wait(for: pipe, mask: mask, atMost: Self.silence)
            case .over: throw SocketsError(.closed, "The connection to \(call.endpoint) ended after \(come) of \(length) bytes.")
            }
        }
    }

    private func wait(for pipe: Pipe, mask: UInt32, atMost time: Duration) async throws(SocketsError) {
        guard await pipe.ready(on: call.loop, mask, until: call.loop.nowUs + time.us) else { throw call.endpoint.error(ETIMEDOUT) }
    }
}
