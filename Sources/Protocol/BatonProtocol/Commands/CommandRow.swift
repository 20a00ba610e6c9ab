/// One row of `CommandTable.swift`, which is written from the definitions in `Protocol/commands`.
struct CommandRow: Sendable {
    let `class`: CommandDefinition.Class
    let role: Role
    /// The number of the page in `Protocol/changes` with which the command came.
    let since: Int
    let keys: CommandDefinition.KeyTable
    let isReserved: Bool

    init(
        _ class: CommandDefinition.Class, _ role: Role, since: Int, keys: CommandDefinition.KeyTable = .shared, isReserved: Bool = false
    ) {
        self.class = `class`
        self.role = role
        self.since = since
        self.keys = keys
        self.isReserved = isReserved
    }
}

extension RequestKind {
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    package static func named(_ method: String) -> RequestKind? { byName[method] }
}
