import BatonClient
import BatonProtocol
import Configuration

/// One command line, taken apart.
struct Invocation: Sendable {
    var verb: String
    var operands: [String]
    /// `--hub`, or `BATON_HUB`.
    var hub: String?
    var json: Bool
    var format: String?
    var timeout: Duration
    var environment: Surroundings

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
}
