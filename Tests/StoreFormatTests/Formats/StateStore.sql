-- StateStore in each format that it ever had, written by make.py. A file of format N is made by all sections up to N.
-- format 1: first (ed994b8f)
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
INSERT INTO journal VALUES (1, 'e1', 41, 4, '');
INSERT INTO room (id, name, queue_revision, current, position_ms, playing, level, muted, repeat, shuffle, speed, floor, ceiling, start_max, output)
    VALUES ('living', 'Living room', 41, 1, 93000, 1, 42, 0, 'all', 0, 1250, 0, 80, 50, NULL);
INSERT INTO entry (id, room, ord, uri, kind, title, artists, album, album_artist, duration_ms, added_by, added_at_ms) VALUES
    (1, 'living', 2048, 'file:track/1.flac', 'track', 'One', 'Ana', 'Album', 'Ana', 251000, 'Ana', 1700000000123),
    (2, 'living', 4096, 'file:track/2.flac', 'track', 'Two', 'Ana', 'Album', 'Ana', NULL, NULL, 1700000000124),
    (3, 'living', 1024, 'file:track/3.flac', 'track', 'Three', '', '', '', NULL, NULL, 1700000000125);
INSERT INTO answer (device, key, hash, answer, at_ms) VALUES ('d_1', 'k-1', 7, X'00', 1700000000126);
-- format 2: orderInOneValue (ed994b8f)
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
INSERT INTO play_order (room, entries) VALUES ('living', X'03060302');
DROP INDEX entry_in_order;
ALTER TABLE entry DROP COLUMN room;
ALTER TABLE entry DROP COLUMN ord;
-- format 3: lastRooms (ed994b8f)
CREATE TABLE habit (
    -- Grows with time, as in answer.
    n INTEGER PRIMARY KEY,
    client TEXT NOT NULL UNIQUE,
    room TEXT NOT NULL
) STRICT;
INSERT INTO habit (client, room) VALUES ('k3Jr0vYx2mQ', 'living');
-- format 4: levelling (ed994b8f)
ALTER TABLE room ADD COLUMN gain TEXT NOT NULL DEFAULT 'auto';
ALTER TABLE room ADD COLUMN preamp_db INTEGER NOT NULL DEFAULT 0;
-- format 5: pictures (ed994b8f)
ALTER TABLE entry ADD COLUMN art TEXT;
-- format 6: trust (ed994b8f)
ALTER TABLE entry ADD COLUMN trust INTEGER NOT NULL DEFAULT 2;
-- format 7: answerClock (ed994b8f)
ALTER TABLE journal ADD COLUMN clock_ms INTEGER NOT NULL DEFAULT 0;
-- The kernel's clock at the same moment, and the life of the kernel that it belongs to.
ALTER TABLE journal ADD COLUMN clock_kernel_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE journal ADD COLUMN clock_boot TEXT NOT NULL DEFAULT '';
ALTER TABLE answer RENAME COLUMN at_ms TO clock_ms;
UPDATE answer SET clock_ms = 0;
-- format 8: shares (ed994b8f)
ALTER TABLE entry ADD COLUMN share TEXT;
-- format 9: editClock (5bb72a68)
ALTER TABLE edit ADD COLUMN clock_ms INTEGER NOT NULL DEFAULT 0;
UPDATE edit SET clock_ms = ifnull((SELECT clock_ms FROM journal), 0);
-- format 10: alternatives (8f681739)
ALTER TABLE entry ADD COLUMN alternatives TEXT;
-- format 11: deletions (8d31f8f0)
ALTER TABLE room ADD COLUMN deletion INTEGER NOT NULL DEFAULT 0;
-- format 12: unfinished (8621fdb0)
ALTER TABLE room ADD COLUMN unfinished TEXT NOT NULL DEFAULT 'skip';
ALTER TABLE room ADD COLUMN filler TEXT;
-- format 13: sleep (bdefe937)
ALTER TABLE room ADD COLUMN sleep_end TEXT;
ALTER TABLE room ADD COLUMN sleep_amount INTEGER NOT NULL DEFAULT 0;
ALTER TABLE room ADD COLUMN sleep_fade_ms INTEGER NOT NULL DEFAULT 0;
-- format 14: resumption (d822b422)
ALTER TABLE room ADD COLUMN heard_from_ms INTEGER NOT NULL DEFAULT 0;
-- The clock of the answers. NULL while the room is not paused, or what it plays is not spoken.
ALTER TABLE room ADD COLUMN paused_clock_ms INTEGER;
-- format 15: sleepPlaces (3184b8fb)
ALTER TABLE room ADD COLUMN sleep_places BLOB;
-- format 16: speeds (3184b8fb)
ALTER TABLE room ADD COLUMN music_speed INTEGER NOT NULL DEFAULT 1000;
ALTER TABLE room ADD COLUMN speech_speed INTEGER NOT NULL DEFAULT 1000;
ALTER TABLE room ADD COLUMN work_speeds TEXT NOT NULL DEFAULT '';
UPDATE room SET music_speed = speed, speech_speed = speed;
-- format 17: skips (3184b8fb)
ALTER TABLE room ADD COLUMN forward_ms INTEGER NOT NULL DEFAULT 30000;
ALTER TABLE room ADD COLUMN back_ms INTEGER NOT NULL DEFAULT 15000;
-- format 18: voice (3184b8fb)
ALTER TABLE room ADD COLUMN raises_voice INTEGER NOT NULL DEFAULT 0;
-- format 19: trim (a3f7261a)
ALTER TABLE room ADD COLUMN trims INTEGER NOT NULL DEFAULT 0;
-- format 20: presence (b7fa3151)
ALTER TABLE room ADD COLUMN presence TEXT NOT NULL DEFAULT '';
-- format 21: links (fe96716d)
ALTER TABLE room ADD COLUMN links TEXT NOT NULL DEFAULT '';
-- format 22: mono (17b9818c)
ALTER TABLE room ADD COLUMN mono INTEGER NOT NULL DEFAULT 0;
-- format 23: modes (a6c06926)
ALTER TABLE room ADD COLUMN at_end TEXT NOT NULL DEFAULT '';
UPDATE room SET at_end = CASE repeat WHEN 'one' THEN 'repeat single' WHEN 'all' THEN 'repeat' ELSE '' END;
ALTER TABLE room DROP COLUMN repeat;
