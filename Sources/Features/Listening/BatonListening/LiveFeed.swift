import BatonCore
import BatonKernel
import BatonSeams

/// The sound of a station on its way to an encoder. Received bytes are appended to a file that the encoder reads.
@Loop
final class LiveFeed {
    let file: NamedFile
    /// The title that the station sent; `nil` while there is none.
    private(set) var title: String?
    private var bytes = 0
    private(set) var hasEnded = false
    private var copying: Task<Void, Never>?

    private static let pieceBytes = 16 * 1024
    /// Number of bytes to detect the format and to encode ahead.
    private static let enough = 64 * 1024
    private static let look = Duration.milliseconds(100)
    /// Number of looks after which a slow station begins with the bytes that it has sent.
    private static let patience = 40

    init(_ sound: NamedBytes, into growing: any GrowingFile, on pool: any TaskExecutor) {
        file = NamedFile(sound.name, growing)
        copying = Task(executorPreference: pool) { [weak self] in
            await Self.copy(sound.content, into: growing) { count, title in await self?.note(count, title) }
            await self?.end()
        }
    }

    isolated deinit { copying?.cancel() }

    private nonisolated static func copy(
        _ content: any ByteSource, into growing: any GrowingFile, _ note: (Int, String?) async -> Void
    ) async {
        var at: Int64 = 0
        while !Task.isCancelled, let piece = try? await content.read(at: at, count: pieceBytes), !piece.isEmpty, growing.append(piece) {
            let title = (content as? any TitledBytes)?.title(at: at)
            at += Int64(piece.count)
            await note(piece.count, title)
        }
    }

    private func note(_ count: Int, _ title: String?) {
        bytes += count
        self.title = title
    }

    private func end() { hasEnded = true }

    /// True when there is sound to encode. Waits until there is enough of it, or until more is not expected.
    func hasSound(_ clock: HubClock) async -> Bool {
        var looks = 0
        while bytes < Self.enough, !hasEnded, looks < Self.patience, !Task.isCancelled {
            await withCheckedContinuation { waiting in _ = clock.after(Self.look) { waiting.resume() } }
            looks += 1
        }
        return bytes > 0
    }
}
