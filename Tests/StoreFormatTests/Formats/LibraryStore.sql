-- LibraryStore in each format that it ever had, written by make.py. A file of format N is made by all sections up to N.
-- format 1: folders (ed994b8f)
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
    -- NULL until somebody has looked.
    ground INTEGER,
    accent INTEGER,
    -- A picture file; NULL when it is inside the files of its tracks, or in bytes.
    path TEXT,
    bytes BLOB
) STRICT;
CREATE INDEX picture_uncoloured ON picture (id) WHERE ground IS NULL;
INSERT INTO folder (id, parent, path, name, sort, hash, is_wanted, tracks) VALUES (1, NULL, '/music', 'music', 'music', 11, 1, 1);
INSERT INTO file (id, folder, name, size, changed_ns, inode, companions, high, low, hash, twin) VALUES (1, 1, 'song.flac', 9, 1, 1, 0, 1, 2, 3, 0);
-- format 2: tracks (ed994b8f)
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

-- Albums, artists and genres.
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
INSERT INTO track (id, name, file, part, title, artists, album, album_artist, disc, track, year, holder, sort_title, sort_artist, added_ms,
    is_gone, is_away, favourite, stars) VALUES (1, 't1', 1, 0, 'Song', 'Ana', '', '', 0, 0, 0, 0, 'song', 'ana', 5, 0, 0, 1, 4);
-- format 3: finding (ed994b8f)
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
    -- Folded, each with the mark of where it stands (Spot.Mark).
    words TEXT NOT NULL,
    UNIQUE (kind, item)
) STRICT;
CREATE UNIQUE INDEX spot_in_order ON spot (unplayed, sort, hash, kind, item);
CREATE VIRTUAL TABLE found USING fts5 (
    words, content = 'spot', content_rowid = 'label', tokenize = 'ascii', detail = 'none', columnsize = 0,
    prefix = '2 3 4 5'
);
INSERT INTO spot (label, kind, item, unplayed, sort, hash, words) VALUES (2305843009213693952, 'track', 1, 0, 'song', 7, 'tsong t42nd rana');
INSERT INTO found (rowid, words) VALUES (2305843009213693952, 'tsong t42nd rana');
-- format 4: userMarks (ed994b8f)
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
    -- Who thinks so; NULL for the whole house.
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
-- format 5: trust (ed994b8f)
ALTER TABLE playlist_entry ADD COLUMN trust INTEGER NOT NULL DEFAULT 2;
-- format 6: answerClock (ed994b8f)
CREATE TABLE answer_clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    clock_ms INTEGER NOT NULL, kernel_ms INTEGER NOT NULL, boot TEXT NOT NULL
) STRICT;
INSERT INTO answer_clock VALUES (1, 0, 0, '');
ALTER TABLE answer RENAME COLUMN at_ms TO clock_ms;
UPDATE answer SET clock_ms = 0;
-- format 7: editClock (5bb72a68)
ALTER TABLE playlist_edit ADD COLUMN clock_ms INTEGER NOT NULL DEFAULT 0;
UPDATE playlist_edit SET clock_ms = ifnull((SELECT clock_ms FROM answer_clock), 0);
-- format 8: deletedPlaylists (8d31f8f0)
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
-- format 9: yearsAndLabels (c4384018)
CREATE VIEW release_year AS
    SELECT year AS id, count(*) AS tracks FROM track WHERE is_gone = 0 AND year > 0 GROUP BY year;
