/// The step of `library.db` for books. A book is a row of `track`, whatever the number of its files, so that marks, plays and playlists
/// work the same for both.
import SQLite

extension Schema {
    /// Lists of music and lists of books have separate indexes, so that a few books among many tracks are found at once. Files that may be
    /// books are read again by the next scan.
    static let books = Step(
        before: """
            ALTER TABLE folder ADD COLUMN holds TEXT NOT NULL DEFAULT 'music';
            -- The book that it is a file of, by the number of its track.
            ALTER TABLE file ADD COLUMN book INTEGER;
            CREATE INDEX file_of_book ON file (book) WHERE book IS NOT NULL;

            ALTER TABLE track ADD COLUMN kind TEXT NOT NULL DEFAULT 'track';
            ALTER TABLE track ADD COLUMN narrators TEXT NOT NULL DEFAULT '';
            ALTER TABLE track ADD COLUMN series TEXT NOT NULL DEFAULT '';
            ALTER TABLE track ADD COLUMN number TEXT NOT NULL DEFAULT '';
            -- In its series, in thousandths.
            ALTER TABLE track ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
            -- What a person should look at, although it plays.
            ALTER TABLE track ADD COLUMN remark TEXT;
            CREATE INDEX track_with_remark ON track (id) WHERE remark IS NOT NULL;

            DROP INDEX IF EXISTS track_by_title;
            DROP INDEX IF EXISTS track_by_artist;
            DROP INDEX IF EXISTS track_by_year;
            DROP INDEX IF EXISTS track_by_plays;
            DROP INDEX IF EXISTS track_by_played;
            DROP INDEX IF EXISTS track_by_stars;
            CREATE INDEX track_by_title ON track (sort_title) WHERE is_gone = 0 AND kind = 'track';
            CREATE INDEX track_by_artist ON track (sort_artist, holder, disc, track) WHERE is_gone = 0 AND kind = 'track';
            CREATE INDEX track_by_year ON track (year) WHERE is_gone = 0 AND kind = 'track';
            CREATE INDEX track_by_plays ON track (plays) WHERE is_gone = 0 AND kind = 'track';
            CREATE INDEX track_by_played ON track (played_ms) WHERE is_gone = 0 AND kind = 'track';
            CREATE INDEX track_by_stars ON track (stars) WHERE is_gone = 0 AND kind = 'track';
            CREATE INDEX book_by_title ON track (sort_title) WHERE is_gone = 0 AND kind = 'book';

            DROP VIEW release_year;
            CREATE VIEW release_year AS
                SELECT year AS id, count(*) AS tracks FROM track
                WHERE is_gone = 0 AND kind = 'track' AND year > 0 GROUP BY year;
            UPDATE file SET companions = ~companions WHERE name LIKE '%.m4b' OR name LIKE '%.m4a' OR name LIKE '%.mp4';
            """)
}
