import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs for endless music, and for variations of a piece.
extension Verb {
    static let endlessChoices: Choices = [
        "list": showEndless, "on": turnOn,
        "off": changes(
            nothing, by: { _ in Commands.Endless(false) }, says: { _ in "The music of this room ends with its queue." }),
    ]

    @Sendable private static func showEndless(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let mirror = try await hub.state()
        guard let endless = mirror.endless else {
            return Output.done("The music of this room ends with its queue. Without end: baton endless on \"slow piano\".", call)
        }
        Output.done(ComposingWords.state(endless), call)
    }

    @Sendable private static func turnOn(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let words = call.operands.joined(separator: " ")
        let ahead = try call.options["ahead"].map { text in
            guard let ahead = Int(text), EndlessPlan.aheadRange.contains(ahead) else {
                throw Stop(.usage, "--ahead “\(text)”: expected a number of pieces from 1 to 5.")
            }
            return ahead
        }
        let follow = try call.options["follow"].map { text in
            guard let follow = EndlessFollow(rawValue: text) else {
                throw Stop(.usage, "--follow “\(text)”: expected prompt or motif.")
            }
            return follow
        }
        let wish = Commands.Endless(
            true, text: words.isEmpty ? nil : words, worker: call.options["worker"], ahead: ahead, follow: follow)
        try await hub.send(wish)
        Output.done("The music of this room goes on without end.", call)
    }

    @Sendable static func steer(_ call: Invocation, _ satellite: Satellite) async throws {
        let ways = Steer.allCases.map(\.rawValue).joined(separator: ", ")
        guard let way = Steer(rawValue: try call.operand(0, "one of \(ways)")) else {
            throw Stop(.usage, "steer “\(call.operands[0])”: expected one of \(ways).")
        }
        try await satellite.withHub(call) { [call] hub in
            let answer = try await hub.send(Commands.SteerNext(way))
            if call.json { return Output.json(answer) }
            Output.line(ComposingWords.steered(try answer.whole(), way))
        }
    }

    @Sendable static func vary(_ call: Invocation, _ satellite: Satellite) async throws {
        let amount = try call.options["amount"].map { text in
            guard let amount = Int(text), (0...100).contains(amount) else {
                throw Stop(.usage, "--amount “\(text)”: expected a number from 0 to 100.")
            }
            return amount
        }
        let target = try target(call)
        let named = try call.operandIfAny()
        try await make(for: call, on: satellite) { hub in
            var uri: ItemURI?
            if let named { uri = try await call.uri(of: named, hub) }
            var vary = Commands.Vary(uri: uri, target: target)
            if let amount { vary.amount = amount }
            return vary
        }
    }

    @Sendable static func again(_ call: Invocation, _ satellite: Satellite) async throws {
        let recipe = call.operands.joined(separator: " ")
        guard !recipe.isEmpty else { throw Stop(.usage, "again needs a recipe, as baton jobs recipe N shows it.") }
        let target = try target(call)
        try await make(for: call, on: satellite) { _ in Commands.Again(recipe, target: target) }
    }

    private static func make<Command: WireCommand>(
        for call: Invocation, on satellite: Satellite, command: @escaping @Sendable (ReconnectingHub) async throws -> Command
    ) async throws where Command.Answer == StartedJob {
        try await satellite.withHub(call) { [call] hub in
            let answer = try await hub.send(try await command(hub))
            if call.json { return Output.json(answer) }
            Output.line("The piece is being made (\(try answer.whole().job)). How far it is: baton jobs.")
        }
    }
}

/// Sentences about endless music.
enum ComposingWords {
    static func state(_ endless: EndlessSection) -> String {
        guard endless.isOn else { return endless.sentence ?? "The music of this room ends with its queue." }
        let follows = endless.follow == .motif ? "on the motif of the piece before" : "from the same words"
        var line = "“\(endless.prompt)” goes on without end: \(endless.ahead) ahead, \(follows), \(endless.made) so far."
        if !endless.steering.isEmpty { line += " The next piece: \(endless.steering.map(\.rawValue).joined(separator: ", "))." }
        if let sentence = endless.sentence { line += " \(sentence)" }
        return line
    }

    static func steered(_ piece: SteeredPiece, _ way: Steer) -> String {
        if let title = piece.title { return "“\(title)”, which waits to be made, will be \(way.rawValue)." }
        switch piece.ahead ?? 0 {
        case 0: return "The next piece will be \(way.rawValue)."
        case 1: return "The piece after the next will be \(way.rawValue)."
        case let ahead: return "The piece behind the next \(ahead) will be \(way.rawValue)."
        }
    }
}
