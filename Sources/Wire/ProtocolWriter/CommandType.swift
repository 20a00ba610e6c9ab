/// The Swift type of a command.
struct CommandType {
    private let command: Definition

    init(_ command: Definition) { self.command = command }

    var text: String {
        """

        extension Commands {
            /// \(command.about)
            public struct \(Names.type(of: command.name)): CommandRequest {
                \(answer)public static var kind: CommandKind { .\(Names.kind(of: command.name)) }
        \(members.map { "        \($0)\n" }.joined())
            }
        }

        """
    }

    private var answer: String { command.answer.map { "public typealias Answer = \($0)\n        " } ?? "" }

    private var members: [String] {
        var lines: [String] = []
        for parameter in command.parameters {
            if !parameter.words.isEmpty {
                let words = parameter.words.joined(separator: ", ")
                lines += ["/// \(parameter.about)", "public enum \(parameter.type): String, CaseIterable, Sendable { case \(words) }"]
            }
            lines += ["/// \(parameter.about)", "public var \(parameter.marked): \(parameter.declared)"]
        }
        lines += ["", "public init(\(command.parameters.enumerated().map(argument).joined(separator: ", "))) {"]
        lines += command.parameters.map { "    self.\($0.marked) = \($0.marked)" } + ["}"]
        if !command.checks.isEmpty {
            lines += [
                "", "/// Whether the parameters, each right by itself, fit together.",
                "package func validate(_ faults: ParameterFaults) throws(ProtocolFault) {",
            ]
            lines += command.checks.map { "    \($0)" } + ["}"]
        }
        if let key = command.keyedWith { lines += ["", "public var needsKey: Bool { \(key.marked) != \(key.absent) }"] }
        return lines
    }

    private func argument(_ place: Int, _ parameter: Parameter) -> String {
        let usual = parameter.isOptional ? "nil" : parameter.usual ?? parameter.onlyWord.map { ".\($0)" }
        let value = usual.map { " = \($0)" } ?? ""
        return "\(command.hasLabel(place, parameter) ? "" : "_ ")\(parameter.marked): \(parameter.declared)\(value)"
    }
}
