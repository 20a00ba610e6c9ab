/// The schema of `library.db`, one step for each version.
///
/// Columns used for sorting are never NULL, because comparisons with NULL match no row; 0 means "not known". Texts used for sorting are
/// folded (`Folding`).
import SQLite

extension Schema {
    static let library = Schema(steps: [
        folders, tracks, finding, userMarks, trust, answerClock, editClock, deletedPlaylists, yearsAndLabels, books, albumArtists,
        places, bookmarks, upNext, listeners, owners, contentIDs, requests, beginnings, playlistFiles, playlistTexts, words, artistPictures,
        songs,
    ])

    /// Gives album artists a letter of their own. The index ignores case, so they shared one with titles, and a search with words of both
    /// found no album.
    private static let albumArtists = Step(
        before: """
            UPDATE spot SET words = substr(replace(' ' || words, ' b', ' h'), 2) WHERE kind = 'album';
            INSERT INTO found (found) VALUES ('rebuild');
            """)

    private static let folders = Step(
        before: """
            -- One row: counters that move in the transaction that moved what they count.
            CREATE TABLE census (
                one INTEGER PRIMARY KEY CHECK (one = 1),
                tracks INTEGER NOT NULL, albums INTEGER NOT NULL, artists INTEGER NOT NULL, playlists INTEGER NOT NULL,
                library_revision INTEGER NOT NULL, playlist_revision INTEGER NOT NULL
            ) STRICT;
            INSERT INTO census VALUES (1, 0, 0, 0, 0, 0, 0);

            CREATE TABLE scan (
                id INTEGER PRIMARY KEY,
                began_ms INTEGER NOT NULL,
                ended_ms INTEGER,
                -- As LibraryPacking writes it.
                report BLOB
            ) STRICT;

            CREATE TABLE folder (
                id INTEGER PRIMARY KEY,
                -- NULL for one that was added by hand and is below no other.
                parent INTEGER,
                path TEXT NOT NULL UNIQUE,
                name TEXT NOT NULL,
                sort TEXT NOT NULL,
                hash INTEGER NOT NULL UNIQUE,
                is_wanted INTEGER NOT NULL DEFAULT 0,
                problem TEXT,
                -- Here and below.
                tracks INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX folder_in_order ON folder (parent, sort);

            CREATE TABLE file (
                id INTEGER PRIMARY KEY,
                folder INTEGER NOT NULL,
                name TEXT NOT NULL,
                size INTEGER NOT NULL,
                changed_ns INTEGER NOT NULL,
                inode INTEGER NOT NULL,
                companions INTEGER NOT NULL,
                problem TEXT,
                -- Of its content; NULL when it could not be read.
                high INTEGER,
                low INTEGER,
                -- What its tracks are called: the content at first sight, and which of those with the same it is.
                hash INTEGER,
                twin INTEGER,
                -- Not there any more, but known again should it come back.
                is_gone INTEGER NOT NULL DEFAULT 0,
                lyrics BLOB,
                UNIQUE (folder, name)
            ) STRICT;
            CREATE INDEX file_by_content ON file (high, low);
            CREATE UNIQUE INDEX file_by_hash ON file (hash, twin);

            CREATE TABLE picture (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                width INTEGER,
                height INTEGER,
                -- NULL until they were computed.
                ground INTEGER,
                accent INTEGER,
                -- A picture file; NULL when it is inside the files of its tracks, or in bytes.
                path TEXT,
                bytes BLOB
            ) STRICT;
            CREATE INDEX picture_uncoloured ON picture (id) WHERE ground IS NULL;
            """)

    private static let userMarks = Step(
        before: """
            -- What people have touched, of whatever source, with its texts.
            CREATE TABLE item (
                id INTEGER PRIMARY KEY,
                uri TEXT NOT NULL UNIQUE,
                kind TEXT NOT NULL,
                title TEXT NOT NULL,
                artists TEXT NOT NULL,
                album TEXT NOT NULL,
                album_artist TEXT NOT NULL,
                disc INTEGER NOT NULL,
                track INTEGER NOT NULL,
                year INTEGER NOT NULL,
                duration_ms INTEGER,
                art TEXT,
                art_width INTEGER,
                art_height INTEGER,
                -- Whose mark it is; NULL for all people of this hub.
                owner TEXT,
                -- When it became one; 0 is no favourite.
                favourite_ms INTEGER NOT NULL DEFAULT 0,
                stars INTEGER NOT NULL DEFAULT 0,
                plays INTEGER NOT NULL DEFAULT 0,
                played_ms INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX item_favourite ON item (favourite_ms) WHERE favourite_ms > 0;
            CREATE INDEX item_played ON item (played_ms) WHERE plays > 0;
            CREATE INDEX item_most ON item (plays) WHERE plays > 0;

            CREATE TABLE play (
                id INTEGER PRIMARY KEY,
                item INTEGER NOT NULL,
                room TEXT NOT NULL,
                at_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX play_of_item ON play (item);

            CREATE TABLE playlist (
                id INTEGER PRIMARY KEY,
                hash INTEGER NOT NULL UNIQUE,
                owner TEXT,
                name TEXT NOT NULL,
                fold TEXT NOT NULL,
                revision INTEGER NOT NULL,
                next_entry INTEGER NOT NULL,
                entries INTEGER NOT NULL,
                duration_ms INTEGER NOT NULL,
                changed_ms INTEGER NOT NULL,
                -- As Packing.swift writes it, like all that follows.
                ord BLOB NOT NULL,
                rule BLOB
            ) STRICT;
            CREATE INDEX playlist_by_name ON playlist (fold);

            CREATE TABLE playlist_entry (
                playlist INTEGER NOT NULL,
                entry INTEGER NOT NULL,
                item INTEGER NOT NULL,
                PRIMARY KEY (playlist, entry)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX playlist_entry_of_item ON playlist_entry (item);

            CREATE TABLE playlist_edit (
                playlist INTEGER NOT NULL,
                n INTEGER NOT NULL,
                kind TEXT NOT NULL,
                at_ms INTEGER NOT NULL,
                entries INTEGER NOT NULL,
                undo BLOB,
                PRIMARY KEY (playlist, n)
            ) STRICT;

            CREATE TABLE answer (
                n INTEGER PRIMARY KEY,
                device TEXT NOT NULL,
                key TEXT NOT NULL,
                hash BLOB NOT NULL,
                answer BLOB NOT NULL,
                at_ms INTEGER NOT NULL,
                UNIQUE (device, key)
            ) STRICT;
            """)

