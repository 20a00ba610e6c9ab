import BatonSeams
import Synchronization

/// One call, shared by the task that waits for it and the thread that runs it: the head of the response, unread pieces of its body, and its
/// end.
///
/// The lock guards these few fields and is never held while a task is resumed. One task waits at a time.
final class Exchange: Sendable {
    struct Head: Sendable {
        var status: Int
        var headers: [HTTPCall.Header]
        var movedTo: String?
    }

    private struct State {
        var head: Head?
        var pieces: [[UInt8]] = []
        var buffered = 0
        /// True while the reader accepts everything that libcurl holds.
        var takesAll = false
        /// True while libcurl waits for room.
        var isPaused = false
        var end: Result<Void, HTTPCallFault>?
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// Limit of bytes that wait for a reader. Above it, the server is slowed down.
    private static let mostBuffered = 3 * HTTPStream.pieceBytes
    /// Number of bytes that libcurl delivers at once when a body arrives faster than it is read.
    private static let libraryPiece = 16 * 1024

    private let state = Mutex(State())
    private let loop: CurlLoop

    init(_ loop: CurlLoop) { self.loop = loop }

    // MARK: The reader's side

    func head() async throws(HTTPCallFault) -> Head {
        await wait { $0.head != nil }
        let (head, end) = state.withLock { ($0.head, $0.end) }
        if let head { return head }
        if case .failure(let fault) = end { throw fault }
        throw HTTPCallFault(.badAnswer, "The call ended without an answer.")
    }

    func next() async throws(HTTPCallFault) -> [UInt8]? {
        await wait { !$0.pieces.isEmpty }
        let (piece, end, resumes) = state.withLock { state -> ([UInt8]?, Result<Void, HTTPCallFault>?, Bool) in
            let piece = state.pieces.isEmpty ? nil : state.pieces.removeFirst()
            state.buffered -= piece?.count ?? 0
            let resumes = state.isPaused && state.buffered <= Self.mostBuffered / 2
            if resumes { state.isPaused = false }
            return (piece, state.end, resumes)
        }
        if resumes { loop.resume(self) }
        if let piece { return piece }
        if case .failure(let fault) = end { throw fault }
        return nil
    }

    func cancel() { loop.cancel(self) }

    /// See `HTTPBody.connection`. If there is a connection, the call is over, and it contains all earlier bytes.
    func connection() async -> BodyConnection? {
        let socket = await withCheckedContinuation { reply in loop.handOver(self, to: reply) }
        guard let socket else { return nil }
        let pieces = state.withLock { state in
            defer { (state.pieces, state.buffered) = ([], 0) }
            return state.pieces
        }
        return BodyConnection(socket.descriptor, early: Array(pieces.joined()), length: socket.length)
    }

    /// Waits for a condition or the end of the call. Cancelling the task cancels the call.
    private func wait(for isThere: @escaping @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            // A woken reader may have taken the bytes already and wait for others by now.
            while !state.withLock({ isThere($0) || $0.end != nil }) {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if isThere(state) || state.end != nil { return true }
                        state.waiting = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            }
        } onCancel: {
            cancel()
        }
    }

    // MARK: The thread's side

    func began(_ head: Head) {
        change { $0.head = head }
    }

    /// False if the reader is too far behind; libcurl then offers the same bytes again later. The reader is woken by `tell` after libcurl
    /// has delivered everything, since waking it for each part would cost more than carrying the bytes.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard state.buffered == 0 || state.takesAll || state.buffered + bytes.count <= Self.mostBuffered else {
                state.isPaused = true
                return false
            }
            if let last = state.pieces.indices.last, state.pieces[last].count + bytes.count <= HTTPStream.pieceBytes {
                unsafe state.pieces[last].append(contentsOf: bytes)
            } else {
                var piece: [UInt8] = []
                piece.reserveCapacity(bytes.count < Self.libraryPiece ? bytes.count : HTTPStream.pieceBytes)
                unsafe piece.append(contentsOf: bytes)
                state.pieces.append(piece)
            }
            state.buffered += bytes.count
            return true
        }
    }

    /// Accepts everything that libcurl delivers in `body`.
    func takingAll(_ body: () -> Void) {
        state.withLock { $0.takesAll = true }
        body()
        state.withLock { $0.takesAll = false }
    }

    func tell() { change { _ in } }

    func ended(_ result: Result<Void, HTTPCallFault>) {
        change { $0.end = $0.end ?? result }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}

/// The reader's end of an exchange. Dropping it ends the transfer, since the rest cannot be read.
final class ExchangeBody: HTTPBody {
    private let exchange: Exchange
    private let outgoing: OutgoingBody?
    /// The task that reads the request's body, which lives as long as this object.
    private let sending: Task<Void, Never>?

    init(_ exchange: Exchange, _ outgoing: OutgoingBody?) {
        self.exchange = exchange
        self.outgoing = outgoing
        guard let outgoing else {
            sending = nil
            return
        }
        sending = Task { await outgoing.read() }
    }

    deinit {
        exchange.cancel()
        outgoing?.stop()
        sending?.cancel()
    }

    func next() async throws(HTTPCallFault) -> [UInt8]? { try await exchange.next() }

    func connection() async -> BodyConnection? { await exchange.connection() }

    func cancel() { exchange.cancel() }
}
