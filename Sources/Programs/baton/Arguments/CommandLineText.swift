import BatonCore
import Configuration

/// The result of reading a command line: a call to a verb, or a text to print.
enum CommandLineText {
    case help(String)
    /// There was no verb; the help is printed on standard error.
    case nothing(help: String)
    case call(Invocation, Verb)

    static let common = [
        Arguments.Option("hub", .value("NAME|URL|SOCKET"), "which hub; else BATON_HUB, this machine's, the last, the only one"),
        Arguments.Option("room", .value("NAME|ID"), "which room; else BATON_ROOM, or the hub's first"),
        Arguments.Option("json", .flag, "answer as JSON, one object a line"),
        Arguments.Option("format", .value("TEXT"), "fill {title} {artist} {elapsed} ..., or %title% and so on, for each item"),
        Arguments.Option("color", .value("auto|always|never"), "colours; auto: on a terminal, unless NO_COLOR is set"),
        Arguments.Option("timeout", .value("SECONDS"), "give up after this long; else BATON_TIMEOUT, or 5"),
        Arguments.Option("help", short: "h", .flag, "print this"),
        Arguments.Option("version", .flag, "print the version"),
    ]

    /// Options of single verbs, which name them in their own table.
    static let special = [
        Arguments.Option("yes", short: "y", .flag, "delete without asking"),
        Arguments.Option("with-secrets", .flag, "also keys of the hub, passwords and the secrets of accounts"),
        Arguments.Option("other-hub", .flag, "also the backup of another hub, which this one becomes"),
        Arguments.Option("ceiling", .value("LEVEL"), "how loud the room may become"),
        Arguments.Option("floor", .value("LEVEL"), "how quiet"),
        Arguments.Option("start-max", .value("LEVEL"), "how loud it may be after a restart"),
        Arguments.Option("open", .flag, "let a device in, here at the hub"),
        Arguments.Option("role", .value("ROLE"), "listener, guest, remote or admin [remote]"),
        Arguments.Option("link", .value("WORD"), "the word that opens it"),
        Arguments.Option("guest", .flag, "without an account"),
        Arguments.Option("of", .value("NAME"), "of this user"),
        Arguments.Option("output", .value("DEVICE"), "where the room is heard"),
        Arguments.Option("from", .value("ROOM"), "the room that gives what it plays"),
        Arguments.Option("keep", .flag, "leave it playing there too"),
        Arguments.Option("events", .flag, "what happened lately between this room and the other one"),
        Arguments.Option("long", .flag, "more of each: who added it, and when; or the device and since when"),
        Arguments.Option("volume", .value("LEVEL"), "how loud it begins, at most 50 [50]"),
        Arguments.Option("offset", .value("MS"), "how much earlier to begin, -500 to 500; kept for the output"),
        Arguments.Option("quality", .value("NAME"), "how it is sent: auto, original, opus128, opus64 or aac128 [auto]"),
        Arguments.Option("only", .flag, "on this machine alone"),
        Arguments.Option("when-empty", .value("play|pause"), "what a room without a speaker does while nobody listens"),
        Arguments.Option("minutes", .value("N"), "for how long"),
        Arguments.Option("repeat", .value("off|one|all"), "what comes after the end"),
        Arguments.Option("shuffle", .value("on|off"), "in which order"),
        Arguments.Option("speed", .value("0.5-3"), "how fast"),
        Arguments.Option("fade", .number, "how many seconds the sound grows quieter before the end [20]"),
        Arguments.Option("play", .number, "play the first row, or the Nth"),
        Arguments.Option("add", .number, "add it to the end of the queue"),
        Arguments.Option("next", .number, "put it behind what plays"),
        Arguments.Option("all", .flag, "all rows, or all that they hold"),
        Arguments.Option("kind", .value("KIND"), "track, album, artist, genre, folder or playlist"),
        Arguments.Option("sort", .value("ORDER"), "name, artist, year, added, played, plays, stars or track"),
        Arguments.Option("source", .value("NAME"), "of this source alone"),
        Arguments.Option("unfold", .flag, "each place of a track as a row of its own"),
        Arguments.Option("available", .flag, "only what can be played now"),
        Arguments.Option("off", .flag, "take it back"),
        Arguments.Option("queue", .flag, "of what is in the queue"),
        Arguments.Option("name", .value("NAME"), "how it shall be called"),
        Arguments.Option("to", .value("SOURCE"), "the source whose server keeps it"),
        Arguments.Option("any", .flag, "one condition is enough"),
        Arguments.Option("order", .value("ORDER"), "title, artist, album, added, plays, played, stars or random"),
        Arguments.Option("desc", .flag, "from the other end"),
        Arguments.Option("limit", .value("N"), "at most so many [500]"),
        Arguments.Option("lines", .value("N"), "how many of the newest lines [20]"),
        Arguments.Option("level", .value("LEVEL"), "of this level and those above: trace, debug, notice, warning or error"),
        Arguments.Option(
            "follow", .word(EndlessFollow.allCases.map(\.rawValue)), "what a next piece goes on from; of a log: what comes later"),
        Arguments.Option("finished", .flag, "those that were heard to their end"),
        Arguments.Option("full", .flag, "read every file anew"),
        Arguments.Option("books", .flag, "each folder with sound in it is one book"),
        Arguments.Option("music", .flag, "each file in it is a track, as usual"),
        Arguments.Option("no-queue", .flag, "make it, and queue it nowhere"),
        Arguments.Option("ahead", .value("N"), "so many pieces behind the one that plays [2]"),
        Arguments.Option("scene", .value("1-3"), "the scene of a session [1]"),
        Arguments.Option("bars", .value("1-64"), "how long a clip is [4]"),
        Arguments.Option("session", .value("SESSION"), "which session of clips; else the newest"),
        Arguments.Option("seconds", .value("10-180"), "how long a piece is [90]"),
        Arguments.Option("amount", .value("0-100"), "how different it is [50]"),
        Arguments.Option("worker", .value("NAME"), "which worker makes it"),
        Arguments.Option("here", .flag, "those of what plays"),
        Arguments.Option("wait", .flag, "until it is done"),
        Arguments.Option("user", .value("USER"), "the user's name at the server"),
        Arguments.Option("password-file", .value("FILE"), "its first line is the password; else it is asked for"),
        Arguments.Option("api-key-file", .value("FILE"), "its first line is a key of the server's"),
        Arguments.Option("code", .value("CODE"), "that of an authenticator, where the server asks for one; else it is asked for"),
        Arguments.Option("title", .value("TEXT"), "what people read"),
        Arguments.Option("url", .value("URL"), "where the server is"),
        Arguments.Option("option", .value("NAME=VALUE"), "a choice of its kind, as in quality=mp3:192; again for more"),
        Arguments.Option("drop", .flag, "forget it"),
        Arguments.Option("untested", .flag, "keep it without asking its server first"),
        Arguments.Option("token-file", .value("FILE"), "its first line is the token of the service"),
        Arguments.Option("program", .value("PATH"), "a program of the hub's machine, with its arguments"),
        Arguments.Option("no-sandbox", .flag, "with network, and with the files of the hub's user"),
        Arguments.Option("map", .value("REMOTE:LOCAL"), "where a folder of the service is seen here"),
        Arguments.Option("country", .value("NAME"), "stations of this country"),
        Arguments.Option("for", .value("LENGTH"), "how long, as in 2h, 90m or 1h30m"),
        Arguments.Option("every", .value("day|week"), "again each time"),
        Arguments.Option("tag", .value("TAG"), "of this kind, as in jazz"),
        Arguments.Option("language", .value("NAME"), "in this language"),
        Arguments.Option("gain", .value("auto|album|track|off"), "by which of its measures a recording is levelled"),
        Arguments.Option("preamp", .value("DB"), "added to that"),
        Arguments.Option("preset", .value("NAME"), "the line of that name"),
        Arguments.Option("unfinished", .value("skip|wait|ITEM"), "what becomes of a piece that is not made at its turn"),
    ]

