import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about copies on the hub's own disk. They wait for a disk or a server, so they run off the loop.
@Loop
struct KeepCommands {
    let keeping: KeepService
    let marks: any PersonMarks
    let ledger: Ledger

    func install(in commands: CommandTable) {
        commands.find(Commands.KeepList.self, with: ledger) { command, accepted async throws(SourceFault) in
            var list = shown(try await keeping.list(), accepted)
            list.rows.removeFirst(min(command.from, list.rows.count))
            return list
        }
        commands.change(Commands.KeepSet.self, with: ledger) { command, _ async throws(SourceFault) in
            try await keeping.set(command.wish, command.isOn)
        }
        commands.change(Commands.KeepLimit.self, with: ledger) { command, _ async throws(SourceFault) in
            try await keeping.setLimit(Int64(command.bytes))
        }
    }

    /// The list without playlists that this person may not see.
    private func shown(_ list: KeptList, _ accepted: AcceptedCommand) -> KeptList {
        var list = list
        list.rows.removeAll { row in
            guard case .item(let uri) = row.wish else { return false }
            return !marks.isVisible(uri, to: accepted.identity.person)
        }
        return list
    }
}
