/// The step of `library.db` for pictures of artists.
import SQLite

extension Schema {
    static let artistPictures = Step(
        before: """
            -- Files in folders that may be those of artists.
            CREATE TABLE artist_picture (
                path TEXT PRIMARY KEY,
                size INTEGER NOT NULL, changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
                -- The key of an artist that is called like the folder.
                key TEXT NOT NULL,
                -- NULL for one that cannot be read.
                picture INTEGER
            ) STRICT, WITHOUT ROWID;
            """)
}
