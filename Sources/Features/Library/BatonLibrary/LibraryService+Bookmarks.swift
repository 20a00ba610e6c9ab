import BatonKernel
import BatonSeams

/// Bookmarks are stored beside the library, and read in the same way.
extension LibraryService {
    /// Waits however long it takes, since the answer decides the outcome of a command.
    func keepBookmarks<Answer: Sendable>(
        _ change: @escaping @Sendable (any BookmarkKeeper) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let keeper = try bookmarkKeeper()
        return try await sources.inBlockingPool { () async throws(SourceFault) in try change(keeper) }
    }

    func lookAtBookmarks<Answer: Sendable>(
        _ question: @escaping @Sendable (any BookmarkKeeper) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let keeper = try bookmarkKeeper()
        return try await sources.limited(Sources.Limit.list) { () async throws(SourceFault) in try question(keeper) }
    }

    private func bookmarkKeeper() throws(SourceFault) -> any BookmarkKeeper {
        guard let bookmarks else { throw SourceFault(.unsupported, "This hub was started without a place to keep bookmarks.") }
        return bookmarks
    }
}
