-- DialectStore in each format that it ever had, written by make.py. A file of format N is made by all sections up to N.
-- format 1: dialectAccess (f3b05cf7)
CREATE TABLE password (
    dialect TEXT NOT NULL,
    -- In lower case, by which passwords are told apart.
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    -- Of scrypt.
    rounds INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    lanes INTEGER NOT NULL,
    salt BLOB NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (dialect, key)
) STRICT, WITHOUT ROWID;

-- Dialects that were switched; all others are as the settings say.
CREATE TABLE switch (
    dialect TEXT PRIMARY KEY,
    is_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sticker (
    -- The kind of what it is on, and its name: of a song the URI.
    kind TEXT NOT NULL,
    holder TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (kind, holder, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX sticker_by_name ON sticker (name, kind, holder);
INSERT INTO password VALUES ('mpd', 'kitchen', 'Kitchen', 'remote', 5, 14, 8, 1, X'0102', X'07');
INSERT INTO switch VALUES ('mpd', 1);
INSERT INTO sticker VALUES ('song', 'lib:track/41', 'rating', '4');
