import BatonClient
import BatonProtocol
import Configuration

/// One command line, split into verb, operands and options.
struct Invocation: Sendable {
    var verb: String
    var operands: [String]
    /// The hub from `--hub` or `BATON_HUB`.
    var hub: String?
    /// The room from `--room` or `BATON_ROOM`; only for verbs that act on a room.
    var room: String?
    var json: Bool
    /// The text of `--format`.
    var format: FormatText?
    var timeout: Duration
    /// Options of this verb only.
    var options: Arguments
    var environment: ProcessEnvironment
    /// The monotonic clock at the moment when the person started the command.
    let pressedUs = Clock.startUs()

    var ink: TextStyle { TextStyle(environment, options["color"].flatMap(TextStyle.Choice.init(rawValue:)) ?? .auto) }
    /// The name under which other remotes see this program.
    var ownName: String { "baton on \(environment.hostName)" }

    /// The same call without its operands.
    var alone: Invocation {
        var call = self
        call.operands = []
        return call
    }

    func operand(_ index: Int, _ what: String) throws(Stop) -> String {
        guard operands.indices.contains(index) else { throw Stop(.usage, "\(verb) needs \(what). See: baton help \(verb)") }
        return operands[index]
    }

    func onlyOperand(_ what: String) throws(Stop) -> String {
        let first = try operand(0, what)
        return try operandIfAny() ?? first
    }

    /// The operand of a verb that takes at most one.
    func operandIfAny() throws(Stop) -> String? {
        guard operands.count < 2 else { throw Stop(.usage, "\(verb) takes one thing behind it, and got “\(operands[1])” too.") }
        return operands.first
    }

    func expectNoOperands() throws(Stop) {
        guard operands.isEmpty else { throw Stop(.usage, "\(verb) takes nothing behind it, and got “\(operands[0])”.") }
    }

    /// Asks before a deletion if a person types; otherwise requires `--yes`.
    func confirm(_ action: String) throws(Stop) {
        if options.has("yes") { return }
        guard Password.isTyped, Output.isPromptSeen else { throw Stop(.usage, "\(action) needs --yes where no person can be asked.") }
        Output.prompt("\(action)? [y/N] ")
        guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else { throw Stop(.refused, "Nothing was changed.") }
    }

    /// The value of an option with a fixed set of words.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(_ option: String) throws(Stop) -> Choice? {
        guard let text = options[option] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Stop(.usage, "There is no \(option) “\(text)”. There is: \(all).")
        }
        return choice
    }

    /// The value of an option that is a volume level.
    func level(_ option: String) throws(Stop) -> Int? {
        guard let text = options[option] else { return nil }
        guard let level = Int(text), (0...100).contains(level) else {
            throw Stop(.usage, "--\(option) is “\(text)”. Write a number from 0 to 100.")
        }
        return level
    }
}
