/// The step of `library.db` for songs by their paths, with all tags of their files.
import SQLite

extension Schema {
    /// All files count as changed, so the next scan reads them again and finds their tags. Earlier steps turn all bits of `companions` around for that,
    /// and this one turns only the last, so that no two of them end where they began.
    static let songs = Step(
        before: """
            -- When it last changed, in seconds; 0 where that is not known.
            ALTER TABLE folder ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;

            CREATE TABLE song (
                -- The number of its track.
                id INTEGER PRIMARY KEY,
                folder INTEGER NOT NULL,
                -- Its place in the folder, from 1.
                rank INTEGER NOT NULL,
                -- The name of the file; a part of a file has one behind that.
                name TEXT NOT NULL,
                -- As in track.
                track TEXT NOT NULL,
                -- In seconds.
                changed INTEGER NOT NULL,
                added INTEGER NOT NULL,
                duration_ms INTEGER,
                format TEXT,
                -- Its tags, a line each.
                lines BLOB NOT NULL
            ) STRICT;
            CREATE INDEX song_in_order ON song (folder, rank);
            CREATE INDEX song_by_name ON song (folder, name);

            CREATE TABLE song_text (
                id INTEGER PRIMARY KEY,
                -- In lower case: its name and the values of its tags, a line each.
                folded TEXT NOT NULL,
                -- Tags without a common name, as LibraryPacking writes them.
                others BLOB
            ) STRICT;
            CREATE VIRTUAL TABLE song_found USING fts5 (
                folded, content = 'song_text', content_rowid = 'id', tokenize = 'trigram case_sensitive 1', detail = 'none', columnsize = 0
            );

            -- Folders with songs in them or below, and the one above all others.
            CREATE TABLE song_folder (
                -- Its place in the order of the tree.
                rank INTEGER PRIMARY KEY,
                -- That of the folder above.
                above INTEGER NOT NULL,
                -- That of the last folder below it, or its own.
                last INTEGER NOT NULL,
                -- 0 for the one above several music folders.
                folder INTEGER NOT NULL UNIQUE,
                path TEXT NOT NULL UNIQUE,
                folded TEXT NOT NULL
            ) STRICT;
            CREATE INDEX song_folder_in_folder ON song_folder (above, rank);
            UPDATE file SET companions = (companions | 1) - (companions & 1);
            """)
}
