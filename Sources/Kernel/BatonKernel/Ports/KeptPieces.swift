package import BatonCore
package import BatonProtocol
import BatonSeams

/// The generated pieces that people keep. Their sound stays in its first place, so it is not copied and does not count
/// against the limit of copies.
package struct KeptPieces {
    private struct Piece: Equatable {
        let title: String
        let startedMs: Int64
        /// The size; `nil` while it is being generated.
        let bytes: Int64?
    }

    private var pieces: [ItemURI: Piece] = [:]

    package init(_ jobs: some Sequence<GenerationJob> = []) { for job in jobs { note(job) } }

    /// Stores the state of a job's piece. False when nothing changed.
    @discardableResult
    package mutating func note(_ job: GenerationJob) -> Bool {
        let piece = Self.isKept(job) ? Piece(title: job.title, startedMs: job.startedMs, bytes: job.piece?.bytes) : nil
        guard pieces[job.uri] != piece else { return false }
        pieces[job.uri] = piece
        return true
    }

    /// True when the piece of this job is kept. Clips belong to their session, and a failed job has no piece.
    private static func isKept(_ job: GenerationJob) -> Bool {
        job.isKept && job.request.clip == nil && job.state != .failed && job.state != .cancelled
    }

    package var count: Int { pieces.count }
    package var ready: Int { pieces.values.count { $0.bytes != nil } }

    package func mark(of uri: ItemURI) -> KeepMark? { pieces[uri].map { KeepMark(percent: $0.bytes == nil ? 0 : 100) } }

    /// The rows of the pieces, oldest first.
    package var rows: [KeptList.Row] {
        pieces.sorted { ($0.value.startedMs, $0.key.text) < ($1.value.startedMs, $1.key.text) }.map { uri, piece in
            KeptList.Row(
                wish: .item(uri), title: piece.title, kind: .generation, tracks: 1, whole: piece.bytes == nil ? 0 : 1,
                bytes: piece.bytes ?? 0)
        }
    }
}
