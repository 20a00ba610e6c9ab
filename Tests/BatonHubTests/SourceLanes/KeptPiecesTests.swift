/// Pieces that people keep, among what else is kept.
import BatonCore
import BatonProtocol
import BatonSeams
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct KeptPiecesTests {
    private func job(_ id: String, atMs: Milliseconds, isKept: Bool = true, clip: ClipWish? = nil) -> GenerationJob {
        var request = GenerationRequest(prompt: "rain \(id)", durationS: 60, seed: "7")
        request.clip = clip
        var job = GenerationJob(
            id: id, worker: "composer", request: request, author: "Ana", startedMs: atMs, room: nil, playsWhenReady: false)
        job.keep(isKept)
        return job
    }

    private let piece = GeneratedPiece(title: "Slow Rain", durationMs: 60_000, sound: "sound.flac", bytes: 4_000)

    /// BT-KEEP-010
    @Test func `a piece is there whole when it is ready, and is listed with its bytes in the order of asking`() {
        var later = job("later", atMs: 2)
        var kept = KeptPieces([later, job("first", atMs: 1), job("other", atMs: 3, isKept: false)])
        #expect(kept.rows.map(\.title) == ["rain first", "rain later"] && kept.count == 2 && kept.ready == 0)
        #expect(kept.mark(of: later.uri) == KeepMark(percent: 0))

        _ = later.take(.finished(piece), atMs: 3)
        let isNews = kept.note(later)

        #expect(isNews && kept.mark(of: later.uri) == KeepMark(percent: 100) && kept.ready == 1)
        #expect(
            kept.rows.last == KeptList.Row(wish: .item(later.uri), title: "Slow Rain", kind: .generation, tracks: 1, whole: 1, bytes: 4_000)
        )
        let isOld = !kept.note(later)
        #expect(isOld)
    }

    @Test func `one that failed or was let go is not kept, and a clip is its session's to keep`() {
        var piece = job("first", atMs: 1)
        var kept = KeptPieces([piece, job("clip", atMs: 2, clip: ClipWish(.bass, scene: 0, bars: 4))])
        #expect(kept.count == 1)
        _ = piece.take(.failed("There is no font."), atMs: 2)
        kept.note(piece)
        #expect(kept.count == 0)
        _ = piece.take(.retried, atMs: 3)
        kept.note(piece)
        #expect(kept.count == 1)
        piece.keep(false)
        kept.note(piece)
        #expect(kept.rows.isEmpty)
    }
}
