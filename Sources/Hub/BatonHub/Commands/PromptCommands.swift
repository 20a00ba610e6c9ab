import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about what a person has typed to have music made: settings, earlier prompts and presets.
@Loop
final class PromptCommands {
    private let service: GenerationService
    private let ledger: Ledger
    private let settling: Settling

    init(_ service: GenerationService, _ ledger: Ledger, _ settling: Settling) {
        self.service = service
        self.ledger = ledger
        self.settling = settling
    }

    func handle(_ request: PromptRequest, _ visit: Visit) -> Handling {
        settling.working(visit.id) { [self] () async throws(ProtocolFault) in try await answer(request, of: visit.identity.owner, visit) }
    }

    private func answer(_ request: PromptRequest, of owner: String, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        switch request {
        case .list:
            var prompts = try await asking { keeper throws(SourceFault) in try keeper.prompts(of: owner) }
            prompts.presets = PromptPreset.shipped + prompts.presets
            return Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: .prompts(PromptShelf(prompts))))
        case .set(let text, let worker): return try await set(text, worker, of: owner, visit)
        case .preset(let name, let text?):
            if PromptPreset.shipped.contains(where: { $0.name == name }) {
                throw ProtocolFault(.invalidState, "“\(name)” is a preset of the hub. Give yours another name.", at: "/p/name")
            }
            if let fault = try read(text, nil).faults.first { throw ProtocolFault(.badRequest, fault.sentence, at: "/p/text") }
            return done(try await asking { keeper throws(SourceFault) in try keeper.put(PromptPreset(name, text), of: owner) }, visit)
        case .preset(let name, nil):
            return done(try await asking { keeper throws(SourceFault) in try keeper.removePreset(name, of: owner) }, visit)
        case .forget(let text):
            return done(try await asking { keeper throws(SourceFault) in try keeper.forget(text, of: owner) }, visit)
        }
    }

    /// A line that changes settings. The read and the write are one step of the store's queue.
    private func set(_ text: String, _ worker: String?, of owner: String, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let line = try read(text, worker)
        if let fault = line.faults.first { throw ProtocolFault(.badRequest, fault.sentence, at: "/p/text") }
        guard line.action == .settings || line.action == .reset else {
            throw ProtocolFault(.badRequest, "This line changes no settings, as /duration 60 or /reset does.", at: "/p/text")
        }
        let isNew = try await asking { keeper throws(SourceFault) in
            let known = try keeper.settings(of: owner)
            let wanted = line.action == .reset ? PromptSettings() : line.settings.filled(from: known)
            if wanted != known { try keeper.put(wanted, of: owner) }
            return wanted != known
        }
        return done(isNew, visit)
    }

    private func read(_ text: String, _ worker: String?) throws(ProtocolFault) -> PromptLine {
        do throws(SourceFault) { return PromptLine.read(text, try service.worker(worker).about.bounds) } catch {
            throw ProtocolFault(error, at: error.code == .notFound ? "/p/worker" : nil)
        }
    }

    private func asking<Found: Sendable>(
        _ body: @escaping @Sendable (any PromptKeeper) throws(SourceFault) -> Found
    ) async throws(ProtocolFault) -> Found {
        do throws(SourceFault) { return try await service.asking(body) } catch { throw ProtocolFault(error, at: nil) }
    }

    private func done(_ isNew: Bool, _ visit: Visit) -> Answer {
        Answer(Reply(id: visit.id, isNew ? .applied() : .noop(why: .same), revision: ledger.revision))
    }
}
