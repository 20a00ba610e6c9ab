/// Steps of `library.db` for content-based file names, and for the person who asked for a play.
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

    /// The person who put a played item into the queue.
    static let requests = Step(before: "ALTER TABLE play ADD COLUMN asked_by TEXT;")
}
