/// The body of a request that may be longer than what fits into memory: its route reads it piece by piece while it arrives, and the
/// peer is slowed down while nothing is read.
///
/// The server puts pieces in and asks `isFull` before it reads on. Nothing is read from the peer before the route asks for the first
/// byte, so a peer that waits for `100 Continue` sends nothing that would be refused.
@Loop
package final class IncomingBody {
    /// As the peer says; `nil` where that shows only at the end.
    package nonisolated let length: Int64?
    private var pieces: [ArraySlice<UInt8>] = []
    private var held = 0
    private var taken: Int64 = 0
    private var end: Result<Void, SourceFault>?
    private var waiting: CheckedContinuation<Void, Never>?
    /// The route wants more than there is.
    package var isWanted: @Loop () -> Void = {}

    /// With so many bytes that were not read yet the peer waits.
    package nonisolated static let mostHeld = 256 * 1024

    package init(length: Int64?) { self.length = length }

    package var isFull: Bool { held >= Self.mostHeld }
    /// Why the rest of it will never come; `nil` while it may, and when it has.
    package var fault: SourceFault? { if case .failure(let fault) = end { fault } else { nil } }

    // MARK: The server's side

    package func put(_ piece: [UInt8]) {
        guard end == nil, !piece.isEmpty else { return }
        pieces.append(piece[...])
        held += piece.count
        resume()
    }

    /// All of it has come.
    package func finish() { finish(.success(())) }

    /// The rest will not come: what is read now fails with this. Bytes that are there already are forgotten.
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

    /// Up to so many bytes; none at the end. One read at a time, from the beginning to the end.
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
        // What the peer had sent already may have come within this call.
        guard pieces.isEmpty, end == nil else { return }
        await withCheckedContinuation { waiting = $0 }
    }
}

/// Such a body as a source reads it.
package struct IncomingBytes: ByteSource {
    private let body: IncomingBody

    package init(_ body: IncomingBody) { self.body = body }

    package var length: Int64? { body.length }
    package var hasRanges: Bool { false }
    package var version: ContentVersion? { nil }

    package func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        try await body.read(at: position, count: count)
    }
}