UPDATE file SET companions = ~companions;
-- format 10: books (8387135f)
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
-- format 11: albumArtists (df95cc51)
UPDATE spot SET words = substr(replace(' ' || words, ' b', ' h'), 2) WHERE kind = 'album';
INSERT INTO found (found) VALUES ('rebuild');
-- format 12: places (3184b8fb)
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
-- format 13: bookmarks (3184b8fb)
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
-- format 14: upNext (45ab5cd3)
CREATE TABLE up_next (
    person TEXT NOT NULL,
    item INTEGER NOT NULL,
    -- The one that came last has the largest.
    turn INTEGER NOT NULL,
    PRIMARY KEY (person, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX up_next_in_order ON up_next (person, turn);
CREATE INDEX up_next_of_item ON up_next (item);
-- format 15: listeners (7f831096)
CREATE TABLE listener (
    person TEXT PRIMARY KEY,
    -- In thousandths: what was set last, and of works and series as SpokenSpeeds writes them.
    speech_speed INTEGER NOT NULL,
    work_speeds TEXT NOT NULL
) STRICT;
ALTER TABLE bookmark ADD COLUMN person TEXT NOT NULL DEFAULT 'home';
DROP INDEX bookmark_of_item;
CREATE INDEX bookmark_of_item ON bookmark (person, uri, position_ms);
-- format 16: owners (a79bc025)
CREATE TABLE own_mark (
    person TEXT NOT NULL,
    item INTEGER NOT NULL,
    -- When it became a favourite; 0 is none.
    favourite_ms INTEGER NOT NULL DEFAULT 0,
    stars INTEGER NOT NULL DEFAULT 0,
    plays INTEGER NOT NULL DEFAULT 0,
    played_ms INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (person, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX own_mark_of_item ON own_mark (item);
ALTER TABLE play ADD COLUMN person TEXT NOT NULL DEFAULT 'home';
CREATE INDEX play_of_person ON play (person, id);
-- Who may see a list that has an owner: private, shared, link.
ALTER TABLE playlist ADD COLUMN sharing TEXT NOT NULL DEFAULT 'shared';
ALTER TABLE playlist ADD COLUMN link TEXT;
ALTER TABLE deleted_playlist ADD COLUMN sharing TEXT NOT NULL DEFAULT 'shared';
ALTER TABLE deleted_playlist ADD COLUMN link TEXT;
-- format 17: contentIDs (a79bc025)
CREATE TABLE content_id (
    file INTEGER PRIMARY KEY,
    -- As the file was when its name was found.
    size INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    -- SHA-256 of the first 64 KiB, or of the whole file where another file has the same beginning; NULL where another
    -- file is the same entirely.
    hash BLOB UNIQUE
) STRICT;
-- format 18: requests (b7fa3151)
ALTER TABLE play ADD COLUMN asked_by TEXT;
-- format 19: beginnings (6f6475a8)
UPDATE spot SET words = words || ' i' || substr(words, 2, instr(words || ' ', ' ') - 2) WHERE instr(words, ' i') = 0 AND words <> '';
INSERT INTO found (found) VALUES ('rebuild');
-- format 20: playlistFiles (6f6475a8)
-- Files in the folders of the library, which fill playlists.
CREATE TABLE IF NOT EXISTS playlist_file (
    path TEXT PRIMARY KEY,
    size INTEGER NOT NULL, changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
    is_partial INTEGER NOT NULL,
    -- Of its playlist.
    hash INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- format 21: playlistTexts (6d80305c)
ALTER TABLE playlist ADD COLUMN about TEXT NOT NULL DEFAULT '';
-- NULL for a list that was made before this step.
ALTER TABLE playlist ADD COLUMN made_ms INTEGER;
ALTER TABLE deleted_playlist ADD COLUMN about TEXT NOT NULL DEFAULT '';
ALTER TABLE deleted_playlist ADD COLUMN made_ms INTEGER;
-- format 22: words (9339d959)
CREATE TABLE word (
    -- Grows with time, so the largest tells a reader whether there are words that it has not read.
    id INTEGER PRIMARY KEY,
    word TEXT NOT NULL UNIQUE
) STRICT;
CREATE VIRTUAL TABLE temp.term USING fts5vocab(main, found, row);
INSERT OR IGNORE INTO word (word) SELECT substr(term, 2) FROM temp.term
    WHERE length(term) > 3 AND substr(term, 2, 1) NOT BETWEEN '0' AND '9';
DROP TABLE temp.term;
-- format 23: artistPictures (b4714547)
-- Files in folders that may be those of artists.
CREATE TABLE artist_picture (
    path TEXT PRIMARY KEY,
    size INTEGER NOT NULL, changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
    -- The key of an artist that is called like the folder.
    key TEXT NOT NULL,
    -- NULL for one that cannot be read.
    picture INTEGER
) STRICT, WITHOUT ROWID;
-- format 24: songs (41d47afe)
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
