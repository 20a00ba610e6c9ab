import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about what is kept on the hub's own disk. All of it waits for a disk or a server, so the loop does not wait for any of it.
@Loop
final class KeepCommands {
    private let keeping: KeepService
    private let library: LibraryService
    private let ledger: Ledger

    init(_ keeping: KeepService, _ library: LibraryService, _ ledger: Ledger) {
        self.keeping = keeping
        self.library = library
        self.ledger = ledger
    }

    func install(in commands: CommandTable) {
        commands.ask(Commands.KeepList.self) { [self] _, visit async throws(SourceFault) in
            ledger.found(shown(try await keeping.list(), visit), for: visit)
        }
        commands.ask(Commands.KeepSet.self) { [self] command, visit async throws(SourceFault) in
            ledger.done(try await keeping.set(command.wish, command.isOn), for: visit)
        }
        commands.ask(Commands.KeepLimit.self) { [self] command, visit async throws(SourceFault) in
            ledger.done(try await keeping.setLimit(Int64(command.bytes)), for: visit)
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
}
