/// The parts of `library.db` about names of files that follow from their content, and about who asked for what was played.
import SQLite

extension Schema {
    static let contentIDs = Step(
        before: """
            CREATE TABLE content_id (
                file INTEGER PRIMARY KEY,
                -- As the file was when its name was found.
                size INTEGER NOT NULL,
                changed_ns INTEGER NOT NULL,
                -- SHA-256 of the first 64 KiB, or of the whole file where another file has the same beginning; NULL where another
                -- file is the same entirely.
                hash BLOB UNIQUE
            ) STRICT;
            """)

    /// Who had put into the queue what was played.
    static let requests = Step(before: "ALTER TABLE play ADD COLUMN asked_by TEXT;")
}