    init(_ words: [String], _ around: Surroundings) throws(Stop) {
        let arguments: Arguments
        do throws(Arguments.Fault) { arguments = try Arguments(words, options: Self.common + Self.special) } catch {
            throw Stop(.usage, error.sentence)
        }
        if arguments.has("version") {
            self = .help("baton \(BatonVersion.text)")
            return
        }
        var operands = Alias.expanded(arguments.words)
        let name = operands.isEmpty ? "" : operands.removeFirst()
        if name.isEmpty, !arguments.has("help") {
            self = .nothing(help: Help.screen)
            return
        }
        if arguments.has("help") || name == "help" || name.isEmpty {
            self = .help(try Self.help(on: name == "help" ? Alias.expanded(operands).first : name.isEmpty ? nil : name))
            return
        }
        guard let verb = Verb.named(name) else { throw Self.unknown(name) }
        try Self.check(arguments, for: verb)
        let format = try arguments["format"].map { text throws(Stop) in try FormatText(text) }
        self = .call(
            Invocation(
                verb: name, operands: operands, hub: arguments["hub"] ?? around["BATON_HUB"],
                room: verb.isOfRoom ? arguments["room"] ?? around["BATON_ROOM"] : nil, json: arguments.has("json"),
                format: format, timeout: try Self.timeout(arguments, around), options: arguments, environment: around), verb)
    }

