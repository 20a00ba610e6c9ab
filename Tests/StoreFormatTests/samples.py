"""Rows as the code of each format wrote them: by the store and the number of the format whose tables they belong into. With "step" they stand
between the two halves of a step, in the place of what it does in Swift."""

SAMPLES = {
    "StateStore": {
        1: """\
INSERT INTO journal VALUES (1, 'e1', 41, 4, '');
INSERT INTO room (id, name, queue_revision, current, position_ms, playing, level, muted, repeat, shuffle, speed, floor, ceiling, start_max, output)
    VALUES ('living', 'Living room', 41, 1, 93000, 1, 42, 0, 'all', 0, 1250, 0, 80, 50, NULL);
INSERT INTO entry (id, room, ord, uri, kind, title, artists, album, album_artist, duration_ms, added_by, added_at_ms) VALUES
    (1, 'living', 2048, 'file:track/1.flac', 'track', 'One', 'Ana', 'Album', 'Ana', 251000, 'Ana', 1700000000123),
    (2, 'living', 4096, 'file:track/2.flac', 'track', 'Two', 'Ana', 'Album', 'Ana', NULL, NULL, 1700000000124),
    (3, 'living', 1024, 'file:track/3.flac', 'track', 'Three', '', '', '', NULL, NULL, 1700000000125);
INSERT INTO answer (device, key, hash, answer, at_ms) VALUES ('d_1', 'k-1', 7, X'00', 1700000000126);""",
        (2, "step"): "INSERT INTO play_order (room, entries) VALUES ('living', X'03060302');",
        3: "INSERT INTO habit (client, room) VALUES ('k3Jr0vYx2mQ', 'living');",
    },
    "LibraryStore": {
        1: """\
INSERT INTO folder (id, parent, path, name, sort, hash, is_wanted, tracks) VALUES (1, NULL, '/music', 'music', 'music', 11, 1, 1);
INSERT INTO file (id, folder, name, size, changed_ns, inode, companions, high, low, hash, twin) VALUES (1, 1, 'song.flac', 9, 1, 1, 0, 1, 2, 3, 0);""",
        2: """\
INSERT INTO track (id, name, file, part, title, artists, album, album_artist, disc, track, year, holder, sort_title, sort_artist, added_ms,
    is_gone, is_away, favourite, stars) VALUES (1, 't1', 1, 0, 'Song', 'Ana', '', '', 0, 0, 0, 0, 'song', 'ana', 5, 0, 0, 1, 4);""",
        3: """\
INSERT INTO spot (label, kind, item, unplayed, sort, hash, words) VALUES (2305843009213693952, 'track', 1, 0, 'song', 7, 'tsong t42nd rana');
INSERT INTO found (rowid, words) VALUES (2305843009213693952, 'tsong t42nd rana');""",
    },
    "SourceStore": {
        1: """\
INSERT INTO account VALUES ('attic', 'Attic', 'subsonic', 'http://attic', 1, X'00', 1);
INSERT INTO memory VALUES ('attic', 'since', '12');
INSERT INTO outbox (source, item, kind, number, at_ms) VALUES ('attic', 'attic:track/1', 'favourite', 1, 7);""",
        2: "INSERT INTO split VALUES ('a', 'b');",
        3: "INSERT INTO station (title, url, picture, country, language, tags, sort, words, is_own, preset)\n"
           "    VALUES ('Harbour', 'http://harbour', '', '', '', '', 'harbour', 'harbour', 1, 1);",
        4: "INSERT INTO recording (uri, title, begins_ms) VALUES ('radio:1', 'Harbour', 9);",
        5: "INSERT INTO saved_title VALUES ('radio:1', 3);",
    },
    "JobStore": {
        1: """\
INSERT INTO job (id, worker, prompt, seconds, seed, mode, author, started_ms, plays, state, percent, title, sound)
    VALUES ('job-1', 'composer', 'slow rain', 60, '18446744073709551615', 'motif', 'Anna', 5, 0, 'ready', 100, 'Slow Rain', 'sound.flac');
INSERT INTO once VALUES ('d_1', 'k-1', X'07', 'job-1');""",
        3: "INSERT INTO preset VALUES ('', 'calm', 'slow rain');",
    },
    "KeptStore": {
        1: """\
INSERT INTO wish (name, title, kind) VALUES ('far:track/1', 'One', 'track');
INSERT INTO member VALUES (1, 0, 'far:track/1');
INSERT INTO track (uri, title) VALUES ('far:track/1', 'One');""",
    },
    "UserStore": {
        1: """\
INSERT INTO user (key, name, role, guest, approved, created_ms, rounds, blocks, lanes, salt, hash)
    VALUES ('anna', 'Anna', 'admin', 0, 1, 5, 14, 8, 1, X'0102', X'07');
INSERT INTO session VALUES (X'09', 'anna', 5, '10.0.0.1');
INSERT INTO link VALUES ('d_1', 'anna');""",
        2: "INSERT INTO control VALUES ('living', 'named', 'anna');",
    },
    "DialectStore": {
        1: """\
INSERT INTO password VALUES ('mpd', 'kitchen', 'Kitchen', 'remote', 5, 14, 8, 1, X'0102', X'07');
INSERT INTO switch VALUES ('mpd', 1);
INSERT INTO sticker VALUES ('song', 'lib:track/41', 'rating', '4');""",
    },
}
