/// The steps of `library.db` for playlists that files fill, and for names that begin with what is typed.
import SQLite

extension Schema {
    static let playlistFiles = Step(
        before: """
            -- Files in the folders of the library, which fill playlists.
            CREATE TABLE IF NOT EXISTS playlist_file (
                path TEXT PRIMARY KEY,
                size INTEGER NOT NULL, changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
                is_partial INTEGER NOT NULL,
                -- Of its playlist.
                hash INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)

    /// The first word of each name once more, as `SearchEntry.Mark.beginning`. Letters of the index differ from all others there.
    static let beginnings = Step(
        before: """
            UPDATE spot SET words = words || ' i' || substr(words, 2, instr(words || ' ', ' ') - 2) WHERE instr(words, ' i') = 0 AND words <> '';
            INSERT INTO found (found) VALUES ('rebuild');
            """)
}