    /// The trust with which an entry was added. Older entries continue to use `Trust.plainPath`.
    private static let trust = Step(before: "ALTER TABLE playlist_entry ADD COLUMN trust INTEGER NOT NULL DEFAULT 2;")

    /// The same table as in `state.db`.
    private static let answerClock = Step(
        before: """
            CREATE TABLE answer_clock (
                one INTEGER PRIMARY KEY CHECK (one = 1),
                clock_ms INTEGER NOT NULL, kernel_ms INTEGER NOT NULL, boot TEXT NOT NULL
            ) STRICT;
            INSERT INTO answer_clock VALUES (1, 0, 0, '');
            ALTER TABLE answer RENAME COLUMN at_ms TO clock_ms;
            UPDATE answer SET clock_ms = 0;
            """)

    /// The same columns as in `state.db`.
    private static let editClock = Step(
        before: """
            ALTER TABLE playlist_edit ADD COLUMN clock_ms INTEGER NOT NULL DEFAULT 0;
            UPDATE playlist_edit SET clock_ms = ifnull((SELECT clock_ms FROM answer_clock), 0);
            """)

    /// Recently deleted playlists. Their entries and edits stay in the tables of the others, under the number `-n`.
    private static let deletedPlaylists = Step(
        before: """
            CREATE TABLE deleted_playlist (
                n INTEGER PRIMARY KEY,
                hash INTEGER NOT NULL UNIQUE,
                owner TEXT,
                name TEXT NOT NULL,
                fold TEXT NOT NULL,
                revision INTEGER NOT NULL,
                next_entry INTEGER NOT NULL,
                entries INTEGER NOT NULL,
                duration_ms INTEGER NOT NULL,
                changed_ms INTEGER NOT NULL,
                ord BLOB NOT NULL,
                rule BLOB
            ) STRICT;
            """)

    private static let bookmarks = Step(
        before: """
            CREATE TABLE bookmark (
                -- Never used twice, since people name it.
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                uri TEXT NOT NULL, position_ms INTEGER NOT NULL,
                title TEXT NOT NULL, album TEXT NOT NULL, chapter TEXT NOT NULL,
                note TEXT NOT NULL,
                author TEXT,
                at_ms INTEGER NOT NULL,
                -- The key of the command that set it, and what tells that from another command with this key.
                device TEXT, key TEXT, hash BLOB,
                -- 0 while it is there; of the deleted ones, the one that was deleted last has the largest number.
                deleted INTEGER NOT NULL DEFAULT 0,
                UNIQUE (device, key)
            ) STRICT;
            CREATE INDEX bookmark_of_item ON bookmark (uri, position_ms);
            """)

    /// Next books in a series, for people who finished the one before.
    private static let upNext = Step(
        before: """
            CREATE TABLE up_next (
                person TEXT NOT NULL,
                item INTEGER NOT NULL,
                -- The one that came last has the largest.
                turn INTEGER NOT NULL,
                PRIMARY KEY (person, item)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX up_next_in_order ON up_next (person, turn);
            CREATE INDEX up_next_of_item ON up_next (item);
            """)

    /// Speech speed of each person, and owners of bookmarks: earlier bookmarks belong to `home`, the person that everyone without a user
    /// shares.
    private static let listeners = Step(
        before: """
            CREATE TABLE listener (
                person TEXT PRIMARY KEY,
                -- In thousandths: what was set last, and of works and series as SpokenSpeeds writes them.
                speech_speed INTEGER NOT NULL,
                work_speeds TEXT NOT NULL
            ) STRICT;
            ALTER TABLE bookmark ADD COLUMN person TEXT NOT NULL DEFAULT 'home';
            DROP INDEX bookmark_of_item;
            CREATE INDEX bookmark_of_item ON bookmark (person, uri, position_ms);
            """)

    /// Places of people in spoken items.
    private static let places = Step(
        before: """
            CREATE TABLE place (
                person TEXT NOT NULL,
                item INTEGER NOT NULL,
                -- Grows with each change, so the item that was heard last has the largest.
                turn INTEGER NOT NULL,
                -- Of the place, for lists. 0 where the item is to be heard from its beginning.
                position_ms INTEGER NOT NULL,
                is_finished INTEGER NOT NULL,
                -- All places, as LibraryPacking writes them.
                places BLOB NOT NULL,
                PRIMARY KEY (person, item)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX place_in_order ON place (turn);
            CREATE INDEX place_of_person ON place (person, is_finished, turn);
            CREATE INDEX place_of_item ON place (item);
            """)
}
