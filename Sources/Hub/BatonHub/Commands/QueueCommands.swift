import BatonCore
import BatonProtocol
import BatonSeams

/// Questions about the queue of a room. They wait for nothing.
@Loop
struct QueueCommands {
    let keeping: KeepCommands
    let ledger: Ledger

    func install(in commands: CommandTable) {
        commands.answer(Commands.QueueWindow.self) { command, visit throws(ProtocolFault) in
            let queue = visit.live.room.queue
            let page = command.ids.map { queue.page(of: $0) } ?? queue.page(from: command.from, count: command.count)
            return ledger.found(keeping.marked(page), for: visit)
        }
        commands.answer(Commands.QueueHistory.self) { _, visit throws(ProtocolFault) in
            ledger.found(QueueHistoryList(visit.live.room.queue), for: visit)
        }
    }
}