    /// An option that the verb does not have is refused, so that it is not ignored without a word.
    private static func check(_ arguments: Arguments, for verb: Verb) throws(Stop) {
        if arguments["room"] != nil, !verb.isOfRoom {
            throw Stop(.usage, "\(verb.name) concerns no single room, so --room means nothing to it.")
        }
        if arguments["format"] != nil, !verb.formats {
            throw Stop(.usage, "\(verb.name) prints no items, so --format means nothing to it. --json prints its answer for programs.")
        }
        if let color = arguments["color"], TextStyle.Choice(rawValue: color) == nil {
            throw Stop(.usage, "--color is “\(color)”. Write auto, always or never.")
        }
        for option in special where arguments[option.name] != nil && !verb.options.contains(option.name) {
            let users = Verb.all.filter { $0.options.contains(option.name) }.map(\.name).joined(separator: " and ")
            throw Stop(.usage, "--\(option.name) means nothing to \(verb.name); it is for \(users).")
        }
    }

    private static func timeout(_ arguments: Arguments, _ around: Surroundings) throws(Stop) -> Duration {
        let named = arguments["timeout"].map { ("--timeout", $0) } ?? around["BATON_TIMEOUT"].map { ("BATON_TIMEOUT", $0) }
        guard let (source, text) = named else { return .seconds(5) }
        guard let seconds = Double(text), seconds > 0, seconds <= 3600 else {
            throw Stop(.usage, "\(source) is “\(text)”. Write seconds, from 0.1 to 3600.")
        }
        return .milliseconds(Int(seconds * 1000))
    }

    private static func unknown(_ name: String) -> Stop {
        let meant = Spelling.nearest(to: name, among: Verb.all.map(\.name) + Alias.all.map(\.word))
        return Stop(.usage, "baton cannot “\(name)”." + (meant.map { " Did you mean \($0)?" } ?? " See: baton help"))
    }

    private static func help(on name: String?) throws(Stop) -> String {
        guard let name else { return Help.screen }
        guard let verb = Verb.named(name) else { throw unknown(name) }
        let options = special.filter { verb.options.contains($0.name) } + (verb.isOfRoom ? common.filter { $0.name == "room" } : [])
        return Help.text(of: verb, options: options)
    }
}

enum BatonVersion {
    static let text = "0.1.0"
    /// Of the manual: fixed, so that two builds of one version are the same.
    static let date = "2026-11-26"
}
