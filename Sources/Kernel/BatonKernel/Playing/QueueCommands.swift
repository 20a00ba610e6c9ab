import BatonCore
import BatonProtocol
package import BatonSeams

/// Queries about the queue of a room. They are answered at once.
@Loop
package struct QueueCommands {
    let ports: Ports
    let ledger: Ledger

    func install(in commands: CommandTable) {
        commands.answer(Commands.QueueWindow.self) { command, accepted throws(ProtocolFault) in
            let queue = accepted.live.room.queue
            let page = command.ids.map { queue.page(of: $0) } ?? queue.page(from: command.from, count: command.count)
            return ledger.found(marked(page), for: accepted)
        }
        commands.answer(Commands.QueueHistory.self) { _, accepted throws(ProtocolFault) in
            ledger.found(QueueHistoryList(accepted.live.room.queue), for: accepted)
        }
    }

    /// The page with the copy mark of each row: that of its own place, or of another place with a whole copy.
    private func marked(_ page: QueuePage) -> QueuePage {
        guard let copies = ports.copies, !copies.isEmpty else { return page }
        var page = page
        for at in page.rows.indices {
            let row = page.rows[at]
            let own = row.uri.flatMap { copies.mark(of: $0) }
            page.rows[at].kept = own ?? row.alternatives.lazy.compactMap { copies.mark(of: $0) }.first { $0.isWhole }
        }
        return page
    }
}
