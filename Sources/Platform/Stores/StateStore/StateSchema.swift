/// The schema of `state.db`, one step for each version.
import BatonCore
import SQLite

extension Schema {
    static let state = Schema(steps: [
        first, orderInOneValue, lastRooms, levelling, pictures, trust, answerClock, shares, editClock, alternatives, deletions, unfinished,
        sleep, resumption, sleepPositions, speeds, skips, voice, trim, presence, links, mono, modes,
    ])

    private static let first = Step(
        before: """
            -- One row: what is true of the whole file.
            CREATE TABLE journal (
                one INTEGER PRIMARY KEY CHECK (one = 1),
                epoch TEXT NOT NULL,
                -- The highest revision that may have been sent.
                last_revision INTEGER NOT NULL,
                -- Numbers below this one are taken or given up.
                next_entry INTEGER NOT NULL,
                -- The life of the kernel in which the file was last open; empty after a clean close.
                open_boot TEXT NOT NULL
            ) STRICT;

            CREATE TABLE room (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                queue_revision INTEGER NOT NULL,
                current INTEGER,
                position_ms INTEGER NOT NULL,
                playing INTEGER NOT NULL,
                level INTEGER NOT NULL,
                muted INTEGER NOT NULL,
                repeat TEXT NOT NULL,
                shuffle INTEGER NOT NULL,
                speed INTEGER NOT NULL,
                floor INTEGER NOT NULL,
                ceiling INTEGER NOT NULL,
                start_max INTEGER NOT NULL,
                output TEXT
            ) STRICT;

            CREATE TABLE entry (
                id INTEGER PRIMARY KEY,
                room TEXT NOT NULL,
                -- Sparse, so that most insertions touch one row. NULL only inside a move.
                ord INTEGER,
                uri TEXT NOT NULL,
                kind TEXT NOT NULL,
                title TEXT NOT NULL,
                artists TEXT NOT NULL,
                album TEXT NOT NULL,
                album_artist TEXT NOT NULL,
                track INTEGER,
                disc INTEGER,
                year INTEGER,
                duration_ms INTEGER,
                stream_title TEXT,
                added_by TEXT,
                added_at_ms INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX entry_in_order ON entry (room, ord);

            CREATE TABLE answer (
                -- Grows with time, which is all that forgetting needs to know.
                n INTEGER PRIMARY KEY,
                device TEXT NOT NULL,
                key TEXT NOT NULL,
                hash INTEGER NOT NULL,
                answer BLOB NOT NULL,
                at_ms INTEGER NOT NULL,
                UNIQUE (device, key)
            ) STRICT;
            """)

    /// The order of a queue becomes one value, and its last edits are stored.
    private static let orderInOneValue = Step(
        before: """
            CREATE TABLE play_order (
                room TEXT PRIMARY KEY,
                -- Entries as Packing.swift writes them; so is all else of BLOBs here.
                entries BLOB NOT NULL,
                -- The order without shuffling, while the room shuffles.
                unshuffled BLOB
            ) STRICT;

            CREATE TABLE edit (
                room TEXT NOT NULL,
                n INTEGER NOT NULL,
                kind TEXT NOT NULL,
                author TEXT,
                at_ms INTEGER NOT NULL,
                entries INTEGER NOT NULL,
                -- What takes it back; NULL when nothing does any more.
                undo BLOB,
                PRIMARY KEY (room, n)
            ) STRICT;
            """,
        code: { database throws(DatabaseError) in
            var orders: [String: [EntryID]] = [:]
            try database.each("SELECT room, id FROM entry ORDER BY room, ord") { orders[$0.text(0), default: []].append($0.id(1)) }
            for (room, order) in orders {
                var packer = Packer()
                packer.put(order)
                try database.run("INSERT INTO play_order (room, entries) VALUES (?, ?)", [.text(room), .blob(packer.bytes)])
            }
        },
        after: """
            DROP INDEX entry_in_order;
            ALTER TABLE entry DROP COLUMN room;
            ALTER TABLE entry DROP COLUMN ord;
            """)

    /// The last room of each client.
    private static let lastRooms = Step(
        before: """
            CREATE TABLE habit (
                -- Grows with time, as in answer.
                n INTEGER PRIMARY KEY,
                client TEXT NOT NULL UNIQUE,
                room TEXT NOT NULL
            ) STRICT;
            """)

    /// Volume levelling of recordings.
    private static let levelling = Step(
        before: """
            ALTER TABLE room ADD COLUMN gain TEXT NOT NULL DEFAULT 'auto';
            ALTER TABLE room ADD COLUMN preamp_db INTEGER NOT NULL DEFAULT 0;
            """)

    /// The picture of an entry, so that it is shown before its source was asked again.
    private static let pictures = Step(before: "ALTER TABLE entry ADD COLUMN art TEXT;")

    /// The trust with which an entry was added. Older entries continue to use `Trust.plainPath`.
    private static let trust = Step(before: "ALTER TABLE entry ADD COLUMN trust INTEGER NOT NULL DEFAULT 2;")

