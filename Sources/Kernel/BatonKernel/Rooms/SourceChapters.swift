import BatonCore
import BatonSeams

/// Asks the source of a started entry for its chapters, since a podcast has them in its feed and not in the sound file.
///
/// Playback does not wait for them. They replace the chapters in the file.
@Loop
final class SourceChapters {
    private let sources: Sources
    private let backgroundQueue = BackgroundQueue()
    /// Kinds with chapters at their sources.
    private static let kinds: Set<ItemKind> = [.episode, .book]

    init(_ sources: Sources) { self.sources = sources }

    /// Asks for the chapters of the entry. `tell` gets them as a report, as if the player had found them.
    func look(at entry: EntryID, in room: Room, _ tell: @escaping @Loop (PlayerReport) -> Void) {
        guard let current = room.currentEntry, current.id == entry, Self.kinds.contains(current.tags.kind) else { return }
        backgroundQueue.add { [sources] in
            guard let found = try? await sources.details(of: current.uri, trust: current.trust).chapters, !found.isEmpty else { return }
            tell(.chapters(entry, found.map { ChapterList.Mark(title: $0.title, startMs: $0.startMs) }))
        }
    }

    func close() async { await backgroundQueue.finish() }
}
