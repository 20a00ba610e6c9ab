/// The steps of `library.db` for music: tracks, their albums, artists, composers, genres and labels, and the search index.
import SQLite

extension Schema {
    static let tracks = Step(
        before: """
            CREATE TABLE track (
                -- Grows with time: the order in which they were added.
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                file INTEGER NOT NULL,
                part INTEGER NOT NULL,
                title TEXT NOT NULL,
                artists TEXT NOT NULL,
                album TEXT NOT NULL,
                album_artist TEXT NOT NULL,
                disc INTEGER NOT NULL,
                track INTEGER NOT NULL,
                year INTEGER NOT NULL,
                duration_ms INTEGER,
                picture INTEGER,
                -- The album it counts in; 0 for none, and while it is gone.
                holder INTEGER NOT NULL,
                sort_title TEXT NOT NULL,
                sort_artist TEXT NOT NULL,
                added_ms INTEGER NOT NULL,
                is_gone INTEGER NOT NULL,
                is_away INTEGER NOT NULL,
                -- As its row in item says, if it has one.
                item INTEGER,
                favourite INTEGER NOT NULL DEFAULT 0,
                stars INTEGER NOT NULL DEFAULT 0,
                plays INTEGER NOT NULL DEFAULT 0,
                played_ms INTEGER NOT NULL DEFAULT 0,
                -- What is asked for one track at a time, as LibraryPacking writes it.
                more BLOB
            ) STRICT;
            CREATE INDEX track_of_file ON track (file, part);
            CREATE INDEX track_of_item ON track (item) WHERE item IS NOT NULL;
            CREATE INDEX track_in_holder ON track (holder, disc, track);
            CREATE INDEX track_of_picture ON track (picture) WHERE picture IS NOT NULL;
            CREATE INDEX track_by_title ON track (sort_title) WHERE is_gone = 0;
            CREATE INDEX track_by_artist ON track (sort_artist, holder, disc, track) WHERE is_gone = 0;
            CREATE INDEX track_by_year ON track (year) WHERE is_gone = 0;
            CREATE INDEX track_by_plays ON track (plays) WHERE is_gone = 0;
            CREATE INDEX track_by_played ON track (played_ms) WHERE is_gone = 0;
            CREATE INDEX track_by_stars ON track (stars) WHERE is_gone = 0;

            -- Albums, artists, composers, genres and labels.
            CREATE TABLE holder (
                id INTEGER PRIMARY KEY,
                kind TEXT NOT NULL,
                -- What makes it this one and no other.
                key TEXT NOT NULL,
                hash INTEGER NOT NULL,
                title TEXT NOT NULL,
                artist TEXT NOT NULL,
                fold TEXT NOT NULL,
                sort TEXT NOT NULL,
                sort_artist TEXT NOT NULL,
                year INTEGER NOT NULL DEFAULT 0,
                picture INTEGER,
                tracks INTEGER NOT NULL DEFAULT 0,
                added_ms INTEGER NOT NULL DEFAULT 0,
                plays INTEGER NOT NULL DEFAULT 0,
                UNIQUE (kind, key),
                UNIQUE (kind, hash)
            ) STRICT;
            CREATE INDEX holder_by_fold ON holder (fold);
            CREATE INDEX holder_by_name ON holder (kind, sort);
            CREATE INDEX holder_by_artist ON holder (kind, sort_artist, year, sort);
            CREATE INDEX holder_by_year ON holder (kind, year);
            CREATE INDEX holder_by_added ON holder (kind, added_ms);
            CREATE INDEX holder_by_plays ON holder (kind, plays);

            -- Which tracks an artist or a genre has; an album's name it themselves.
            CREATE TABLE member (
                holder INTEGER NOT NULL,
                track INTEGER NOT NULL,
                PRIMARY KEY (holder, track)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX member_of_track ON member (track, holder);
            """)

    /// Years are counted on demand with an index; composers and labels are stored like genres. All files count as changed, so the next scan
    /// reads them again and finds both.
    static let yearsAndLabels = Step(
        before: """
            CREATE VIEW release_year AS
                SELECT year AS id, count(*) AS tracks FROM track WHERE is_gone = 0 AND year > 0 GROUP BY year;
            UPDATE file SET companions = ~companions;
            """)

    static let finding = Step(
        before: """
            -- What can be found, each with a label whose order is the order of finding: most played first, then by
            -- name. A search reads labels upwards and stops when it has enough; it never sorts.
            CREATE TABLE spot (
                label INTEGER PRIMARY KEY,
                kind TEXT NOT NULL,
                item INTEGER NOT NULL,
                unplayed INTEGER NOT NULL,
                sort TEXT NOT NULL,
                -- Settles the order of what has the same name, and spreads it.
                hash INTEGER NOT NULL,
                -- Folded, each with the mark of where it stands (SearchEntry.Mark).
                words TEXT NOT NULL,
                UNIQUE (kind, item)
            ) STRICT;
            CREATE UNIQUE INDEX spot_in_order ON spot (unplayed, sort, hash, kind, item);
            CREATE VIRTUAL TABLE found USING fts5 (
                words, content = 'spot', content_rowid = 'label', tokenize = 'ascii', detail = 'none', columnsize = 0,
                prefix = '2 3 4 5'
            );
            """)
}
