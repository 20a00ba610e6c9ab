import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about the workers that generate music.
@Loop
final class WorkerCommands {
    private let workers: Workers
    private let ledger: Ledger
    private let settling: Settling
    private nonisolated static let lookLimit = Duration.milliseconds(1500)

    init(_ workers: Workers, _ ledger: Ledger, _ settling: Settling) {
        self.workers = workers
        self.ledger = ledger
        self.settling = settling
    }

    func install(in commands: CommandTable) {
        commands.on(Commands.WorkerAdd.self) { [self] command, visit throws(ProtocolFault) in
            if command.reachesFiles, visit.identity.trust != .anyPath {
                throw ProtocolFault(
                    .forbidden,
                    "Programs, sandbox and the map of files are set on the hub's own machine: by baton there, or in batond.conf.")
            }
            return asking(visit) { [self] () async throws(SourceFault) in ledger.done(try await workers.add(command), for: visit) }
        }
        commands.on(Commands.Workers.self) { [self] _, visit in
            asking(visit) { [self] () async throws(SourceFault) in
                await workers.look(within: Self.lookLimit)
                return ledger.found(list(isAdmin: visit.identity.role == .admin), for: visit)
            }
        }
        commands.on(Commands.WorkerTest.self) { [self] command, visit in
            asking(visit) { [self] () async throws(SourceFault) in
                guard let name = command.name else {
                    return ledger.found(try await workers.tryOut(command.url ?? "", command.token), for: visit)
                }
                return ledger.found(try await workers.test(name), for: visit)
            }
        }
        commands.on(Commands.WorkerDefault.self) { [self] command, visit in
            asking(visit) { [self] () async throws(SourceFault) in
                ledger.done(try await workers.makeUsual(command.name), for: visit)
            }
        }
        commands.on(Commands.WorkerRemove.self) { [self] command, visit in
            asking(visit) { [self] () async throws(SourceFault) in ledger.done(try await workers.remove(command.name), for: visit) }
        }
    }

    private func asking(_ visit: Visit, _ answer: @escaping @Loop () async throws(SourceFault) -> Answer) -> Handling {
        settling.working(visit.id) { [self] () async throws(ProtocolFault) in
            do throws(SourceFault) {
                guard !workers.entries.isEmpty || workers.parts != nil else {
                    throw SourceFault(.unsupported, "This hub makes no music.")
                }
                return try await answer()
            } catch {
                throw ProtocolFault(error, at: error.code == .notFound ? "/p/name" : nil)
            }
        }
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
                    url: isAdmin && about.kind == .http ? about.place : nil, program: isAdmin && about.kind != .http ? about.place : nil)
            })
    }
}
