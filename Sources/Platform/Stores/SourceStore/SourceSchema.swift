/// The schema of `sources.db`, one step for each version.
///
/// Each mirror has its own tables, named by the number of its slot: `MirrorSlot`. They are created when a pass begins and dropped when a
/// later pass has replaced it.
import SQLite

extension Schema {
    static let sources = Schema(steps: [outboxAndMirror, splits, stations, recordings, savedTitles, unfinishedTitles, podcasts])

    private static let outboxAndMirror = Step(
        before: """
            CREATE TABLE account (
                -- In the URIs of its items, so it never changes.
                name TEXT PRIMARY KEY,
                title TEXT NOT NULL,
                kind TEXT NOT NULL,
                url TEXT NOT NULL,
                is_enabled INTEGER NOT NULL,
                -- Names and values in turn, as SourceStore+Accounts packs them.
                options BLOB NOT NULL,
                -- Accounts are shown in the order in which they were added.
                place INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE memory (
                source TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
                PRIMARY KEY (source, name)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE outbox (
                -- Never used twice, since a late answer names its note by it.
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                source TEXT NOT NULL,
                -- Notes about one item are delivered in order. Empty for the queue, of which there is one.
                item TEXT NOT NULL,
                kind TEXT NOT NULL,
                -- Favourite or not, stars, or milliseconds.
                number INTEGER NOT NULL,
                -- Of a queue: its items.
                items BLOB,
                at_ms INTEGER NOT NULL,
                tries INTEGER NOT NULL DEFAULT 0,
                -- It was sent, and whether it arrived is not known.
                is_uncertain INTEGER NOT NULL DEFAULT 0,
                is_refused INTEGER NOT NULL DEFAULT 0,
                sentence TEXT
            ) STRICT;
            CREATE INDEX outbox_in_order ON outbox (source, is_refused, tries, id);
            CREATE INDEX outbox_of_item ON outbox (source, item, is_refused, id);

            CREATE TABLE delivery (
                source TEXT PRIMARY KEY,
                delivered INTEGER NOT NULL,
                -- Plays that were sent again after their answer was lost.
                repeated INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE mirror (
                -- Of the pass; never used twice.
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                source TEXT NOT NULL,
                slot INTEGER NOT NULL UNIQUE,
                began_ms INTEGER NOT NULL,
                -- Where the next step begins.
                cursor TEXT,
                -- All rows are there, but may not be findable yet.
                is_noted INTEGER NOT NULL DEFAULT 0,
                -- Set while it is the one that is shown.
                finished_ms INTEGER,
                rows INTEGER NOT NULL DEFAULT 0,
                -- Its tables are to be emptied and dropped.
                is_old INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX mirror_of_source ON mirror (source, is_old);
            """)

    /// Items that a person has declared to be different tracks. The one whose URI sorts first comes first.
    private static let splits = Step(
        before: """
            CREATE TABLE split (
                first TEXT NOT NULL, second TEXT NOT NULL,
                PRIMARY KEY (first, second)
            ) STRICT, WITHOUT ROWID;
            """)

    /// Radio: stored stations, and those of a directory.
    private static let stations = Step(
        before: """
            CREATE TABLE station (
                -- Never used twice, since lists and queues name a station by it.
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                title TEXT NOT NULL,
                url TEXT NOT NULL UNIQUE,
                picture TEXT NOT NULL,
                country TEXT NOT NULL,
                language TEXT NOT NULL,
                -- One a line.
                tags TEXT NOT NULL,
                -- The folded title, by which they are ordered.
                sort TEXT NOT NULL,
                -- What it is found by: StationWords.
                words TEXT NOT NULL,
                is_own INTEGER NOT NULL,
                -- Its place among the presets; of those with one, the order counts.
                preset INTEGER
            ) STRICT;
            CREATE INDEX station_sorted ON station (sort, id);
            CREATE INDEX station_preset ON station (preset) WHERE preset IS NOT NULL;

            CREATE TABLE directory (
                id INTEGER PRIMARY KEY,
                -- Of the reading of the file; `memory` says which is finished.
                number INTEGER NOT NULL,
                title TEXT NOT NULL, url TEXT NOT NULL, picture TEXT NOT NULL, country TEXT NOT NULL, language TEXT NOT NULL,
                tags TEXT NOT NULL, sort TEXT NOT NULL, words TEXT NOT NULL,
                UNIQUE (number, url)
            ) STRICT;
            """)

