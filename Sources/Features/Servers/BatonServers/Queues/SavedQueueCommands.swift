import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Saves a room's queue at a server, and resumes a queue that is saved at a server.
@Loop
struct SavedQueueCommands {
    let sources: Sources
    let playback: PlaybackCommands
    let savedQueues: SavedQueues
    let ledger: Ledger
    let clock: HubClock

    func install(in commands: CommandTable) {
        commands.find(Commands.QueueSave.self, with: ledger, save)
        commands.work(on: Commands.QueueContinue.self, goOn)
    }

    private func save(_ command: Commands.QueueSave, _ accepted: AcceptedCommand) async throws(SourceFault) -> QueueSaved {
        let source = command.source
        let connector = try await sources.connector(named: source)
        guard connector.about.abilities.contains(.savedQueue) else { throw Self.keepsNone(connector) }
        let (room, now) = (accepted.live.room, clock.now)
        guard let part = QueuePart(room.queue, positionMs: room.positionMs(at: now), of: source) else {
            throw SourceFault(.invalidState, "No entry of the queue is of “\(connector.about.name)”, so there is nothing to save there.")
        }
        try await sources.ask(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
            try await connector.writeBack(part.note, atMs: now.wallMs)
        }
        savedQueues.note(QueueMark(part.uris, current: part.current, ms: part.positionMs), at: source)
        return QueueSaved(saved: part.uris.count, passed: part.passed)
    }

    private func goOn(_ command: Commands.QueueContinue, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let source = command.source
        let saved = try await ProtocolFault.translating { () async throws(SourceFault) in
            let connector = try await sources.connector(named: source)
            guard connector.about.abilities.canContinue else { throw Self.keepsNone(connector) }
            let found = try await sources.ask(connector, within: Sources.Limit.whole) { connector throws(SourceFault) in
                try await connector.savedQueue()
            }
            guard let found, !found.entries.isEmpty else {
                throw SourceFault(.notFound, "“\(connector.about.name)” has nothing of this account to go on with now.")
            }
            return found
        }
        if Task.isCancelled { throw .cancelled }
        let entries = saved.entries.map { entry in
            var entry = entry
            entry.trust = accepted.identity.trust
            entry.alternatives = sources.knownVariants.others(of: entry.uri) ?? []
            return entry
        }
        let start = saved.current.flatMap { entries.indices.contains($0) ? $0 : nil } ?? 0
        let answer = try playback.begin(entries, start: start, positionMs: saved.positionMs, accepted)
        savedQueues.note(QueueMark(saved), at: source)
        return answer
    }

    private static func keepsNone(_ connector: any Connector) -> SourceFault {
        SourceFault(.unsupported, "The source “\(connector.about.name)” keeps no queue.")
    }
}
