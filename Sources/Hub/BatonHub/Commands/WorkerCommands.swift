import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about what makes music from prompts.
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

    func handle(_ request: WorkerRequest, _ visit: Visit) throws(ProtocolFault) -> Handling {
        if case .add(let new) = request, new.reachesFiles, visit.identity.trust != .anyPath {
            throw ProtocolFault(
                .forbidden, "Programs, sandbox and the map of files are set on the hub's own machine: by baton there, or in batond.conf.")
        }
        return settling.working(visit.id) { [self] () async throws(ProtocolFault) in
            do throws(SourceFault) { return try await answer(request, visit) } catch {
                throw ProtocolFault(error, at: error.code == .notFound ? "/p/name" : nil)
            }
        }
    }

    private func answer(_ request: WorkerRequest, _ visit: Visit) async throws(SourceFault) -> Answer {
        guard !workers.entries.isEmpty || workers.parts != nil else {
            throw SourceFault(.unsupported, "This hub makes no music.")
        }
        switch request {
        case .list:
            await workers.look(within: Self.lookLimit)
            return found(.workers(list(isAdmin: visit.identity.role == .admin)), visit)
        case .add(let new): return done(try await workers.add(new), visit)
        case .test(let name): return found(.workerTested(try await workers.test(name)), visit)
        case .tryOut(let url, let token): return found(.workerTested(try await workers.tryOut(url, token)), visit)
        case .makeUsual(let name): return done(try await workers.makeUsual(name), visit)
        case .remove(let name): return done(try await workers.remove(name), visit)
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

    private func found(_ data: ReplyData, _ visit: Visit) -> Answer {
        Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: data))
    }

    private func done(_ isNew: Bool, _ visit: Visit) -> Answer {
        Answer(Reply(id: visit.id, isNew ? .applied() : .noop(why: .same), revision: ledger.revision))
    }
}