    /// Answers are stamped by a clock that continues across restarts, instead of the wall clock. The age of existing ones is unknown, since
    /// that clock may have been set, so they count as new.
    private static let answerClock = Step(
        before: """
            ALTER TABLE journal ADD COLUMN clock_ms INTEGER NOT NULL DEFAULT 0;
            -- The kernel's clock at the same moment, and the life of the kernel that it belongs to.
            ALTER TABLE journal ADD COLUMN clock_kernel_ms INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE journal ADD COLUMN clock_boot TEXT NOT NULL DEFAULT '';
            ALTER TABLE answer RENAME COLUMN at_ms TO clock_ms;
            UPDATE answer SET clock_ms = 0;
            """)

    /// The owner of an entry's share of the queue, if shares are limited.
    private static let shares = Step(before: "ALTER TABLE entry ADD COLUMN share TEXT;")

    /// Edits expire by the clock of the answers. The age of existing ones is unknown, so they count as new.
    private static let editClock = Step(
        before: """
            ALTER TABLE edit ADD COLUMN clock_ms INTEGER NOT NULL DEFAULT 0;
            UPDATE edit SET clock_ms = ifnull((SELECT clock_ms FROM journal), 0);
            """)

    /// Other sources of the same track, in case its own cannot be played.
    private static let alternatives = Step(before: "ALTER TABLE entry ADD COLUMN alternatives TEXT;")

    /// Deleted rooms are stored for a while. 0 for a room in use; the most recently deleted one has the highest number.
    private static let deletions = Step(before: "ALTER TABLE room ADD COLUMN deletion INTEGER NOT NULL DEFAULT 0;")

    /// The handling of entries whose pieces are unfinished at their turn, and the item that fills in.
    private static let unfinished = Step(
        before: """
            ALTER TABLE room ADD COLUMN unfinished TEXT NOT NULL DEFAULT 'skip';
            ALTER TABLE room ADD COLUMN filler TEXT;
            """)

    /// The sleep timer: its end condition, the remaining amount, and the length of its fade. NULL without a timer.
    private static let sleep = Step(
        before: """
            ALTER TABLE room ADD COLUMN sleep_end TEXT;
            ALTER TABLE room ADD COLUMN sleep_amount INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE room ADD COLUMN sleep_fade_ms INTEGER NOT NULL DEFAULT 0;
            """)

    /// The last start of listening to the current entry, and the start of its pause if it is spoken.
    private static let resumption = Step(
        before: """
            ALTER TABLE room ADD COLUMN heard_from_ms INTEGER NOT NULL DEFAULT 0;
            -- The clock of the answers. NULL while the room is not paused, or what it plays is not spoken.
            ALTER TABLE room ADD COLUMN paused_clock_ms INTEGER;
            """)

    /// Times at which a person may have fallen asleep, as SleepPositions packs them.
    private static let sleepPositions = Step(before: "ALTER TABLE room ADD COLUMN sleep_places BLOB;")

    /// Separate speeds for music, speech and each spoken work; `speed` is that of the current entry.
    private static let speeds = Step(
        before: """
            ALTER TABLE room ADD COLUMN music_speed INTEGER NOT NULL DEFAULT 1000;
            ALTER TABLE room ADD COLUMN speech_speed INTEGER NOT NULL DEFAULT 1000;
            ALTER TABLE room ADD COLUMN work_speeds TEXT NOT NULL DEFAULT '';
            UPDATE room SET music_speed = speed, speech_speed = speed;
            """)

    /// Distances of the skip buttons in speech.
    private static let skips = Step(
        before: """
            ALTER TABLE room ADD COLUMN forward_ms INTEGER NOT NULL DEFAULT 30000;
            ALTER TABLE room ADD COLUMN back_ms INTEGER NOT NULL DEFAULT 15000;
            """)

    /// Whether quiet speech is raised.
    private static let voice = Step(before: "ALTER TABLE room ADD COLUMN raises_voice INTEGER NOT NULL DEFAULT 0;")

    /// The voting rule, the votes, and removed people, as RoomPresence writes them.
    private static let presence = Step(before: "ALTER TABLE room ADD COLUMN presence TEXT NOT NULL DEFAULT '';")

    /// Links to the room's stream, as RoomLinks writes them: hashes, and no keys.
    private static let links = Step(before: "ALTER TABLE room ADD COLUMN links TEXT NOT NULL DEFAULT '';")

    /// Whether silences in speech are trimmed.
    private static let trim = Step(before: "ALTER TABLE room ADD COLUMN trims INTEGER NOT NULL DEFAULT 0;")

    /// Whether both channels are mixed to one.
    private static let mono = Step(before: "ALTER TABLE room ADD COLUMN mono INTEGER NOT NULL DEFAULT 0;")

    /// The modes of the end of an entry, in the place of a word for repeating: the words of `AtEnd`. One column has them all, since each column
    /// costs something at each command.
    private static let modes = Step(
        before: """
            ALTER TABLE room ADD COLUMN at_end TEXT NOT NULL DEFAULT '';
            UPDATE room SET at_end = CASE repeat WHEN 'one' THEN 'repeat single' WHEN 'all' THEN 'repeat' ELSE '' END;
            ALTER TABLE room DROP COLUMN repeat;
            """)
}
