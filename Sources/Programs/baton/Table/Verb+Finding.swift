import Configuration

/// Verbs that find and mark items.
extension Verb {
    static let finding: [Verb] = [
        Verb(
            "search",
            usages: [
                ("search WORDS...", "tracks, albums, artists; each word may be the beginning of one"),
                ("search WORDS... --play [N]", "play the first of them, or the Nth; also --add, --next"),
                ("search WORDS... --all --add", "everything that is found"), ("search WORDS... --kind album", "of that kind alone"),
                ("search WORDS... --source NAME", "of one source alone; --unfold: each place of a track as a row of its own"),
                ("search WORDS... --available", "only what can be played now, also in browse"),
            ], options: [.play, .add, .next, .all, .kind, .source, .unfold, .available], formats: true, json: ["": .own("rows")],
            run: search),
        Verb(
            "find",
            usages: [
                ("find \"ARTIST - TITLE\"", "the tracks of all sources that are this song, own copies first"),
                ("find N [STATION]", "the song in a row of radio titles"),
                ("find --play", "your copy of what the station here plays; also --add, --next"),
            ], options: [.play, .add, .next], formats: true, json: ["": .own("found")], run: find),
        Verb(
            "browse",
            usages: [
                ("browse", "the shelves there are"),
                ("browse albums", "what stands on one; also artists, composers, genres, years, labels, folders"),
                ("browse recent", "what was played last; also favourites, most, added"),
                ("browse SOURCE newest", "a shelf of a server; browse SOURCE lists them"),
                ("browse albums 3", "what is in the third; a number, a title or a URI, and so on"),
                ("browse artists NAME top", "its most heard tracks; similar: artists like it, where that is known"),
                ("browse albums 3 --play [N]", "play the Nth of it; also --add, --next, --all"),
            ],
            options: [
                .play, .add, .next, .all,
                .init("sort", .value("ORDER"), help: "name, artist, year, added, played, plays, stars or track"),
                .unfold, .available,
            ], formats: true, json: ["": .own("rows")], run: browse),
        Verb(
            "fav", usages: [("fav [on|off] [URI]", "what plays, or an item, is a favourite or not")], run: favourite),
        Verb("rate", usages: [("rate 0-5 [URI]", "how good it is; 0 takes the stars away")], run: rate),
        Verb(
            "split", usages: [("split URI URI", "two items that were shown as one track are not the same; --off: they are after all")],
            options: [.off], isOfRoom: false, run: split),
        Verb(
            "lyrics", usages: [("lyrics [URI]", "the words of what plays"), ("lyrics --follow", "each line when it is sung")],
            options: [.follow],
            json: ["": .answer(.libItem)], run: lyrics),
        Verb(
            "history", usages: [("history", "what was heard, where and when, and who asked for it")], isOfRoom: false, formats: true,
            json: ["": .answer(.libHistory)], run: heard),
    ]
}
