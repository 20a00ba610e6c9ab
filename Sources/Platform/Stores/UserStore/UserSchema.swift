/// The schema of `users.db`, one step for each version.
import SQLite

extension Schema {
    static let users = Schema(steps: [accounts, controls])

    /// People who may control a room.
    private static let controls = Step(
        before: """
            CREATE TABLE control (
                room TEXT PRIMARY KEY,
                who TEXT NOT NULL,
                -- Names in lower case, each on a line.
                names TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)

    private static let accounts = Step(
        before: """
            CREATE TABLE user (
                -- The name in lower case, by which users are told apart.
                key TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                role TEXT NOT NULL,
                guest INTEGER NOT NULL,
                approved INTEGER NOT NULL,
                created_ms INTEGER NOT NULL,
                expires_ms INTEGER,
                -- Of scrypt; null for guests, who have no password.
                rounds INTEGER,
                blocks INTEGER,
                lanes INTEGER,
                salt BLOB,
                hash BLOB
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE session (
                -- SHA-256 of the token.
                hash BLOB PRIMARY KEY,
                user TEXT NOT NULL,
                created_ms INTEGER NOT NULL,
                address TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX session_user ON session (user);

            CREATE TABLE link (
                device TEXT PRIMARY KEY,
                user TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)
}
