import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about the workers that generate music.
@Loop
struct WorkerCommands {
    let workers: Workers
    let jobs: MakingJobs
    let ledger: Ledger
    let settling: Settling
    private nonisolated static let lookLimit = Duration.milliseconds(1500)

    func install(in commands: CommandTable) {
        commands.on(Commands.WorkerAdd.self) { command, accepted throws(ProtocolFault) in
            if command.reachesFiles, accepted.identity.trust != .anyPath {
                throw ProtocolFault(
                    .forbidden,
                    "Programs, sandbox and the map of files are set on the hub's own machine: by baton there, or in batond.conf.")
            }
            return settling.working(accepted.id) { () async throws(ProtocolFault) in
                try await asking { () async throws(SourceFault) in
                    let isNew = try await workers.add(command)
                    jobs.workersChanged()
                    return ledger.done(isNew, for: accepted)
                }
            }
        }
        /// Registers a command for a hub with workers.
        func ask<Command: CommandRequest>(
            _ command: Command.Type, _ answer: @escaping @Loop (Command, AcceptedCommand) async throws(SourceFault) -> Answer
        ) {
            commands.work(on: command) { command, accepted async throws(ProtocolFault) in
                try await asking { () async throws(SourceFault) in try await answer(command, accepted) }
            }
        }
        ask(Commands.Workers.self) { _, accepted async throws(SourceFault) in
            await workers.look(within: Self.lookLimit)
            return ledger.found(list(isAdmin: accepted.identity.role == .admin), for: accepted)
        }
        ask(Commands.WorkerTest.self) { command, accepted async throws(SourceFault) in
            guard let name = command.name else {
                return ledger.found(try await workers.tryOut(command.url ?? "", command.token), for: accepted)
            }
            return ledger.found(try await workers.test(name), for: accepted)
        }
        ask(Commands.WorkerDefault.self) { command, accepted async throws(SourceFault) in
            changed(try await workers.makeUsual(command.name), accepted)
        }
        ask(Commands.WorkerRemove.self) { command, accepted async throws(SourceFault) in
            changed(try await workers.remove(command.name), accepted)
        }
    }

    private func asking(_ answer: @Loop () async throws(SourceFault) -> Answer) async throws(ProtocolFault) -> Answer {
        try await ProtocolFault.translating(.notFound, at: "/p/name") { () async throws(SourceFault) in
            guard !workers.entries.isEmpty || workers.parts != nil else { throw SourceFault(.unsupported, "This hub makes no music.") }
            return try await answer()
        }
    }

    /// The answer to a change. Jobs may wait for a worker that can be used now.
    private func changed(_ isNew: Bool, _ accepted: AcceptedCommand) -> Answer {
        if isNew { jobs.workersChanged() }
        return ledger.done(isNew, for: accepted)
    }

    private func list(isAdmin: Bool) -> WorkerList {
        let usual = workers.usual?.name
        return WorkerList(
            workers.entries.map { entry in
                let about = entry.worker.about, health = entry.health
                return WorkerList.Row(
                    name: entry.worker.name, kind: about.kind.rawValue, state: health.state, isUsual: entry.worker.name == usual,
                    isConfigured: entry.added == nil, polledMs: entry.polledMs, latencyMs: health.latencyMs, sentence: health.sentence,
                    models: health.models, extensions: health.extensions,
                    url: isAdmin && about.kind == .http ? about.location : nil,
                    program: isAdmin && about.kind != .http ? about.location : nil)
            })
    }
}