    /// Radio: recordings and their times.
    private static let recordings = Step(
        before: """
            CREATE TABLE recording (
                -- Never used twice, since remotes name it.
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                uri TEXT NOT NULL,
                -- Of the station.
                title TEXT NOT NULL,
                -- Of one that repeats: the first time.
                begins_ms INTEGER NOT NULL,
                -- Null until it is stopped.
                ends_ms INTEGER,
                -- day or week.
                repeats TEXT
            ) STRICT;
            """)

    /// Radio: titles that were saved from the buffer.
    private static let savedTitles = Step(
        before: """
            CREATE TABLE saved_title (
                -- Of the station.
                uri TEXT NOT NULL,
                -- Grows with time, as PastTitle.number.
                number INTEGER NOT NULL,
                PRIMARY KEY (number, uri)
            ) STRICT, WITHOUT ROWID;
            """)

    /// Radio: saved titles whose files are not finished. The columns of saved titles get the order of their key, without which a check
    /// takes longer (`DatabaseOpening.checkIntegrity`).
    private static let unfinishedTitles = Step(
        before: """
            ALTER TABLE saved_title RENAME TO earlier_title;
            CREATE TABLE saved_title (
                -- Grows with time, as PastTitle.number.
                number INTEGER NOT NULL,
                -- Of the station.
                uri TEXT NOT NULL,
                PRIMARY KEY (number, uri)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO saved_title (number, uri) SELECT number, uri FROM earlier_title;
            DROP TABLE earlier_title;

            CREATE TABLE unfinished_title (
                number INTEGER NOT NULL,
                uri TEXT NOT NULL,
                -- Null before its file is begun.
                file TEXT,
                PRIMARY KEY (number, uri)
            ) STRICT, WITHOUT ROWID;
            """)

    /// Podcasts and their episodes.
    private static let podcasts = Step(
        before: """
            CREATE TABLE podcast (
                -- Never used twice, since lists and queues name a podcast by it.
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                url TEXT NOT NULL UNIQUE,
                -- Where its feed was at first, of which the ids of its episodes are made.
                home TEXT NOT NULL UNIQUE,
                title TEXT NOT NULL,
                author TEXT NOT NULL,
                about TEXT NOT NULL,
                picture TEXT,
                -- The folded title, by which they are ordered.
                sort TEXT NOT NULL,
                is_own INTEGER NOT NULL,
                keep INTEGER NOT NULL,
                entity_tag TEXT,
                changed TEXT,
                checked_ms INTEGER,
                -- Null where the feed is gone for good.
                due_ms INTEGER,
                failures INTEGER NOT NULL,
                sentence TEXT
            ) STRICT;

            CREATE TABLE episode (
                number INTEGER PRIMARY KEY,
                -- EpisodeKeys.id
                id TEXT NOT NULL UNIQUE,
                podcast INTEGER NOT NULL,
                key TEXT NOT NULL,
                title TEXT NOT NULL,
                about TEXT NOT NULL,
                -- 0 where the feed does not say, so that it comes last.
                published_ms INTEGER NOT NULL,
                duration_ms INTEGER,
                url TEXT NOT NULL,
                type TEXT NOT NULL,
                bytes INTEGER,
                picture TEXT,
                chapters TEXT,
                -- The folded words of the title, each behind a space.
                words TEXT NOT NULL
            ) STRICT;
            CREATE INDEX episode_of_podcast ON episode (podcast, published_ms);
            CREATE INDEX episode_newest ON episode (published_ms);
            """)
}
