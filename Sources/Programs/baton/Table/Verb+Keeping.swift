import Configuration

/// Verbs for stored things: playlists, the library, stations, podcasts, accounts.
extension Verb {
    static let keeping: [Verb] = [
        Verb(
            "playlist",
            usages: [
                ("playlist", "all of them"), ("playlist show LIST", "what is in one"),
                ("playlist create NAME [URI...] [--queue]", "a new one; --queue: of what is in the queue"),
                ("playlist create NAME --to SOURCE", "at a server, which names it by a URI: attic:playlist/3"),
                ("playlist copy LIST --to SOURCE", "what the server has of it; the rest is named"),
                (
                    "playlist smart NAME 'stars>=4' 'genre~jazz'",
                    "one that fills itself; = != ~ < > <= >=, 'genre in jazz,blues', 'added since 2024-01-31'"
                ),
                ("playlist add LIST [URI...]", "at the end; what plays, if nothing is named"),
                ("playlist remove LIST N...", "take entries out"),
                ("playlist move LIST N PLACE", "put one elsewhere"), ("playlist undo LIST", "take the last edit back"),
                ("playlist rename LIST NAME", "its id stays"),
                ("playlist describe LIST TEXT", "a text about one that a server keeps"),
                ("playlist public LIST on|off", "whether others at its server see it"),
                (
                    "playlist share LIST private|shared|link|hub",
                    "who may see one of yours; show ID --link WORD: one that is shared by a link"
                ),
                ("playlist delete LIST", "the tracks stay in the library"),
                ("playlist restore ID", "bring a deleted playlist back"),
                ("playlist play LIST [N]", "from its beginning, or from the Nth"), ("playlist export LIST FILE", "as .m3u8 or .jspf"),
                ("playlist import FILE [--name NAME]", "from .m3u8, .m3u, .pls or .jspf"),
            ],
            options: [
                .yes,
                .init("link", .value("WORD"), help: "the word that opens it"),
                .init("queue", .flag, help: "of what is in the queue"),
                .named,
                .init("to", .value("SOURCE"), help: "the source whose server keeps it"),
                .init("any", .flag, help: "one condition is enough"),
                .init("order", .value("ORDER"), help: "title, artist, album, added, plays, played, stars or random"),
                .init("desc", .flag, help: "from the other end"),
                .init("limit", .value("N"), help: "at most so many [500]"),
            ], formats: true,
            json: [
                "": .own("playlists"), "show": .own("playlist"), "create": .own("playlist"), "smart": .own("playlist"),
                "add": .own("playlist"), "remove": .own("playlist"), "move": .own("playlist"), "undo": .own("playlist"),
                "rename": .own("playlist"), "describe": .own("playlist"), "public": .own("playlist"), "share": .answer(.playlistShare),
                "delete": .own("playlists"), "restore": .own("playlist"), "play": .status, "copy": .own("copied"), "export": .own("file"),
                "import": .own("imported"),
            ], run: chooses(playlistEdits)),
        Verb(
            "library",
            usages: [
                ("library", "the folders that music is read from, and how much there is"),
                ("library add FOLDER", "read this one too; --books: each folder in it is one book; --music: no more"),
                ("library remove FOLDER", "no more; its files stay"),
            ],
            options: [
                .yes,
                .init("books", .flag, help: "each folder with sound in it is one book"),
                .init("music", .flag, help: "each file in it is a track, as usual"),
            ], isOfRoom: false, json: ["": .answer(.libFolders)], run: chooses(libraryEdits)),
        Verb(
            "scan", usages: [("scan [--full] [--wait]", "look for changes now; --full: read every file anew")],
            options: [
                .init("full", .flag, help: "read every file anew"),
                .wait,
            ],
            isOfRoom: false, json: ["": .answer(.libFolders)], run: scan),
        Verb(
            "podcast",
            usages: [
                ("podcast", "those to which the hub is subscribed"),
                ("podcast add URL", "by its feed of RSS or Atom; --user NAME, --password-file FILE"),
                ("podcast episodes NAME|N", "the newest first; --play 3, --add 3, --next 3"),
                ("podcast refresh [NAME|N]", "look for new episodes now; without a name: of all"),
                ("podcast keep NAME|N COUNT", "so many of the newest on the hub's disk; 0: none"),
                ("podcast remove NAME|N", "no more"), ("podcast import FILE", "from OPML of another program"),
                ("podcast export FILE", "as OPML, for another program"),
            ], options: [.yes, .play, .add, .next, .all, .user, .passwordFile], formats: true,
            json: [
                "": .answer(.podcastList), "add": .answer(.podcastAdd), "episodes": .own("rows"), "import": .own("added"),
                "export": .own("file"),
            ], run: chooses(podcastEdits)),
        Verb(
            "radio",
            usages: [
                ("radio", "the stations that are kept, presets first"), ("radio play NAME|N", "one by its name, or the Nth preset"),
                ("radio add NAME URL", "keep one; its stream, or a playlist that names it"), ("radio remove NAME|N", "no more"),
                ("radio edit NAME|URI", "--name NAME, --url URL; also of a server: radio add NAME URL --source SOURCE"),
                ("radio fav NAME [PLACE]", "a preset, at this place; --off: no preset"),
                ("radio find WORDS...", "also in the directory; --country, --tag, --language"),
                ("radio import FILE", "from m3u, pls, OPML, XSPF or JSON of Radio-Browser"), ("radio export FILE", "as .m3u8 or .opml"),
                ("radio back 10m", "back in what was received; radio live: what comes now"),
                ("radio titles [NAME|N]", "its titles in the buffer, newest first; --play 3: goes back to the third"),
                ("radio save N [NAME|N]", "keeps a title whole, by its row of radio titles"),
                ("radio record start [NAME|N]", "a file for each song; without a name: what plays here"),
                ("radio record stop [ID]", "ends it; without a number: all that is recorded now"),
                ("radio record at 20:00 [NAME|N] --for 2h", "once, or --every day|week"),
                ("radio record list", "what is recorded, and when"), ("radio record cancel ID", "not at its time, or no longer"),
            ],
            options: [
                .yes, .play, .source, .off, .named, .url,
                .init("country", .value("NAME"), help: "stations of this country"),
                .init("for", .value("LENGTH"), help: "how long, as in 2h, 90m or 1h30m"),
                .init("every", .value("day|week"), help: "again each time"),
                .init("tag", .value("TAG"), help: "of this kind, as in jazz"),
                .init("language", .value("NAME"), help: "in this language"),
            ], formats: true,
            json: [
                "": .answer(.radioList), "play": .status, "back": .status, "titles": .answer(.radioTitles),
                "save": .own("saved"), "record": .own("recordings"), "import": .own("added"), "export": .own("file"),
            ], run: chooses(radioEdits)),
        Verb(
            "source",
            usages: [
                ("source", "the servers whose music the hub plays, and how each is"),
                ("source add NAME KIND URL [--user U]", "an account at one; asks for its password, tests it; --untested keeps it anyway"),
                ("source test NAME", "ask it now whether it can be used"), ("source rename NAME TITLE", "what people read"),
                ("source set NAME [--url URL]", "another address, or a new password; --user, --code, --option NAME=VALUE"),
                ("source disable NAME, source enable NAME", "off, and on again"), ("source sync NAME", "read its rows anew"),
                ("source rescan NAME", "have it look for new music"),
                ("source upload NAME FILE...", "give it files of music"),
                ("source pending NAME [--drop]", "what it has not been told yet; --drop forgets it"),
                ("source remove NAME", "lists and history keep its items"),
            ],
            options: [
                .yes, .user, .passwordFile,
                .init("api-key-file", .value("FILE"), help: "its first line is a key of the server's"),
                .init("code", .value("CODE"), help: "that of an authenticator, where the server asks for one; else it is asked for"),
                .init("title", .value("TEXT"), help: "what people read"),
                .url,
                .init("option", .value("NAME=VALUE"), help: "a choice of its kind, as in quality=mp3:192; again for more"),
                .init("drop", .flag, help: "forget it"),
                .untested,
            ],
            isOfRoom: false,
            json: [
                "": .answer(.sourceList), "add": .answer(.sourceTest), "test": .answer(.sourceTest), "set": .answer(.sourceTest),
                "enable": .answer(.sourceTest), "upload": .own("uploaded"), "pending": .answer(.sourcePending),
            ], run: source),
        Verb(
            "keep",
            usages: [
                (
                    "keep URI|PLAYLIST...",
                    "have it on the hub's own disk, so that it plays while its server is away; --wait: until it is there"
                ),
                ("keep favourites", "and what becomes one"), ("keep most-played [N]", "the 50 tracks that were played most, or N"),
                ("keep list", "what is kept, and how far it is"), ("keep drop N|URI|PLAYLIST...", "no longer; N counts from 1"),
                ("keep limit [20G]", "how much may be kept"),
            ], options: [.wait], isOfRoom: false, json: ["": .answer(.keepList)], run: keep),
    ]
}
