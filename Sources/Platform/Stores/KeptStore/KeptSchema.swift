/// The schema of `kept.db`, one step for each version.
import SQLite

extension Schema {
    static let kept = Schema(steps: [wishesAndTracks])

    private static let wishesAndTracks = Step(
        before: """
            CREATE TABLE wish (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                -- The item's URI, or a word for a rule.
                name TEXT NOT NULL UNIQUE,
                -- Of the rule "played": how many tracks.
                count INTEGER,
                title TEXT NOT NULL,
                kind TEXT
            ) STRICT;

            CREATE TABLE member (
                wish INTEGER NOT NULL,
                place INTEGER NOT NULL,
                uri TEXT NOT NULL,
                PRIMARY KEY (wish, place)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE track (
                uri TEXT PRIMARY KEY,
                title TEXT NOT NULL,
                -- Its server does not have it any more.
                has_left INTEGER NOT NULL DEFAULT 0,
                -- Of the whole copy: its file in the folder, and how that looked when it was left. Null while there is none.
                file TEXT,
                bytes INTEGER,
                changed_ns INTEGER,
                inode INTEGER,
                -- SHA-256 over the SHA-256 of each piece.
                digest BLOB,
                -- Of a copy in part: which state of the content it is.
                version TEXT,
                length INTEGER
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE setting (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            """)
}
