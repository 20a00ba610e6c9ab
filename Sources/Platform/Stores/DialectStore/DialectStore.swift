/// The rows of dialects: `dialects.db` has passwords, which dialects were switched on or off, and stickers.
///
/// Passwords are stored as hashes, and so are no secret that a backup leaves out.
import BatonCore
import BatonProtocol
package import BatonSeams
import SQLite

package final class DialectStore: DialectStorage {
    let database: LockedConnection<StoreDatabase>
    /// Messages for people about events while opening.
    package let notices: [String]

    /// Blocks on the disk.
    package init(folder data: String) throws(SourceFault) {
        (database, notices) = try StoreDatabase.open(
            data + "/dialects.db", schema: .dialects, logMiB: 1, cacheKB: 200,
            loss: "the passwords and stickers of MPD are in the file set aside, and passwords have to be made again")
    }

    package func close() {
        database.wait { $0.database.closeWhole() }
    }

    // MARK: - Passwords

    package func passwords() throws(SourceFault) -> [StoredDialectPassword] {
        try database.wait { store throws(SourceFault) in
            try store.all(
                "SELECT dialect, name, role, created_ms, rounds, blocks, lanes, salt, hash FROM password ORDER BY dialect, key"
            ) { row in
                StoredDialectPassword(
                    dialect: row.text(0),
                    password: DialectPassword(
                        // An unknown role of a later version gives the lowest rights.
                        name: row.text(1), role: Role(rawValue: row.text(2)) ?? .listener, createdMs: row.time(3)),
                    hash: PasswordHash(
                        cost: PasswordCost(rounds: row.int(4), blocks: row.int(5), lanes: row.int(6)), salt: row.blob(7), hash: row.blob(8))
                )
            }
        }
    }

    package func add(_ password: StoredDialectPassword) throws(SourceFault) {
        let cost = password.hash.cost
        try write(
            "INSERT INTO password VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(password.dialect), .text(password.password.name.lowercased()), .text(password.password.name),
                .text(password.password.role.rawValue), .time(password.password.createdMs), .int(cost.rounds), .int(cost.blocks),
                .int(cost.lanes), .blob(password.hash.salt), .blob(password.hash.hash),
            ])
    }

    package func remove(passwordNamed name: String, of dialect: String) throws(SourceFault) {
        try write("DELETE FROM password WHERE dialect = ? AND key = ?", [.text(dialect), .text(name.lowercased())])
    }

    // MARK: - Switches

    package func switches() throws(SourceFault) -> [String: Bool] {
        try database.wait { store throws(SourceFault) in
            let rows = try store.all("SELECT dialect, is_on FROM switch") { ($0.text(0), $0.flag(1)) }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    package func turn(_ dialect: String, on isOn: Bool) throws(SourceFault) {
        try write("INSERT OR REPLACE INTO switch VALUES (?, ?)", [.text(dialect), .flag(isOn)])
    }

    // MARK: - Parts

    /// Runs one statement in a transaction of its own.
    func write(_ statement: String, _ values: [Database.Value]) throws(SourceFault) {
        try database.wait { store throws(SourceFault) in
            try store.change { () throws(SourceFault) in _ = try store.run(statement, values) }
        }
    }
}
