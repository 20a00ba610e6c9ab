/// The creation and migration of a file, version by version.
///
/// SQLite stores the version in the file's header (`user_version`). Each step runs in a transaction of its own together with the new
/// number, so an interrupted migration continues where it stopped. A step is never edited once it has shipped; changes go into a new step.
package struct Schema: Sendable {
    package let steps: [Step]

    package init(steps: [Step]) { self.steps = steps }

    package var version: Int { steps.count }

    /// The work of one step: SQL, with code in between if SQL is not enough.
    package struct Step: Sendable {
        package let before: String
        let code: (@Sendable (Database) throws(DatabaseError) -> Void)?
        let after: String

        package init(
            before: String, code: (@Sendable (Database) throws(DatabaseError) -> Void)? = nil, after: String = ""
        ) {
            self.before = before
            self.code = code
            self.after = after
        }
    }

    /// Migrates a file of any older version to this one.
    package func migrate(_ database: Database) throws(DatabaseError) {
        let found = try database.first("PRAGMA user_version") { $0.int(0) } ?? 0
        guard found < version else { return }
        for number in found..<version {
            try database.transaction { () throws(DatabaseError) in
                try database.execute(steps[number].before)
                try steps[number].code?(database)
                try database.execute(steps[number].after)
                try database.execute("PRAGMA user_version = \(number + 1)")
            }
        }
    }
}
