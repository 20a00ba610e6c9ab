import BatonClient
import BatonProtocol
import Configuration

/// One command line, taken apart.
struct Invocation: Sendable {
    var verb: String
    var operands: [String]
    /// `--hub`, or `BATON_HUB`.
    var hub: String?
    /// `--room`, or `BATON_ROOM`; only for verbs that concern one.
    var room: String?
    var json: Bool
    var format: String?
    var timeout: Duration
    /// The options of this verb alone.
    var options: Arguments
    var environment: Surroundings
    /// Our clock when somebody asked for this.
    let pressedUs = Clock.startUs()

    var ink: TextStyle { TextStyle(environment) }
    /// What others see of us.
    var ownName: String { "baton on \(environment.hostName)" }

    func operand(_ index: Int, _ what: String) throws(Stop) -> String {
        guard operands.indices.contains(index) else { throw Stop(.usage, "\(verb) needs \(what). See: baton help \(verb)") }
        return operands[index]
    }

    func onlyOperand(_ what: String) throws(Stop) -> String {
        let first = try operand(0, what)
        return try operandIfAny() ?? first
    }

    /// For verbs that take one word or none.
    func operandIfAny() throws(Stop) -> String? {
        guard operands.count < 2 else { throw Stop(.usage, "\(verb) takes one thing behind it, and got “\(operands[1])” too.") }
        return operands.first
    }

    func expectNoOperands() throws(Stop) {
        guard operands.isEmpty else { throw Stop(.usage, "\(verb) takes nothing behind it, and got “\(operands[0])”.") }
    }

    /// An option that is a level.
    func level(_ option: String) throws(Stop) -> Int? {
        guard let text = options[option] else { return nil }
        guard let level = Int(text), (0...100).contains(level) else {
            throw Stop(.usage, "--\(option) is “\(text)”. Write a number from 0 to 100.")
        }
        return level
    }
}
