/// The table of commands in Swift: their kinds, definitions, and types.
struct CommandTable {
    private let definitions: [Definition]

    init(_ definitions: [Definition]) { self.definitions = definitions }

    var text: String {
        """
        // Written by ProtocolWriter from the definitions in Protocol/commands; edit those.
        public import BatonCore

        /// Every command that the protocol names, built or not, by its wire name. `definition` says the rest.
        public enum CommandKind: String, Sendable, CaseIterable {
        \(definitions.map(self.case).joined(separator: "\n"))
        }

        extension CommandKind {
            public var definition: CommandDefinition {
                switch self {
        \(definitions.map(row).joined(separator: "\n"))
                }
            }

            /// Its index among all of them, by which a table finds what belongs to it.
            package var index: Int {
                switch self {
        \(definitions.enumerated().map { "        case .\(Names.kind(of: $1.name)): \($0)" }.joined(separator: "\n"))
                }
            }
        }

        """
    }

    private func `case`(_ command: Definition) -> String {
        let kind = Names.kind(of: command.name)
        return "    /// \(command.about)\n    case \(kind)" + (kind == command.name ? "" : " = \"\(command.name)\"")
    }

    private func row(_ command: Definition) -> String {
        let facts = [
            "order: .\(command.order)", "isOfPerson: \(command.isOfPerson)", "isReserved: \(command.isReserved)",
            "controls: \(command.controls)", "isOfRoom: \(command.isOfRoom)", "namesPlaylists: \(command.namesPlaylists)",
        ]
        let head = "kind: self, class: .\(command.class), role: .\(command.role), since: \(command.since), keys: .\(command.keys)"
        return "        case .\(Names.kind(of: command.name)): CommandDefinition(\(head), \(facts.joined(separator: ", ")))"
    }
}
