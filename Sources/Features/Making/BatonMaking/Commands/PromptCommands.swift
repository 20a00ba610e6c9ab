import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about a person's input for generated music: settings, earlier prompts and presets.
@Loop
struct PromptCommands {
    let jobs: MakingJobs
    let people: MakingPrompts
    let ledger: Ledger

    func install(in commands: CommandTable) {
        commands.find(Commands.PromptList.self, with: ledger, list)
        commands.work(on: Commands.PromptSet.self, set)
        commands.work(on: Commands.PromptPresetSet.self, store)
        commands.change(Commands.PromptForget.self, with: ledger) { command, accepted async throws(SourceFault) in
            let owner = accepted.identity.owner
            return try await people.asking { storage throws(SourceFault) in try storage.forget(command.text, of: owner) }
        }
    }

    private func list(_ command: Commands.PromptList, _ accepted: AcceptedCommand) async throws(SourceFault) -> PromptShelf {
        let owner = accepted.identity.owner
        var prompts = try await people.asking { storage throws(SourceFault) in try storage.prompts(of: owner) }
        prompts.presets = PromptPreset.shipped + prompts.presets
        return PromptShelf(prompts: prompts)
    }

    private func store(_ command: Commands.PromptPresetSet, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let (name, owner) = (command.name, accepted.identity.owner)
        guard let text = command.text else {
            let isNew = try await asking { storage throws(SourceFault) in try storage.removePreset(name, of: owner) }
            return ledger.done(isNew, for: accepted)
        }
        if PromptPreset.shipped.contains(where: { $0.name == name }) {
            throw ProtocolFault(.invalidState, "“\(name)” is a preset of the hub. Give yours another name.", at: "/p/name")
        }
        _ = try await read(text, nil)
        let isNew = try await asking { storage throws(SourceFault) in try storage.put(PromptPreset(name, text), of: owner) }
        return ledger.done(isNew, for: accepted)
    }

    /// Handles a line that changes settings. Reading and writing are one step in the store's queue.
    private func set(_ command: Commands.PromptSet, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let owner = accepted.identity.owner
        let line = try await read(command.text, command.worker)
        guard line.action == .settings || line.action == .reset else {
            throw ProtocolFault(.badRequest, "This line changes no settings, as /duration 60 or /reset does.", at: "/p/text")
        }
        let isNew = try await asking { storage throws(SourceFault) in
            let known = try storage.settings(of: owner)
            let wanted = line.action == .reset ? PromptSettings() : line.settings.filled(from: known)
            if wanted != known { try storage.put(wanted, of: owner) }
            return wanted != known
        }
        return ledger.done(isNew, for: accepted)
    }

    private func read(_ text: String, _ worker: String?) async throws(ProtocolFault) -> PromptLine {
        let line = try await ProtocolFault.translating(.notFound, at: "/p/worker") { () throws(SourceFault) in
            PromptLine.read(text, try jobs.worker(worker).about.bounds)
        }
        if let fault = line.faults.first { throw ProtocolFault(.badRequest, fault.sentence, at: "/p/text") }
        return line
    }

    private func asking<Found: Sendable>(
        _ body: @escaping @Sendable (any PromptStorage) throws(SourceFault) -> Found
    ) async throws(ProtocolFault) -> Found {
        try await ProtocolFault.translating { () async throws(SourceFault) in try await people.asking(body) }
    }
}
