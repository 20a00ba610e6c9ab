/// A request body that may not fit into memory: its route reads it piece by piece while it arrives, and the peer is slowed down while nothing is
/// read.
///
/// The server adds pieces, and checks `isFull` before it reads on. Nothing is read from the peer before the route asks for the first byte, so a peer
/// that waits for `100 Continue` sends nothing that would be refused.
@Loop
package final class IncomingBody {
    /// The length that the peer states; `nil` where it is unknown before the end.
    package nonisolated let length: Int64?
    private var pieces: [ArraySlice<UInt8>] = []
    private var held = 0
    private var taken: Int64 = 0
    private var end: Result<Void, SourceFault>?
    private var waiting: CheckedContinuation<Void, Never>?
    /// Called when the route wants more bytes than are there.
    package var isWanted: @Loop () -> Void = {}

    /// Number of unread bytes at which the peer has to wait.
    package nonisolated static let mostHeld = 256 * 1024

    /// A body of which nothing has arrived.
    package init(length: Int64?) { self.length = length }

    /// True when the server should not read on.
    package var isFull: Bool { held >= Self.mostHeld }
    /// The reason why the rest will never arrive; `nil` while it may, and when it has.
    package var fault: SourceFault? { if case .failure(let fault) = end { fault } else { nil } }

    // MARK: The server's side

    /// Adds a piece that has arrived; ignored once the body has ended.
    package func put(_ piece: [UInt8]) {
        guard end == nil, !piece.isEmpty else { return }
        pieces.append(piece[...])
        held += piece.count
        resume()
    }

    /// Ends a complete body.
    package func finish() { finish(.success(())) }

    /// Ends an incomplete body: reading fails with this fault, and unread bytes are dropped.
    package func fail(_ fault: SourceFault) {
        guard end == nil else { return }
        pieces = []
        held = 0
        finish(.failure(fault))
    }

    private func finish(_ result: Result<Void, SourceFault>) {
        guard end == nil else { return }
        end = result
        isWanted = {}
        resume()
    }

    private func resume() {
        waiting?.resume()
        waiting = nil
    }

    // MARK: The route's side

    /// Up to `count` bytes; none at the end. One read at a time, from the beginning to the end.
    package func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        guard position == taken, waiting == nil, count > 0 else {
            throw SourceFault(.unsupported, "The body of a request is read once, from its beginning to its end.")
        }
        while pieces.isEmpty {
            switch end {
            case .success: return []
            case .failure(let fault): throw fault
            case nil: await next()
            }
        }
        let bytes = Array(pieces[0].prefix(count))
        if bytes.count == pieces[0].count { pieces.removeFirst() } else { pieces[0] = pieces[0].dropFirst(count) }
        held -= bytes.count
        taken += Int64(bytes.count)
        if !isFull { isWanted() }
        return bytes
    }

    private func next() async {
        isWanted()
        // Bytes that the peer had sent already may have been added during this call.
        guard pieces.isEmpty, end == nil else { return }
        await withCheckedContinuation { waiting = $0 }
    }
}

/// An incoming body as a byte source.
package struct IncomingBytes: ByteSource {
    private let body: IncomingBody

    /// The body as the content of an upload, which is read once.
    package init(_ body: IncomingBody) { self.body = body }

    package var length: Int64? { body.length }
    package var hasRanges: Bool { false }
    package var version: ContentVersion? { nil }

    package func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        try await body.read(at: position, count: count)
    }
}
