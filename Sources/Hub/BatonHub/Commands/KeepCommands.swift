import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about what is kept on the hub's own disk. All of it waits for a disk or a server, so the loop does not wait for any of it.
@Loop
final class KeepCommands {
    private let keeping: KeepService
    private let library: LibraryService
    private let ledger: Ledger
    private let settling: Settling

    init(_ keeping: KeepService, _ library: LibraryService, _ ledger: Ledger, _ settling: Settling) {
        self.keeping = keeping
        self.library = library
        self.ledger = ledger
        self.settling = settling
    }

    func handle(_ request: KeepRequest, _ visit: Visit) -> Handling {
        settling.working(visit.id) { [self] () async throws(ProtocolFault) in
            do throws(SourceFault) { return try await answer(request, visit) } catch { throw ProtocolFault(error, at: nil) }
        }
    }

    private func answer(_ request: KeepRequest, _ visit: Visit) async throws(SourceFault) -> Answer {
        switch request {
        case .list: Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: .kept(shown(try await keeping.list(), visit))))
        case .set(let wish, let isOn): done(try await keeping.set(wish, isOn), visit)
        case .limit(let bytes): done(try await keeping.setLimit(bytes), visit)
        }
    }

    /// Without playlists that this person may not see.
    private func shown(_ list: KeptList, _ visit: Visit) -> KeptList {
        var list = list
        list.rows.removeAll { row in
            guard case .item(let uri) = row.wish else { return false }
            return !library.isVisible(uri, to: visit.identity.person)
        }
        return list
    }

    /// The page with the mark of each row: that of its own place, or of a place that is there whole.
    func marked(_ page: QueuePage) -> QueuePage {
        guard !keeping.isEmpty else { return page }
        var page = page
        for at in page.rows.indices {
            let row = page.rows[at]
            let own = row.uri.flatMap { keeping.mark(of: $0) }
            page.rows[at].kept = own ?? row.alternatives.lazy.compactMap { [keeping] in keeping.mark(of: $0) }.first { $0.isWhole }
        }
        return page
    }

    private func done(_ isNew: Bool, _ visit: Visit) -> Answer {
        Answer(Reply(id: visit.id, isNew ? .applied() : .noop(why: .same), revision: ledger.revision))
    }
}
