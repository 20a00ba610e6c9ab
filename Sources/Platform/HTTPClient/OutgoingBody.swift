import BatonSeams
import Synchronization

/// The body of a request that is read while it is sent, so that only a few pieces are in memory.
///
/// A task reads the content and waits while the buffer is full; libcurl's thread takes the pieces, and waits while there are none. The lock
/// guards these few fields and is never held while a task is resumed.
final class OutgoingBody: Sendable {
    enum Taken {
        case bytes(Int)
        /// No piece is ready; `resume` is called when there is one.
        case later
        case failed(HTTPCallFault)
    }

    private struct State {
        var pieces: [ArraySlice<UInt8>] = []
        var held = 0
        var end: Result<Void, HTTPCallFault>?
        /// True once no more bytes are wanted.
        var isStopped = false
        var isPaused = false
        var isTouched = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private static let mostHeld = 256 * 1024
    private static let pieceBytes = 64 * 1024

    private let content: any ByteSource
    private let resume: @Sendable () -> Void
    private let state = Mutex(State())

    /// `resume` makes libcurl ask again.
    init(_ content: any ByteSource, resume: @escaping @Sendable () -> Void) {
        self.content = content
        self.resume = resume
    }

    var length: Int64? { content.length }

    /// True once a part may have been sent, so that the body cannot be sent again.
    var isTouched: Bool { state.withLock { $0.isTouched } }

    // MARK: The reading task

    /// Reads the content to its end, or until the request has ended.
    func read() async {
        var position: Int64 = 0
        do throws(SourceFault) {
            while await hasRoom() {
                let piece = try await content.read(at: position, count: Self.pieceBytes)
                if piece.isEmpty { return ended(at: position) }
                position += Int64(piece.count)
                change { state in
                    state.pieces.append(piece[...])
                    state.held += piece.count
                }
            }
        } catch {
            let fault = HTTPCallFault(.cancelled, error.sentence)
            change { $0.end = .failure(fault) }
        }
    }

    private func ended(at position: Int64) {
        guard let length = content.length, position != length else { return change { $0.end = .success(()) } }
        let fault = HTTPCallFault(.cancelled, "The file ended after \(position) of \(length) bytes.")
        change { $0.end = .failure(fault) }
    }

    private func change(_ body: (inout State) -> Void) {
        let wasPaused = state.withLock { state in
            body(&state)
            defer { state.isPaused = false }
            return state.isPaused
        }
        if wasPaused { resume() }
    }

    /// Waits for room; false if no more bytes are wanted.
    private func hasRoom() async -> Bool {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.held < Self.mostHeld || state.isStopped { return true }
                state.waiting = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { !$0.isStopped }
    }

    /// Called when the request has ended.
    func stop() {
        wake { state in
            state.isStopped = true
            state.pieces = []
            state.held = 0
        }
    }

    // MARK: libcurl's thread

    func take(into room: UnsafeMutableRawBufferPointer) -> Taken {
        var taken = Taken.later
        wake { state in
            state.isTouched = true
            guard let piece = state.pieces.first else {
                switch state.end {
                case nil: state.isPaused = true
                case .success: taken = .bytes(0)
                case .failure(let fault): taken = .failed(fault)
                }
                return
            }
            let count = min(piece.count, room.count)
            unsafe room.copyBytes(from: piece.prefix(count))
            if count == piece.count { state.pieces.removeFirst() } else { state.pieces[0] = piece.dropFirst(count) }
            state.held -= count
            taken = .bytes(count)
        }
        return taken
    }

    private func wake(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            body(&state)
            guard state.held < Self.mostHeld || state.isStopped else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
