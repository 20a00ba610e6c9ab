import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about a person's input for generated music: settings, earlier prompts and presets.
@Loop
final class PromptCommands {
    private let service: GenerationService
    private let ledger: Ledger

    init(_ service: GenerationService, _ ledger: Ledger) {
        self.service = service
        self.ledger = ledger
    }

    func install(in commands: CommandTable) {
        commands.work(on: Commands.PromptList.self, list)
        commands.work(on: Commands.PromptSet.self, set)
        commands.work(on: Commands.PromptPresetSet.self, keep)
        commands.work(on: Commands.PromptForget.self) { [self] command, visit async throws(ProtocolFault) in
            let owner = visit.identity.owner
            let isNew = try await asking { keeper throws(SourceFault) in try keeper.forget(command.text, of: owner) }
            return ledger.done(isNew, for: visit)
        }
    }

    private func list(_ command: Commands.PromptList, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let owner = visit.identity.owner
        var prompts = try await asking { keeper throws(SourceFault) in try keeper.prompts(of: owner) }
        prompts.presets = PromptPreset.shipped + prompts.presets
        return ledger.found(PromptShelf(prompts: prompts), for: visit)
    }

    private func keep(_ command: Commands.PromptPresetSet, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let (name, owner) = (command.name, visit.identity.owner)
        guard let text = command.text else {
            let isNew = try await asking { keeper throws(SourceFault) in try keeper.removePreset(name, of: owner) }
            return ledger.done(isNew, for: visit)
        }
        if PromptPreset.shipped.contains(where: { $0.name == name }) {
            throw ProtocolFault(.invalidState, "“\(name)” is a preset of the hub. Give yours another name.", at: "/p/name")
        }
        if let fault = try read(text, nil).faults.first { throw ProtocolFault(.badRequest, fault.sentence, at: "/p/text") }
        let isNew = try await asking { keeper throws(SourceFault) in try keeper.put(PromptPreset(name, text), of: owner) }
        return ledger.done(isNew, for: visit)
    }

    /// Handles a line that changes settings. Reading and writing are one step in the store's queue.
    private func set(_ command: Commands.PromptSet, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let owner = visit.identity.owner
        let line = try read(command.text, command.worker)
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
        return ledger.done(isNew, for: visit)
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
}
