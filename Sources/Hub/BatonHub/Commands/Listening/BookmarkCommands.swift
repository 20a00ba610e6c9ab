import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about bookmarks. The place is taken when the command comes; keeping it waits for a disk, so the loop does not wait for it.
@Loop
final class BookmarkCommands {
    private let library: LibraryService
    private let items: ItemExpansion
    private let ledger: Ledger
    private let settling: Settling
    private let clock: HubClock

    init(_ library: LibraryService, _ items: ItemExpansion, _ ledger: Ledger, _ settling: Settling, _ clock: HubClock) {
        self.library = library
        self.items = items
        self.ledger = ledger
        self.settling = settling
        self.clock = clock
    }

    func handle(_ request: BookmarkRequest, _ visit: Visit) throws(ProtocolFault) -> Handling {
        let person = visit.identity.person
        switch request {
        case .add(let target, let note): return try add(target, note: note, visit)
        case .list(let uri, let page):
            return working(visit) { [self] () async throws(SourceFault) in try await list(uri, page, visit) }
        case .edit(let id, let edit):
            return working(visit) { [self] () async throws(SourceFault) in
                let (bookmark, isNew) = try await library.keepBookmarks { keeper throws(SourceFault) in
                    try keeper.editBookmark(id, of: person, edit)
                }
                return answer(isNew ? .applied() : .noop(why: .same), Self.one(bookmark), visit)
            }
        case .delete(let id):
            return working(visit) { [self] () async throws(SourceFault) in
                let isNew = try await library.keepBookmarks { keeper throws(SourceFault) in
                    try keeper.deleteBookmark(id, of: person)
                }
                return answer(isNew ? .applied() : .noop(why: .same), nil, visit)
            }
        }
    }

    private func working(_ visit: Visit, _ body: @escaping @Loop () async throws(SourceFault) -> Answer) -> Handling {
        settling.working(visit.id) { () async throws(ProtocolFault) in
            do throws(SourceFault) { return try await body() } catch { throw ProtocolFault(error, at: nil) }
        }
    }

    // MARK: Setting one

    private func add(_ target: BookmarkTarget, note: String, _ visit: Visit) throws(ProtocolFault) -> Handling {
        switch target {
        case .current(let entry, let positionMs):
            let room = visit.live.room
            if let entry, entry != room.queue.current {
                return .answered(Answer(Reply(id: visit.id, .noop(why: .moved), revision: ledger.revision)))
            }
            let place: BookmarkPlace
            do { place = try room.bookmarkPlace(atMs: positionMs, at: clock.now) } catch { throw ProtocolFault(error) }
            return settling.working(visit.id) { [self] () async throws(ProtocolFault) in try await keep(place, note, visit) }
        case .item(let uri, let positionMs):
            return settling.working(visit.id) { [self] () async throws(ProtocolFault) in
                let found = try await items.items(of: [uri], trust: visit.identity.trust, most: 1, in: "bookmark") { _ in "/p/uri" }
                let (item, tags) = (found[0].uri, found[0].tags)
                let bounded = min(positionMs, tags.durationMs ?? .max)
                return try await keep(
                    BookmarkPlace(uri: item, positionMs: bounded, title: tags.title, album: tags.album), note, visit)
            }
        }
    }

    private func keep(_ place: BookmarkPlace, _ note: String, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let (person, author, once, atMs) = (visit.identity.person, visit.identity.author, visit.commandKey, clock.now.wallMs)
        do throws(SourceFault) {
            let (bookmark, isNew) = try await library.keepBookmarks { keeper throws(SourceFault) in
                try keeper.addBookmark(place, note: note, of: person, by: author, once: once, atMs: atMs)
            }
            return answer(.applied(why: isNew ? nil : .dup), Self.one(bookmark), visit)
        } catch {
            throw ProtocolFault(error, at: error.code == .keyMismatch ? "/k" : nil)
        }
    }

    // MARK: Answers

    private func list(_ uri: ItemURI?, _ page: PageRequest, _ visit: Visit) async throws(SourceFault) -> Answer {
        let (from, person) = (page.window.place, visit.identity.person)
        let found = try await library.lookAtBookmarks { keeper throws(SourceFault) in
            try keeper.bookmarks(of: person, in: uri, from: from, limit: page.limit)
        }
        let end = from + found.bookmarks.count
        let cursor = end < found.total && !found.bookmarks.isEmpty ? String(end) : nil
        return answer(.applied(), .bookmarks(BookmarkList(found.bookmarks, total: found.total, cursor: cursor)), visit)
    }

    private static func one(_ bookmark: Bookmark) -> ReplyData { .bookmarks(BookmarkList([bookmark], total: 1)) }

    private func answer(_ outcome: Reply.Outcome, _ data: ReplyData?, _ visit: Visit) -> Answer {
        Answer(Reply(id: visit.id, outcome, revision: ledger.revision, data: data))
    }
}

/// Bookmarks are kept beside the library, and asked for as it is.
extension LibraryService {
    /// However long it takes: the answer decides what a command came to.
    fileprivate func keepBookmarks<Answer: Sendable>(
        _ change: @escaping @Sendable (any BookmarkKeeper) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let keeper = try bookmarkKeeper()
        return try await sources.inBlockingPool { () async throws(SourceFault) in try change(keeper) }
    }

    fileprivate func lookAtBookmarks<Answer: Sendable>(
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
