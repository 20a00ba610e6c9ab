import BatonCore
import BatonReading
import BatonSeams
import CLinux
import Glibc

/// The conversation with one confined program: the bytes that it has sent, and its deadline.
///
/// Belongs to the caller that took the program from the pool or started it; no other caller uses it.
final class ReaderLine {
    private let process: ReaderProcess
    private var heard: [UInt8] = []
    /// Start of the next answer in `heard`.
    private var at = 0
    /// Deadline in milliseconds of the monotonic clock.
    private(set) var deadlineMs: Milliseconds = .max
    /// Time that the reader had waited for a processor when the deadline was set.
    private var starvedMs: Milliseconds = 0

    /// The reasons why no more answers come.
    enum Loss: Error {
        /// It ended: a fault, a lack of memory, or a failed start.
        case ended
        /// It sent invalid bytes.
        case garbled
        case tookTooLong
    }

    init(_ process: ReaderProcess) { self.process = process }

    var socket: Int32 { process.socket }

    func end() { process.end() }

    /// True while the reader runs and has sent nothing, as is right between requests. If it has ended, the socket can be read.
    var isReady: Bool {
        var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return unsafe at == heard.count && poll(&look, 1, 0) == 0
    }

    func allow(ms: Milliseconds) {
        deadlineMs = Clock.system.nowMs + ms
        starvedMs = process.starvedMs
    }

    /// Whether the deadline has passed. Time in which the reader waited for a processor is added to it, since on a busy machine that says
    /// nothing about the file.
    func isLate() -> Bool {
        guard deadlineMs <= Clock.system.nowMs else { return false }
        let now = process.starvedMs
        deadlineMs += max(0, now - starvedMs)
        starvedMs = now
        return deadlineMs <= Clock.system.nowMs
    }

    /// Sends a request, and waits until the reader has received it, which it does before it starts any work. The files are sent with the
    /// first byte and belong to the reader from then on.
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

    /// Reads the bytes that have arrived, and returns the next answer if it is complete.
    func answer(largest: Int) throws(Loss) -> ReaderAnswer? {
        if let answer = try next(largest: largest) { return answer }
        try takeIn()
        return try next(largest: largest)
    }

    /// Waits for the next answer.
    func awaitAnswer(largest: Int) throws(Loss) -> ReaderAnswer {
        let body = try awaitBody(largest: largest)
        guard let answer = try? ReaderAnswer(body) else { throw .garbled }
        return answer
    }

    /// Waits for the next frame and returns its body.
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

    /// Reads all bytes that have arrived.
    private func takeIn() throws(Loss) {
        heard.removeFirst(at)
        at = 0
        let room = 65_536
        while true {
            var piece = [UInt8](repeating: 0, count: room)
            let count = unsafe recv(socket, &piece, room, Int32(MSG_DONTWAIT))
            if count > 0 {
                heard += piece.prefix(count)
                // Any answer is complete before this limit; a reader that sends more is broken.
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
        if isLate() { throw .tookTooLong }
        let left = max(0, deadlineMs - Clock.system.nowMs)
        var look = pollfd(fd: socket, events: events, revents: 0)
        _ = unsafe poll(&look, 1, Int32(clamping: left.count))
    }
}
