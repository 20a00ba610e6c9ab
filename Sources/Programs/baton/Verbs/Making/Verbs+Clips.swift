import BatonClient
import BatonCore
import BatonProtocol

/// Verbs for sessions of clips.
extension Verb {
    static let clipChoices: Choices = [
        "list": listSessions, "start": startSession, "show": showSession, "add": addClip,
        "remove": changes(
            place("clips remove needs"), by: { Commands.ClipsRemove($0) },
            says: { "The layer \($0.layer.rawValue) is out of its scene." }),
        "on": changes(
            place("clips on and clips off need"), by: { Commands.ClipsTurn($0, isOn: true) },
            says: { "The layer \($0.layer.rawValue) is in the loop." }),
        "off": changes(
            place("clips on and clips off need"), by: { Commands.ClipsTurn($0, isOn: false) },
            says: { "The layer \($0.layer.rawValue) is out of the loop." }),
        "scene": chooseScene, "resume": resumeSession, "continue": goOn,
    ]

    @Sendable private static func listSessions(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let answer = try await hub.send(Commands.ClipsList())
        if call.json { return Output.json(answer) }
        let rows = try answer.whole().rows
        if rows.isEmpty { return Output.line("There is no session yet. Begin one: baton clips start \"slow piano\".") }
        var table = Table(["session", "name", "plan", "", "by"], call.ink)
        table.paint(column: 1, .bold)
        for row in rows { table.add(row.session, row.name, ClipWords.plan(row), "\(row.clips.count) clips", row.author ?? "") }
        table.print()
    }

    @Sendable private static func startSession(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let words = call.operands.joined(separator: " ")
        guard !words.isEmpty else { throw Stop(.usage, "clips start needs words: baton clips start \"slow piano\".") }
        try await startSession(words, for: call, on: hub)
    }

    static func startSession(_ words: String, for call: Invocation, on hub: ReconnectingHub) async throws {
        let answer = try await hub.send(Commands.ClipsStart(words, name: call.options["name"], worker: call.options["worker"]))
        if call.json { return Output.json(answer) }
        guard let row = try answer.whole().rows.first else { return }
        Output.line("Session “\(row.name)” (\(row.session)), \(ClipWords.plan(row)). Its first clip: baton clips add rhythm.")
    }

    @Sendable private static func showSession(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let answer = try await hub.send(Commands.ClipsList(session: try call.operandIfAny()))
        if call.json { return Output.json(answer) }
        guard let row = try answer.whole().rows.first else {
            throw Stop(.refused, "There is no session yet. Begin one: baton clips start \"slow piano\".")
        }
        Output.line("“\(row.name)” (\(row.session)), \(ClipWords.plan(row))")
        let scenes = ["layer"] + row.scenes.enumerated().map { ClipWords.scene($1, isChosen: $0 + 1 == row.scene) }
        // Pipes get the scenes as a row, because otherwise the chosen scene is missing.
        var table = Table(Output.isTerminal ? scenes : [], call.ink)
        if !Output.isTerminal { table.add(scenes) }
        for layer in PromptLine.Layer.allCases {
            table.add([layer.rawValue] + ClipCell.scenes.map { ClipWords.cell(of: layer, scene: $0, in: row) })
        }
        table.print()
        for scene in row.scenes { if let sentence = scene.sentence { Output.line("\(scene.name) stays as it was. \(sentence)") } }
        Output.line("It plays as \(row.uri.text).")
    }

    @Sendable private static func addClip(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let layer = try layer(call)
        let bars = try call.options["bars"].map { text in
            guard let bars = Int(text), ClipCell.bars.contains(bars) else {
                throw Stop(.usage, "--bars “\(text)”: expected a number from 1 to 64.")
            }
            return bars
        }
        let words = call.operands.dropFirst().joined(separator: " ")
        try await addClip(
            at: ClipCell(layer, scene: try scene(call), session: call.options["session"]), bars: bars, words: words, for: call, on: hub)
    }

