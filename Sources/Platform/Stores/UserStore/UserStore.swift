/// The accounts of people: `users.db` has the users, their sessions, and the devices that are linked to them.
///
/// The hub reads everything once and holds it in memory; afterwards it only writes. Passwords and tokens are stored as hashes.
import BatonCore
import BatonProtocol
package import BatonSeams
import SQLite

package final class UserStore: UserStorage {
    private let database: LockedConnection<StoreDatabase>
    /// Messages for people about events while opening.
    package let notices: [String]

    /// Blocks on the disk.
    package init(folder data: String) throws(SourceFault) {
        (database, notices) = try StoreDatabase.open(
            data + "/users.db", schema: .users, logMiB: 1, cacheKB: 200,
            loss: "the users are in the file set aside, and people have to be added again")
    }

    package func close() {
        database.wait { $0.database.closeWhole() }
    }

    // MARK: - Reading

    package func load() throws(SourceFault) -> UserTable {
        try database.wait { store throws(SourceFault) in
            try store.look { () throws(SourceFault) in
                UserTable(
                    users: try store.all(
                        """
                        SELECT name, role, guest, approved, created_ms, expires_ms, rounds, blocks, lanes, salt, hash
                        FROM user ORDER BY created_ms, key
                        """, [], as: Self.user),
                    sessions: try store.all("SELECT hash, user, created_ms, address FROM session ORDER BY created_ms", []) {
                        StoredSession(hash: $0.blob(0), user: $0.text(1), createdMs: $0.time(2), address: $0.text(3))
                    },
                    links: try store.all("SELECT device, user FROM link", []) {
                        UserLink(device: DeviceID($0.text(0)), user: $0.text(1))
                    }, controls: try Self.controls(store))
            }
        }
    }

    /// A rule of a later version lets only admins control the room.
    private static func controls(_ store: StoreDatabase) throws(SourceFault) -> [RoomID: RoomControl] {
        let rows = try store.all("SELECT room, who, names FROM control", []) { row in
            (
                RoomID(row.text(0)),
                RoomControl(
                    RoomControl.Who(rawValue: row.text(1)) ?? .named,
                    names: row.text(2).split(separator: "\n").map(String.init))
            )
        }
        return Dictionary(rows, uniquingKeysWith: { $1 })
    }

    private static func user(_ row: Row) -> StoredUser {
        let user = User(
            // An unknown role of a later version gives the lowest rights.
            name: row.text(0), role: Role(rawValue: row.text(1)) ?? .listener, isGuest: row.flag(2), isApproved: row.flag(3),
            createdMs: row.time(4), expiresMs: row.maybeTime(5))
        guard !row.isNull(10) else { return StoredUser(user, password: nil) }
        let cost = PasswordCost(rounds: row.int(6), blocks: row.int(7), lanes: row.int(8))
        return StoredUser(user, password: PasswordHash(cost: cost, salt: row.blob(9), hash: row.blob(10)))
    }

    // MARK: - Writing

    package func store(_ changes: [UserChange]) throws(SourceFault) {
        try database.wait { store throws(SourceFault) in
            try store.change { () throws(SourceFault) in
                for change in changes { try Self.apply(change, to: store) }
            }
        }
    }

    private static func apply(_ change: UserChange, to store: StoreDatabase) throws(SourceFault) {
        switch change {
        case .put(let stored): try store.run(putting, values(of: stored))
        case .remove(let key):
            for statement in removing { try store.run(statement, [.text(key)]) }
        case .open(let session):
            try store.run(
                "INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?)",
                [.blob(session.hash), .text(session.user), .time(session.createdMs), .text(session.address)])
        case .end(let hash): try store.run("DELETE FROM session WHERE hash = ?", [.blob(hash)])
        case .link(let link): try store.run("INSERT OR REPLACE INTO link VALUES (?, ?)", [.text(link.device.text), .text(link.user)])
        case .control(let room, let control) where control.who == .all && control.names.isEmpty:
            try store.run("DELETE FROM control WHERE room = ?", [.text(room.text)])
        case .control(let room, let control):
            try store.run(
                "INSERT OR REPLACE INTO control VALUES (?, ?, ?)",
                [.text(room.text), .text(control.who.rawValue), .text(control.names.joined(separator: "\n"))])
        case .unlink(let device): try store.run("DELETE FROM link WHERE device = ?", [.text(device.text)])
        }
    }

    private static let putting = "INSERT OR REPLACE INTO user VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    private static let removing = [
        "DELETE FROM user WHERE key = ?", "DELETE FROM session WHERE user = ?", "DELETE FROM link WHERE user = ?",
    ]

    private static func values(of stored: StoredUser) -> [Database.Value] {
        let user = stored.user
        let cost = stored.password?.cost
        return [
            .text(user.key), .text(user.name), .text(user.role.rawValue), .flag(user.isGuest), .flag(user.isApproved),
            .time(user.createdMs), .time(user.expiresMs), .maybe(cost?.rounds), .maybe(cost?.blocks),
            .maybe(cost?.lanes), stored.password.map { .blob($0.salt) } ?? .null, stored.password.map { .blob($0.hash) } ?? .null,
        ]
    }
}
