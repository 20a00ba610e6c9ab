import BatonReading
import BatonSeams
import CLinux
import Glibc

/// The talk with one confined program: what it has said so far, and the moment until which it may be silent.
///
/// Belongs to the caller that has taken the program out of the pool, or started it; no other touches it.
final class ReaderLine {
    private let process: ReaderProcess
    private var heard: [UInt8] = []
    /// Where in `heard` the next answer begins.
    private var at = 0
    /// In milliseconds of the monotonic clock.
    private(set) var deadlineMs: Int64 = .max

    /// Why there will be no more answers.
    enum Loss: Error {
        /// It ended: by a fault, by a lack of memory, or because it never began.
        case ended
        /// It sent bytes that are no answer.
        case garbled
        case tookTooLong
    }

    init(_ process: ReaderProcess) { self.process = process }

    var socket: Int32 { process.socket }

    func end() { process.end() }

    /// Whether it is there, and silent as it should be. One that has gone home says so, or is gone.
    var isReady: Bool {
        var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return unsafe at == heard.count && poll(&look, 1, 0) == 0
    }

    func allow(ms: Int64) { deadlineMs = Clock.system.nowMs + ms }

    /// Waits for the reader to take it, which it does before it works on anything. The files go along with the first
    /// byte, and are the reader's own from there on.
    func ask(_ request: ReaderRequest, with files: [any FileRange] = []) throws(Loss) { try send(request.frame, with: files) }

    func send(_ frame: [UInt8], with files: [any FileRange] = []) throws(Loss) {
        let descriptors = files.map(\.descriptor)
        defer { withExtendedLifetime(files) {} }
        var sent = 0
        while sent < frame.count {
            let along = sent == 0 ? descriptors : []
            let count = unsafe frame[sent...].withUnsafeBytes { bytes in
                unsafe clinux_send(socket, bytes.baseAddress, UInt(bytes.count), Self.quietly, along, Int32(along.count))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(for: Int16(POLLOUT))
            } else if errno != EINTR {
                throw .ended
            }
        }
    }

    private static let quietly = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)

    /// The next answer if it has come whole; takes in what has arrived.
    func answer(largest: Int) throws(Loss) -> ReaderAnswer? {
        if let answer = try next(largest: largest) { return answer }
        try takeIn()
        return try next(largest: largest)
    }

    /// The next answer, for which this waits.
    func awaitAnswer(largest: Int) throws(Loss) -> ReaderAnswer {
        let body = try awaitBody(largest: largest)
        guard let answer = try? ReaderAnswer(body) else { throw .garbled }
        return answer
    }

    /// What follows the head of the next frame.
    func awaitBody(largest: Int) throws(Loss) -> [UInt8] {
        while true {
            if let body = try nextBody(largest: largest) { return body }
            try takeIn()
            if let body = try nextBody(largest: largest) { return body }
            try wait(for: Int16(POLLIN))
        }
    }

    private func next(largest: Int) throws(Loss) -> ReaderAnswer? {
        guard let body = try nextBody(largest: largest) else { return nil }
        guard let answer = try? ReaderAnswer(body) else { throw .garbled }
        return answer
    }

    private func nextBody(largest: Int) throws(Loss) -> [UInt8]? {
        guard let size = FrameHead.size(heard[at...]) else { return nil }
        guard size <= largest else { throw .garbled }
        let start = at + FrameHead.length
        guard heard.count - start >= size else { return nil }
        at = start + size
        let body = Array(heard[start..<at])
        if at == heard.count {
            heard.removeAll(keepingCapacity: heard.capacity < 1 << 20)
            at = 0
        }
        return body
    }

    /// Everything that is there now.
    private func takeIn() throws(Loss) {
        heard.removeFirst(at)
        at = 0
        let room = 65_536
        while true {
            var piece = [UInt8](repeating: 0, count: room)
            let count = unsafe recv(socket, &piece, room, Int32(MSG_DONTWAIT))
            if count > 0 {
                heard += piece.prefix(count)
                // An answer is complete long before this; a reader that sends more is broken.
                guard heard.count <= ReaderAnswer.largest + room else { throw .garbled }
                if count < room { return }
            } else if count == 0 {
                throw .ended
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw .ended
            }
        }
    }

    private func wait(for events: Int16) throws(Loss) {
        let left = deadlineMs - Clock.system.nowMs
        guard left > 0 else { throw .tookTooLong }
        var look = pollfd(fd: socket, events: events, revents: 0)
        _ = unsafe poll(&look, 1, Int32(clamping: left))
    }
}