    static func addClip(at place: ClipCell, bars: Int? = nil, words: String, for call: Invocation, on hub: ReconnectingHub) async throws {
        let answer = try await hub.send(
            Commands.ClipsAdd(place, bars: bars ?? ClipCell.usualBars, text: words.isEmpty ? nil : words))
        if call.json { return Output.json(answer) }
        Output.line("The clip is being made (\(try answer.whole().job)). The session: baton clips show.")
    }

    @Sendable private static func resumeSession(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try await hub.send(Commands.ClipsResume(session: try call.operandIfAny()))
        guard let row = try await hub.send(Commands.ClipsList()).whole().rows.first else { return }
        if call.options.has("play") { try await hub.send(Commands.Play(row.uri)) }
        Output.done("“\(row.name)” (\(row.session)) is the session that baton clips means now.", call)
    }

    @Sendable private static func goOn(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let seconds = try call.options["seconds"].map { text in
            guard let seconds = Int(text), ClipCell.seconds.contains(seconds) else {
                throw Stop(.usage, "--seconds “\(text)”: expected a number from 10 to 180.")
            }
            return seconds
        }
        let answer = try await hub.send(
            Commands.ClipsContinue(session: try call.operandIfAny(), seconds: seconds, target: try target(call)))
        if call.json { return Output.json(answer) }
        Output.line("A piece on this motif is being made (\(try answer.whole().job)). How far it is: baton jobs.")
    }

    /// Chooses a scene, or renames it with `--name`. `--play` also queues and plays the session.
    @Sendable private static func chooseScene(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        guard call.operands.count == 1, let number = Int(call.operands[0]), ClipCell.scenes.contains(number) else {
            throw Stop(.usage, "clips scene needs the number of a scene, 1 to 3.")
        }
        let session = call.options["session"]
        try await hub.send(Commands.ClipsScene(number, name: call.options["name"], session: session))
        if call.options.has("play"), let row = try await hub.send(Commands.ClipsList(session: session)).whole().rows.first {
            try await hub.send(Commands.Play(row.uri))
        }
        Output.done(
            call.options["name"].map { "Scene \(number) is called “\($0)”." } ?? "Scene \(number) is heard from the next round on.", call)
    }

    private static func place(_ needs: String) -> @Sendable (Invocation, ReconnectingHub) throws -> ClipCell {
        { call, _ in
            let layer = try layer(call)
            guard call.operands.count == 1 else { throw Stop(.usage, "\(needs) one layer, and --scene.") }
            return ClipCell(layer, scene: try scene(call), session: call.options["session"])
        }
    }

    private static func layer(_ call: Invocation) throws -> PromptLine.Layer {
        let names = PromptLine.Layer.allCases.map(\.rawValue).joined(separator: ", ")
        guard let layer = PromptLine.Layer(rawValue: try call.operand(0, "a layer: \(names)").lowercased()) else {
            throw Stop(.usage, "“\(call.operands[0])” is no layer. There are \(names).")
        }
        return layer
    }

    private static func scene(_ call: Invocation) throws -> Int {
        guard let text = call.options["scene"] else { return 1 }
        guard let scene = Int(text), ClipCell.scenes.contains(scene) else {
            throw Stop(.usage, "--scene “\(text)”: expected a number from 1 to 3.")
        }
        return scene
    }
}

/// Sentences about sessions.
private enum ClipWords {
    static func plan(_ row: ClipSessions.Row) -> String {
        [row.tempo.map { "\($0) beats a minute" }, row.key, row.worker.map { "by \($0)" }].compactMap { $0 }.joined(separator: ", ")
    }

    static func scene(_ scene: ClipSessions.Scene, isChosen: Bool) -> String {
        (isChosen ? "* " : "") + scene.name + (scene.durationMs.map { " (\(TimeText.show(ms: $0)))" } ?? "")
    }

    static func cell(of layer: PromptLine.Layer, scene: Int, in row: ClipSessions.Row) -> String {
        row.clips.filter { $0.layer == layer && $0.scene == scene }.map { clip in
            clip.state == .ready ? "\(clip.bars) bars" + (clip.isOff ? ", off" : "") : clip.state.name
        }.joined(separator: ", ")
    }
}
