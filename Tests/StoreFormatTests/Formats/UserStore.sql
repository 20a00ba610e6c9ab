-- UserStore in each format that it ever had, written by make.py. A file of format N is made by all sections up to N.
-- format 1: accounts (a79bc025)
CREATE TABLE user (
    -- The name in lower case, by which users are told apart.
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    guest INTEGER NOT NULL,
    approved INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER,
    -- Of scrypt; null for guests, who have no password.
    rounds INTEGER,
    blocks INTEGER,
    lanes INTEGER,
    salt BLOB,
    hash BLOB
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
    -- SHA-256 of the token.
    hash BLOB PRIMARY KEY,
    user TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    address TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_user ON session (user);

CREATE TABLE link (
    device TEXT PRIMARY KEY,
    user TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO user (key, name, role, guest, approved, created_ms, rounds, blocks, lanes, salt, hash)
    VALUES ('anna', 'Anna', 'admin', 0, 1, 5, 14, 8, 1, X'0102', X'07');
INSERT INTO session VALUES (X'09', 'anna', 5, '10.0.0.1');
INSERT INTO link VALUES ('d_1', 'anna');
-- format 2: controls (6674ffb8)
CREATE TABLE control (
    room TEXT PRIMARY KEY,
    who TEXT NOT NULL,
    -- Names in lower case, each on a line.
    names TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO control VALUES ('living', 'named', 'anna');
