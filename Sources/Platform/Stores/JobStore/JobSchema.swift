/// The schema of `gen.db`, one step for each version.
import SQLite

extension Schema {
    static let jobs = Schema(steps: [jobTable, people, prompts, plans, clips])

    private static let jobTable = Step(
        before: """
            CREATE TABLE job (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                worker TEXT NOT NULL,
                prompt TEXT NOT NULL,
                seconds INTEGER NOT NULL,
                -- A whole number of 64 bits.
                seed TEXT NOT NULL,
                model TEXT,
                cfg TEXT,
                mode TEXT NOT NULL,
                author TEXT,
                started_ms INTEGER NOT NULL,
                room TEXT,
                plays INTEGER NOT NULL,
                state TEXT NOT NULL,
                percent INTEGER NOT NULL,
                sentence TEXT,
                -- What its worker has to know to go on.
                memory TEXT,
                ended_ms INTEGER,
                -- Of the finished piece; null while there is none.
                sound TEXT,
                title TEXT,
                duration_ms INTEGER,
                tempo INTEGER,
                key TEXT,
                recipe TEXT,
                has_score INTEGER NOT NULL DEFAULT 0,
                bytes INTEGER NOT NULL DEFAULT 0
            ) STRICT;

            -- The commands that made jobs, so that one that is sent again makes no second job.
            CREATE TABLE once (
                device TEXT NOT NULL,
                key TEXT NOT NULL,
                hash BLOB NOT NULL,
                job TEXT NOT NULL,
                PRIMARY KEY (device, key)
            ) STRICT, WITHOUT ROWID;
            """)

    /// The owner of a job, the start time of its worker, and whether its sound is kept.
    private static let people = Step(
        before: """
            ALTER TABLE job ADD COLUMN owner TEXT NOT NULL DEFAULT '';
            ALTER TABLE job ADD COLUMN begun_ms INTEGER;
            ALTER TABLE job ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
            """)

    /// Settings, prompts and presets that people have entered. `owner` is the same as in `job`.
    private static let prompts = Step(
        before: """
            CREATE TABLE setting (
                owner TEXT PRIMARY KEY,
                seconds INTEGER,
                model TEXT,
                cfg TEXT,
                seed TEXT
            ) STRICT;

            CREATE TABLE prompt (
                -- Grows with time: the newest has the highest.
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                owner TEXT NOT NULL,
                text TEXT NOT NULL,
                at_ms INTEGER NOT NULL,
                UNIQUE (owner, text)
            ) STRICT;

            CREATE TABLE preset (
                owner TEXT NOT NULL,
                name TEXT NOT NULL,
                text TEXT NOT NULL,
                PRIMARY KEY (owner, name)
            ) STRICT, WITHOUT ROWID;
            """)

    /// The cell of a session, for a loop of one layer.
    private static let clips = Step(before: "ALTER TABLE job ADD COLUMN wish_clip TEXT;")

    private static let plans = Step(
        before: """
            -- What the built-in composer is to make beside the prompt, and a name that does not come from it.
            ALTER TABLE job ADD COLUMN wish_recipe TEXT;
            ALTER TABLE job ADD COLUMN wish_steering TEXT NOT NULL DEFAULT '';
            ALTER TABLE job ADD COLUMN wish_title TEXT;

            CREATE TABLE plan (
                kind TEXT NOT NULL,
                name TEXT NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (kind, name)
            ) STRICT, WITHOUT ROWID;
            """)
}
