import BatonClient
import BatonCore
import BatonProtocol

/// Verbs for typed prompts: settings, earlier prompts and presets.
extension Verb {
    /// Carries out a prompt line that requests no music.
    static func carryOut(_ line: PromptLine, text: String, worker: String?, for call: Invocation, on hub: ReconnectingHub) async throws {
        switch line.action {
        case .settings, .reset:
            try await hub.send(Commands.PromptSet(text, worker: worker))
            try await show(call, hub)
        case .show: try await show(call, hub)
        case .help:
            if call.json { return Output.done(PromptWords.commands.map { "\($0): \($1)" }.joined(separator: "; "), call) }
            var table = Table(["line", "what it does"], call.ink)
            for (command, about) in PromptWords.commands { table.add(command, about) }
            table.print()
        case .session:
            guard !line.prompt.isEmpty else { throw Stop(.usage, "Say what the session should be like: /session slow piano.") }
            try await startSession(line.prompt, for: call, on: hub)
        case .scene:
            try await hub.send(Commands.ClipsScene(line.scene ?? 1, name: line.prompt))
            Output.done("Scene \(line.scene ?? 1) is chosen.", call)
        case .make:
            let answer = try await hub.send(Commands.JobBegin(text: text, worker: worker))
            if call.json { return Output.json(answer) }
            Output.line("The clip is being made (\(try answer.whole().job)). The session: baton clips show.")
        }
    }

    private static func show(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let answer = try await hub.send(Commands.PromptList())
        if call.json { return Output.json(answer) }
        Output.line(PromptWords.settings(try answer.whole().prompts.settings))
    }

    static func preset(_ name: String, _ hub: ReconnectingHub) async throws -> String {
        let presets = try await hub.send(Commands.PromptList()).whole().prompts.presets
        if let found = presets.first(where: { $0.name.lowercased() == name.lowercased() }) { return found.text }
        throw Stop(.refused, "There is no preset “\(name)”. baton presets lists them.")
    }

    // MARK: Earlier prompts

    static let promptChoices: Choices = ["list": listPrompts, "forget": forgetPrompt]

    @Sendable private static func listPrompts(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let answer = try await hub.send(Commands.PromptList())
        if call.json { return Output.json(answer) }
        let prompts = try answer.whole().prompts
        Output.line(PromptWords.settings(prompts.settings))
        var table = Table(["", "prompt"], call.ink)
        for (number, used) in prompts.history.enumerated() { table.add("\(number + 1)", used.text) }
        table.print()
    }

    /// Removes an earlier prompt by its row, or all of them.
    @Sendable private static func forgetPrompt(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        guard let word = try call.operandIfAny() else {
            try call.confirm("Forgetting all earlier prompts")
            try await hub.send(Commands.PromptForget())
            return Output.done("All earlier prompts are forgotten.", call)
        }
        let history = try await hub.send(Commands.PromptList()).whole().prompts.history
        guard let number = Int(word), history.indices.contains(number - 1) else {
            throw Stop(.usage, "prompts forget needs a row of baton prompts, or nothing for all of them.")
        }
        try await hub.send(Commands.PromptForget(text: history[number - 1].text))
        Output.done("“\(history[number - 1].text)” is forgotten.", call)
    }

    // MARK: Presets

    static let presetChoices: Choices = [
        "list": listPresets, "save": savePreset,
        "remove": changes(
            { call, _ in try call.operand(0, "the name of a preset") }, by: { Commands.PromptPresetSet($0, text: nil) },
            says: { "The preset “\($0)” is removed." }, confirming: { "Removing the preset “\($0)”" }),
    ]

    @Sendable private static func listPresets(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let answer = try await hub.send(Commands.PromptList())
        if call.json { return Output.json(answer) }
        var table = Table(["name", "line", ""], call.ink)
        table.paint(column: 0, .bold)
        for preset in try answer.whole().prompts.presets { table.add(preset.name, preset.text, preset.isOwn ? "yours" : "") }
        table.print()
    }

    @Sendable private static func savePreset(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        guard call.operands.count >= 2 else {
            throw Stop(.usage, "presets save needs a name and a line: baton presets save Sunday folk waltz.")
        }
        try await hub.send(Commands.PromptPresetSet(call.operands[0], text: call.operands.dropFirst().joined(separator: " ")))
        Output.done("The preset “\(call.operands[0])” is kept.", call)
    }

}

extension PromptWords {
    static let commands = [
        ("/duration N", "seconds"), ("/model ID", "the worker's model; also /musicgen, /small, /medium, /large"),
        ("/cfg X, /cfg off", "how closely it follows the words, 0 to 20"), ("/seed N, /seed off", "the same line gives the same piece"),
        ("/motif WORDS", "16 seconds only"),
        ("/clip LAYER [WORDS]", "a clip of a session; also /rhythm, /bass, /harmony, /lead, /textures, /vocals"),
        ("/session, /scene", "sessions of clips"), ("/show, /reset, /help", "the settings; those of the beginning; this list"),
    ]

    static func settings(_ settings: PromptSettings) -> String {
        let parts = [
            settings.durationS.map { "/duration \($0)" }, settings.model.map { "/model \($0)" }, settings.cfg.map { "/cfg \($0)" },
            settings.seed.map { "/seed \($0)" },
        ].compactMap { $0 }
        return parts.isEmpty ? "Your prompts have no settings of their own." : "Your prompts have: \(parts.joined(separator: " "))"
    }
}
