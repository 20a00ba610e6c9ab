/// The table of commands in Swift: their kinds, and the facts of each.
struct CommandTable {
    private let definitions: [Definition]

    init(_ definitions: [Definition]) { self.definitions = definitions }

    var text: String {
        """
        // Written by ProtocolWriter from the definitions in Protocol/commands; edit those.
        public import BatonCore

        /// Every command of the protocol, by its name on the wire, with the facts that its definition gives.
        public enum CommandKind: String, Sendable, CaseIterable {
        \(definitions.map(self.case).joined(separator: "\n"))
        }

        extension CommandKind {
        \(facts.joined(separator: "\n\n"))

            /// Its index among all of them, by which a table finds what belongs to it.
            package var index: Int {
                switch self {
        \(definitions.enumerated().map { "        case .\(Names.kind(of: $1.name)): \($0)" }.joined(separator: "\n"))
                }
            }
        }

        """
    }

    /// The facts that definitions give for each command. The door asks this several times for each one, so every fact is a switch of its own, which
    /// the compiler makes a table.
    private var facts: [String] {
        [
            fact(
                "`class`", type: "Class", about: "The reason why a repeated command is harmless, which also decides whether it needs a key."
            ) {
                ".\($0.class)"
            },
            fact("role", type: "Role", about: "The lowest role that may send it. The hub has further conditions for guests.") {
                ".\($0.role)"
            },
            fact("level", type: "String", about: "The profile of the protocol that it is of: `core`, or another one by its name.") {
                "\"\($0.level)\""
            },
            fact("keys", type: "KeyTable", about: "The table in which the hub looks for the key of a repeated command.") { ".\($0.keys)" },
            fact("order", type: "Order", about: "The earlier commands that must have ended before this one begins.") { ".\($0.order)" },
            fact(
                "isOfPerson", about: "Whether a person caused it. Programs send most queries on their own; a person types a search.",
                \.isOfPerson),
            fact("controls", about: "True if a person who does not control the room may not send it.", \.controls),
            fact("isOfRoom", about: "True if it is refused to a person who was removed from the room.", \.isOfRoom),
            fact(
                "isRoomless", about: "True if it concerns no room, so that it is carried out also when the room that it names is gone.",
                \.isRoomless),
            fact("namesPlaylists", about: "True if an item in it may be a playlist of a user.", \.namesPlaylists),
        ]
    }

    private func fact(_ name: String, about: String, _ value: (Definition) -> Bool) -> String {
        fact(name, type: "Bool", about: about) { "\(value($0))" }
    }

    /// A property whose most frequent value is the default.
    private func fact(_ name: String, type: String, about: String, _ value: (Definition) -> String) -> String {
        let kinds = Dictionary(grouping: definitions, by: value).mapValues { $0.map { ".\(Names.kind(of: $0.name))" } }
        let values = kinds.keys.sorted { (kinds[$0]?.count ?? 0, $0) < (kinds[$1]?.count ?? 0, $1) }
        let rows =
            values.dropLast().map { "        case \((kinds[$0] ?? []).joined(separator: ", ")): \($0)" }
            + values.suffix(1).map { "        default: \($0)" }
        return """
                /// \(about)
                public var \(name): \(type) {
                    switch self {
            \(rows.joined(separator: "\n"))
                    }
                }
            """
    }

    private func `case`(_ command: Definition) -> String {
        let kind = Names.kind(of: command.name)
        return "    /// \(command.about)\n    case \(kind)" + (kind == command.name ? "" : " = \"\(command.name)\"")
    }
}
