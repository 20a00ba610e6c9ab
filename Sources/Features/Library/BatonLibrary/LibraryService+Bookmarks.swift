import BatonKernel
import BatonSeams

/// Bookmarks are stored beside the library, and read in the same way.
extension LibraryService {
    /// Waits however long it takes, since the answer decides the outcome of a command.
    func changeBookmarks<Answer: Sendable>(
        _ change: @escaping @Sendable (any BookmarkStorage) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let storage = try bookmarkStorage()
        return try await sources.inBlockingPool { () async throws(SourceFault) in try change(storage) }
    }

    func lookAtBookmarks<Answer: Sendable>(
        _ question: @escaping @Sendable (any BookmarkStorage) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let storage = try bookmarkStorage()
        return try await sources.limited(Sources.Limit.list) { () async throws(SourceFault) in try question(storage) }
    }

    private func bookmarkStorage() throws(SourceFault) -> any BookmarkStorage {
        guard let bookmarks else { throw SourceFault(.unsupported, "This hub was started without a place to keep bookmarks.") }
        return bookmarks
    }
}
