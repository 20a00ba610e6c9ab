import BatonCore
import BatonSeams

/// Bookmarks are kept beside the library, and asked for as it is.
extension LibraryService {
    /// However long it takes: the answer decides what a command came to.
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
        return try await limited(Sources.Limit.list) { () async throws(SourceFault) in try question(keeper) }
    }

    private func bookmarkKeeper() throws(SourceFault) -> any BookmarkKeeper {
        guard let bookmarks else { throw SourceFault(.unsupported, "This hub was started without a place to keep bookmarks.") }
        return bookmarks
    }
}
