/// The code that reads and writes the parameters of a command as JSON.
struct CommandCodec {
    private let command: Definition

    init(_ command: Definition) { self.command = command }

    /// The file with the code of all commands.
    static func text(_ definitions: [Definition]) -> String {
        """
        // Written by ProtocolWriter from the definitions in Protocol/commands; edit those.
        public import BatonCore
        public import BatonJSON
        public import BatonProtocol

        extension CommandKind {
            /// The command that a frame of this kind holds.
            func command(in frame: CommandFrame, limits: WireLimits) throws(ProtocolFault) -> any CommandRequest {
                switch self {
        \(definitions.map(decoding).joined(separator: "\n"))
                }
            }
        }

        """ + AnswerTypes(definitions).codecs + definitions.map { CommandCodec($0).text }.joined()
    }

    private static func decoding(_ command: Definition) -> String {
        let kind = Names.kind(of: command.name), type = "Commands.\(Names.type(of: command.name))"
        return "        case .\(kind): return try frame.checked(\(type)(params: frame.params, limits: limits))"
    }

    private var text: String {
        let written = command.parameters.flatMap(\.written)
        return """

            extension Commands.\(Names.type(of: command.name)): WireCommand {
                public init(params: JSONObject, limits: WireLimits) throws(ProtocolFault) {
            \(lines(reading))    }

                public var params: JSONObject {
            \(lines(written.isEmpty ? ["JSONObject()"] : ["var p = JSONObject()"] + written + ["return p"]))    }
            \(answer)}

            """
    }

    /// Code that reads what an answer carries. A command whose outcome says everything needs none.
    private var answer: String {
        command.answer.map { type in
            """

                public static func answer(in data: JSON?) throws(ProtocolFault) -> \(type)? {
                    try data.map { data throws(ProtocolFault) in try \(type)(from: data) }
                }

            """
        } ?? ""
    }

    /// Code that refuses unknown parameters, and then reads the others in the order of the definition, so that a fault names the first invalid one.
    private var reading: [String] {
        let names = command.names.map { "\"\($0)\"" }.joined(separator: ", ")
        let known = names.isEmpty ? "_ in false" : "switch $0 { case \(names): true default: false }"
        var lines = ["let p = Fields(params, path: \"/p\")", "try p.refuseUnknown { \(known) }"] + command.parameters.flatMap(\.read)
        let values = command.parameters.enumerated().map { (command.hasLabel($0, $1) ? "\($1.name): " : "") + $1.marked }
        lines.append("self.init(\(values.joined(separator: ", ")))")
        if !command.checks.isEmpty { lines.append("try validate(ParameterFaults())") }
        return lines
    }

    private func lines(_ lines: [String]) -> String { lines.map { "        \($0)\n" }.joined() }
}
