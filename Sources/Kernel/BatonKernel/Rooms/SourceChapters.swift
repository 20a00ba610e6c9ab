import BatonCore
import BatonSeams

/// Asks the source of an entry that has begun for its chapters: a podcast names them beside the sound and not in it.
///
/// Playing does not wait for them. Where a source names some, they take the place of those in the file.
@Loop
final class SourceChapters {
    private let sources: Sources
    private let backgroundQueue = BackgroundQueue()
    /// Kinds whose sources may name chapters.
    private static let kinds: Set<ItemKind> = [.episode, .book]

    init(_ sources: Sources) { self.sources = sources }

    /// `tell` is given them as a report, as if the player had found them.
    package func look(at entry: EntryID, in room: Room, _ tell: @escaping @Loop (PlayerReport) -> Void) {
        guard let current = room.currentEntry, current.id == entry, Self.kinds.contains(current.tags.kind) else { return }
        backgroundQueue.add { [sources] in
            guard let found = try? await sources.details(of: current.uri, trust: current.trust).chapters, !found.isEmpty else { return }
            tell(.chapters(entry, found.map { ChapterList.Mark(title: $0.title, startMs: $0.startMs) }))
        }
    }

    package func close() async { await backgroundQueue.finish() }
}
