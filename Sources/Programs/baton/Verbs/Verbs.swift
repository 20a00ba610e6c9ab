import BatonClient

/// All verbs of `baton`, as one table: the dispatcher and the help both read it.
struct Verb: Sendable {
    let name: String
    let usages: [(usage: String, says: String)]
    /// Its own options, by name.
    let options: Set<String>
    /// Takes `--room`.
    let isOfRoom: Bool
    let run: @Sendable (Invocation, Satellite) async throws -> Void

    private init(
        _ name: String, _ usages: [(usage: String, says: String)], options: Set<String> = [], isOfRoom: Bool = true,
        _ run: @escaping @Sendable (Invocation, Satellite) async throws -> Void
    ) {
        self.name = name
        self.usages = usages
        self.options = options
        self.isOfRoom = isOfRoom
        self.run = run
    }

    static let all: [Verb] = [
        Verb("status", [("status", "what plays, where, how loud"), ("status --format TEXT", "in a form of your own")], status),
        Verb("watch", [("watch", "the same, live, until Ctrl-C"), ("watch --json", "one object a line")], watch),
        Verb("play", [("play", "go on"), ("play URI|PATH|URL...", "play this instead of the queue")], play),
        Verb("pause", [("pause", "pause")], pause),
        Verb("toggle", [("toggle", "pause when playing, play when not")], toggle),
        Verb("stop", [("stop", "stop, and forget the position")], stop),
        Verb("next", [("next", "the next entry; two people who press at once skip once")], next),
        Verb("prev", [("prev", "back to the start, or within its first 3 s to the entry before")], previous),
        Verb(
            "seek",
            [
                ("seek 1:23", "to a position"), ("seek +15, seek -0:30", "forward or back"), ("seek 40%", "to a part of the whole"),
            ], seek),
        Verb("skip", [("skip", "30 seconds on in speech, 15 in music"), ("skip back", "15 seconds back")], skip),
        Verb(
            "volume",
            [
                ("volume", "how loud it is"), ("volume 35", "set it, 0 to 100"), ("volume +5, volume -5", "louder, quieter"),
                ("volume --ceiling 60", "how loud it may become"),
            ], options: ["ceiling", "floor", "start-max"], volume),
        Verb("mute", [("mute", "mute, or hear it again"), ("mute on|off", "one of them")], mute),
        Verb(
            "mode",
            [
                ("mode", "how the room plays"), ("mode once", "through the queue, then stop"), ("mode repeat-all", "from the start again"),
                ("mode repeat-one", "the same entry again"), ("mode shuffle", "in a new order each time, without end"),
                ("mode repeat off|one|all", "that alone"), ("mode shuffle on|off", "that alone"), ("mode speed 1.25", "0.5 to 3"),
                ("mode gain auto|album|track|off", "make recordings equally loud, by their own measures"),
                ("mode preamp -3", "decibels added to that, -15 to 15"),
                ("mode unfinished skip|wait|ITEM", "a piece that is not made at its turn: moves back, is waited for, or ITEM plays first"),
                ("mode forward 45, mode back 10", "how far skip and the buttons of other remotes go in speech, in seconds"),
            ], options: ["repeat", "shuffle", "speed", "gain", "preamp", "unfinished"], mode),
        Verb(
            "chapters",
            [
                ("chapters", "those of what plays"), ("chapters 3", "to the beginning of the third"),
                ("chapters +1, chapters -1", "the next, the one before"),
            ],
            chapters),
        Verb(
            "book",
            [
                ("book", "how speech sounds"), ("book voice on", "quiet speech is raised, peaks are limited; music stays as it is"),
                ("book voice off", "speech as it was recorded"),
                ("book trim on|off", "silences are left out of what lies on the hub's disk, once they are found"),
            ], book),
        Verb(
            "bookmark",
            [
                ("bookmark [NOTE...]", "keep the place that is heard"), ("bookmark list [--here]", "all, or those of what plays"),
                ("bookmark play N", "from there; what plays stays in its queue"), ("bookmark edit N NOTE...", "another note"),
                ("bookmark delete N, bookmark restore N", "take it away, or have it back"),
                ("bookmark export FILE [--here]", "as Markdown, or as JSON where FILE ends in .json"),
            ], options: ["here"], bookmark),
        Verb(
            "sleep",
            [
                ("sleep", "how long it plays on"), ("sleep 30", "falls silent after 30 minutes of listening; +10: so much longer"),
                ("sleep track|chapter|queue", "at its end"), ("sleep 3 chapters", "at the end of the third; also tracks"),
                ("sleep 30 --fade [SECONDS]", "grows quieter before, for 20 seconds; what faded is played again"),
                ("sleep off", "plays on"),
            ], options: ["fade"], sleep),
        Verb(
            "progress",
            [
                ("progress [--finished]", "books and episodes that were begun, and where you are in them"),
                ("progress ITEM", "the place, and those of other devices beside it"),
                ("progress restore N [ITEM]", "go on at one of those; without ITEM: of what the room plays"),
                ("progress finish|reset [ITEM]", "heard to its end, or from the beginning again"),
                ("progress asleep [N]", "where a sleep timer ended, where it was set, and the last press; N: go on there"),
                ("progress here", "go on in this room, although the same plays elsewhere too"),
            ], options: ["finished"], progress),
        Verb(
            "queue",
            [
                ("queue [--long]", "what plays and what comes; who added it, and when"), ("queue add URI...", "at the end"),
                ("queue next URI...", "behind what plays"), ("queue remove N...", "take entries out; N counts from 1"),
                ("queue move N PLACE", "put one elsewhere"), ("queue jump N", "play it now"), ("queue clear", "all of it"),
                ("queue shuffle", "a new order for what comes"),
                ("queue similar [N]", "add what is like the current entry, or like entry N, where its source knows it"),
                ("queue save SOURCE", "keep it at a server, for other players of the account"),
                ("queue continue SOURCE", "go on with the queue that a server keeps"),
                ("queue undo", "take the last of those back, also that of another person"),
                ("queue history", "who did what, and what undo would take back"),
            ], options: ["long"], queue),
        Verb(
            "rooms",
            [
                ("rooms", "what plays where, how loud, for whom"), ("rooms create NAME [--output DEVICE]", "a new one"),
                ("rooms rename ROOM NAME", "its id stays"), ("rooms delete ROOM", "and its queue with it"),
                ("rooms restore ID", "bring a deleted room back, with its queue"),
                ("rooms set ROOM --ceiling N", "how loud it may become; also --floor, --start-max"),
                ("rooms set ROOM --output DEVICE", "where it is heard; none is where the hub is"),
                ("rooms outputs", "what a room may have as its output"),
            ], options: ["output", "ceiling", "floor", "start-max"], isOfRoom: false, rooms),
        Verb(
            "move",
            [
                ("move ROOM [--keep]", "what plays here goes on in ROOM"), ("move --from ROOM", "what plays in ROOM goes on here"),
                ("move --from ROOM ROOM", "from one to the other; here is --room, or the first room"),
            ], options: ["from", "keep"], move),
        Verb(
            "search",
            [
                ("search WORDS...", "tracks, albums, artists; each word may be the beginning of one"),
                ("search WORDS... --play [N]", "play the first of them, or the Nth; also --add, --next"),
                ("search WORDS... --all --add", "everything that is found"), ("search WORDS... --kind album", "of that kind alone"),
                ("search WORDS... --source NAME", "of one source alone; --unfold: each place of a track as a row of its own"),
                ("search WORDS... --available", "only what can be played now, also in browse"),
            ], options: ["kind", "play", "add", "next", "all", "source", "unfold", "available"], search),
        Verb(
            "find",
            [
                ("find \"ARTIST - TITLE\"", "the tracks of all sources that are this song, own copies first"),
                ("find N [STATION]", "the song in a row of radio titles"),
                ("find --play", "your copy of what the station here plays; also --add, --next"),
            ], options: ["play", "add", "next"], find),
        Verb(
            "browse",
            [
                ("browse", "the shelves there are"),
                ("browse albums", "what stands on one; also artists, composers, genres, years, labels, folders"),
                ("browse recent", "what was played last; also favourites, most, added"),
                ("browse SOURCE newest", "a shelf of a server; browse SOURCE lists them"),
                ("browse albums 3", "what is in the third; a number, a title or a URI, and so on"),
                ("browse artists NAME top", "its most heard tracks; similar: artists like it, where that is known"),
                ("browse albums 3 --play [N]", "play the Nth of it; also --add, --next, --all"),
            ], options: ["play", "add", "next", "all", "sort", "unfold", "available"], browse),
        Verb(
            "playlist",
            [
                ("playlist", "all of them"), ("playlist show LIST", "what is in one"),
                ("playlist create NAME [URI...] [--queue]", "a new one; --queue: of what is in the queue"),
                ("playlist create NAME --to SOURCE", "at a server, which names it by a URI: attic:playlist/3"),
                ("playlist copy LIST --to SOURCE", "what the server has of it; the rest is named"),
                ("playlist smart NAME 'stars>=4' 'genre~jazz'", "one that fills itself; --any, --order, --desc, --limit"),
                ("playlist add LIST [URI...]", "at the end; what plays, if nothing is named"),
                ("playlist remove LIST N...", "take entries out"),
                ("playlist move LIST N PLACE", "put one elsewhere"), ("playlist undo LIST", "take the last edit back"),
                ("playlist rename LIST NAME", "its id stays"),
                ("playlist describe LIST TEXT", "a text about one that a server keeps"),
                ("playlist public LIST on|off", "whether others at its server see it"),
                ("playlist delete LIST", "the tracks stay in the library"),
                ("playlist restore ID", "bring a deleted playlist back"),
                ("playlist play LIST [N]", "from its beginning, or from the Nth"), ("playlist export LIST FILE", "as .m3u8 or .jspf"),
                ("playlist import FILE [--name NAME]", "from .m3u8, .m3u, .pls or .jspf"),
            ], options: ["queue", "any", "order", "desc", "limit", "name", "to"], playlist),
        Verb(
            "fav", [("fav [on|off] [URI]", "what plays, or an item, is a favourite or not")], favourite),
        Verb("rate", [("rate 0-5 [URI]", "how good it is; 0 takes the stars away")], rate),
        Verb(
            "split", [("split URI URI", "two items that were shown as one track are not the same; --off: they are after all")],
            options: ["off"], isOfRoom: false, split),
        Verb(
            "lyrics", [("lyrics [URI]", "the words of what plays"), ("lyrics --follow", "each line when it is sung")], options: ["follow"],
            lyrics),
        Verb("history", [("history", "what was heard, where and when")], isOfRoom: false, heard),
        Verb(
            "library",
            [
                ("library", "the folders that music is read from, and how much there is"),
                ("library add FOLDER", "read this one too; --books: each folder in it is one book; --music: no more"),
                ("library remove FOLDER", "no more; its files stay"),
            ], options: ["books", "music"], isOfRoom: false, library),
        Verb(
            "scan", [("scan [--full] [--wait]", "look for changes now; --full: read every file anew")], options: ["full", "wait"],
            isOfRoom: false, scan),
        Verb(
            "podcast",
            [
                ("podcast", "those to which the hub is subscribed"),
                ("podcast add URL", "by its feed of RSS or Atom; --user NAME, --password-file FILE"),
                ("podcast episodes NAME|N", "the newest first; --play 3, --add 3, --next 3"),
                ("podcast refresh [NAME|N]", "look for new episodes now; without a name: of all"),
                ("podcast keep NAME|N COUNT", "so many of the newest on the hub's disk; 0: none"),
                ("podcast remove NAME|N", "no more"), ("podcast import FILE", "from OPML of another program"),
                ("podcast export FILE", "as OPML, for another program"),
            ], options: ["user", "password-file", "play", "add", "next", "all"], podcast),
        Verb(
            "radio",
            [
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
            ], options: ["off", "country", "tag", "language", "for", "every", "source", "name", "url", "play"], radio),
        Verb(
            "source",
            [
                ("source", "the servers whose music the hub plays, and how each is"),
                ("source add NAME KIND URL [--user U]", "an account at one; asks for its password, tests it; --untested keeps it anyway"),
                ("source test NAME", "ask it now whether it can be used"), ("source rename NAME TITLE", "what people read"),
                ("source set NAME [--url URL]", "another address, or a new password; --user, --code, --option NAME=VALUE"),
                ("source disable NAME, source enable NAME", "off, and on again"), ("source sync NAME", "read its rows anew"),
                ("source rescan NAME", "have it look for new music"),
                ("source upload NAME FILE...", "give it files of music"),
                ("source pending NAME [--drop]", "what it has not been told yet; --drop forgets it"),
                ("source remove NAME", "lists and history keep its items"),
            ], options: ["user", "password-file", "api-key-file", "code", "title", "url", "option", "drop", "untested"], isOfRoom: false,
            source),
        Verb(
            "keep",
            [
                (
                    "keep URI|PLAYLIST...",
                    "have it on the hub's own disk, so that it plays while its server is away; --wait: until it is there"
                ),
                ("keep favourites", "and what becomes one"), ("keep most-played [N]", "the 50 tracks that were played most, or N"),
                ("keep list", "what is kept, and how far it is"), ("keep drop N|URI|PLAYLIST...", "no longer; N counts from 1"),
                ("keep limit [20G]", "how much may be kept"),
            ], options: ["wait"], isOfRoom: false, keep),
        Verb(
            "imagine",
            [
                ("imagine WORDS...", "have music made from words, and queue it; /duration 60 /seed 7 and others may stand among them"),
                ("imagine WORDS... --play", "play it as soon as it is ready; also --next, --add, --no-queue"),
                ("imagine WORDS... --worker NAME", "by this worker; --wait: until it is there"),
                ("imagine --preset NAME [WORDS...]", "a line of baton presets, and what follows"),
                ("imagine /duration 60", "for all your prompts that follow; /reset takes it back, /show and /help tell more"),
            ], options: ["play", "next", "add", "no-queue", "worker", "wait", "preset"], imagine),
        Verb(
            "compose", [("compose WORDS...", "the same by the composer in the hub, which needs no network; options as of imagine")],
            options: ["play", "next", "add", "no-queue", "wait", "preset"], compose),
        Verb(
            "prompts",
            [
                ("prompts", "your settings and your earlier prompts"), ("prompts forget [N]", "one of them, or all"),
            ], isOfRoom: false, prompts),
        Verb(
            "presets",
            [
                ("presets", "lines with a name: those of the hub, and yours"), ("presets save NAME WORDS...", "keep a line"),
                ("presets remove NAME", "one of yours"),
            ], isOfRoom: false, presets),
        Verb(
            "endless",
            [
                ("endless", "whether the music of the room goes on without end"),
                ("endless on WORDS... --ahead 2", "have pieces made and queued before they are needed"),
                ("endless on --follow motif", "each goes on from the piece before; prompt: from the words again"),
                ("endless off", "end with what is queued"),
            ], options: ["ahead", "follow", "worker"], endless),
        Verb(
            "clips",
            [
                ("clips start WORDS...", "begin a session: loops of six layers in three scenes, on one plan; --name NAME, --worker W"),
                ("clips, clips show [SESSION]", "all sessions; the grid of one, or of the newest"),
                ("clips add LAYER [WORDS...]", "have a loop made; --scene 2, --bars 8; words choose the instruments"),
                ("clips remove LAYER", "take it out of its scene; --scene 2"),
                ("clips off LAYER, clips on LAYER", "leave it out of the loop, and take it in again; --scene 2"),
                ("clips scene N", "let this scene be heard from the next round on; --play: play the session here"),
                ("clips resume [SESSION]", "go on with an earlier one; clips that could not be made are made again; --play"),
                ("clips continue [SESSION]", "have a whole piece made on its motif; --seconds 90, --play, --next"),
                ("clips scene N --name NAME", "name it; --session SESSION: of another one than the newest"),
            ], options: ["name", "worker", "scene", "bars", "session", "seconds", "play", "next", "add", "no-queue"], clips),
        Verb("steer", [("steer calmer|livelier|brighter|darker", "shape the next piece that the composer makes here")], steer),
        Verb(
            "vary", [("vary [URI] --amount 30", "another piece from the plan of what plays, or of this one; --play, --next")],
            options: ["amount", "play", "next", "add", "no-queue"], vary),
        Verb(
            "again", [("again RECIPE", "the very piece of a recipe, which jobs recipe N shows; --play, --next")],
            options: ["play", "next", "add", "no-queue"], again),
        Verb(
            "jobs",
            [
                ("jobs", "what is being made, how far it is, and what was made"), ("jobs cancel N|ID", "make it no longer"),
                ("jobs retry N|ID", "make it anew after it failed"), ("jobs recipe N|ID", "the line by which baton again makes it again"),
                ("jobs approve N|ID", "let what a guest has asked for be made"),
                ("jobs keep N|ID, jobs unkeep N|ID", "never remove its sound to make room; or do so again"),
            ], isOfRoom: false, jobs),
        Verb(
            "worker",
            [
                ("worker", "what makes music, and how each is; * is used where no other is named"),
                ("worker add NAME URL [--token-file FILE]", "a service on the network; --map REMOTE:LOCAL where its files are seen here"),
                ("worker add NAME --program PATH", "a program of this machine; --no-sandbox lets it reach network and files"),
                ("worker test NAME", "ask it now whether it can be used"), ("worker default NAME", "use it where no other is named"),
                ("worker remove NAME", "what it made stays"),
            ], options: ["token-file", "program", "no-sandbox", "map", "untested"], isOfRoom: false, worker),
        Verb(
            "pair",
            [
                ("pair [HUB]", "be let in by a hub elsewhere; asks for the code that it shows"),
                ("pair --open [--role ROLE]", "let a device in: shows digits and a QR code, and waits"),
            ], options: ["open", "role"], isOfRoom: false, pair),
        Verb(
            "devices",
            [
                ("devices", "who is paired, as what, and when they were last seen"), ("devices role DEVICE ROLE", "what it may do"),
                ("devices rename DEVICE NAME", "what it is called"),
                ("devices person DEVICE NAME", "whose places in books it moves; home at first"),
                ("devices revoke DEVICE", "send it away, at once"),
                ("devices rotate", "a new key for this machine"),
            ], isOfRoom: false, devices),
        Verb("people", [("people", "who is connected, in which room, since when")], isOfRoom: false, people),
        Verb("discover", [("discover", "the hubs on this network")], isOfRoom: false, discover),
        Verb(
            "doctor", [("doctor", "what is installed, reachable, announced, audible and kept, and what to do about the rest")],
            isOfRoom: false, doctor),
        Verb("ping", [("ping [COUNT]", "round trip, and how far the clocks are apart")], isOfRoom: false, ping),
        Verb("web", [("web", "the address of the web remote")], isOfRoom: false, web),
        Verb("raw", [("raw '{\"t\":...}'", "send a message by hand, print the answer")], isOfRoom: false, raw),
    ]

    static func named(_ name: String) -> Verb? { all.first { $0.name == name } }
}

/// Verbs that have subcommands: the first word names one, and without it the list is shown.
extension Verb {
    typealias Choices = KeyValuePairs<String, @Sendable (Invocation, SteadyHub) async throws -> Void>

    static func choose(_ verb: String, among choices: Choices, _ call: Invocation, _ satellite: Satellite) async throws {
        var call = call
        let name = call.operands.isEmpty ? "list" : call.operands.removeFirst()
        guard let choice = choices.first(where: { $0.key == name })?.value else {
            throw Stop(.usage, "\(verb) cannot “\(name)”. It can: \(choices.map(\.key).joined(separator: ", ")).")
        }
        call.verb = "\(verb) \(name)"
        try await satellite.withHub(call) { [call] hub in
            _ = try await hub.state()
            try await choice(call, hub)
        }
    }
}
