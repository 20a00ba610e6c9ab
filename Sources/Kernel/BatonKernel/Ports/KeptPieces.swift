package import BatonCore
package import BatonProtocol
import BatonSeams

/// The generated pieces that people keep. Their sound stays in its first place, so it is not copied and does not count
/// against the limit of copies.
package struct KeptPieces {
    private struct Piece: Equatable {
        let title: String
        let startedMs: Milliseconds
        /// The size; `nil` while it is being generated.
        let bytes: Int64?
    }

    private var pieces: [ItemURI: Piece] = [:]

    /// Takes the jobs whose pieces are kept, and skips all others.
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

    /// Number of kept pieces, those that are being generated included.
    package var count: Int { pieces.count }
    /// Number of kept pieces whose sound is on disk.
    package var ready: Int { pieces.values.count { $0.bytes != nil } }

    /// The mark for rows of the item; `nil` for a piece that is not kept. It knows only 0 and 100 percent.
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
