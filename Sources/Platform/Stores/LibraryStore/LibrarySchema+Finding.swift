/// The steps of `library.db` for playlists from files, for names that begin with the typed text, and for typing mistakes.
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

    /// The first word of each name once more, marked with `SearchEntry.Mark.beginning`, a letter that no other mark uses.
    static let beginnings = Step(
        before: """
            UPDATE spot SET words = words || ' i' || substr(words, 2, instr(words || ' ', ' ') - 2) WHERE instr(words, ' i') = 0 AND words <> '';
            INSERT INTO found (found) VALUES ('rebuild');
            """)

    /// Every searchable word, as in `Vocabulary`: without the letter for its place. A word stays when its last use is gone.
    static let words = Step(
        before: """
            CREATE TABLE word (
                -- Grows with time, so the largest tells a reader whether there are words that it has not read.
                id INTEGER PRIMARY KEY,
                word TEXT NOT NULL UNIQUE
            ) STRICT;
            CREATE VIRTUAL TABLE temp.term USING fts5vocab(main, found, row);
            INSERT OR IGNORE INTO word (word) SELECT substr(term, 2) FROM temp.term
                WHERE length(term) > 3 AND substr(term, 2, 1) NOT BETWEEN '0' AND '9';
            DROP TABLE temp.term;
            """)
}
