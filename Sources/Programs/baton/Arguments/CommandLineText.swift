import Configuration

/// The result of reading a command line: a call to a verb, or a text to print.
enum CommandLineText {
    case help(String)
    /// There was no verb; the help is printed on standard error.
    case nothing(help: String)
    case call(Invocation, Verb)

    static let common = [
        Arguments.Option("hub", .value("NAME|URL|SOCKET"), help: "which hub; else BATON_HUB, this machine's, the last, the only one"),
        Arguments.Option("room", .value("NAME|ID"), help: "which room; else BATON_ROOM, or the hub's first"),
        Arguments.Option("json", .flag, help: "answer as JSON, one object a line"),
        Arguments.Option("format", .value("TEXT"), help: "fill {title} {artist} {elapsed} ..., or %title% and so on, for each item"),
        Arguments.Option("color", .value("auto|always|never"), help: "colours; auto: on a terminal, unless NO_COLOR is set"),
        Arguments.Option("timeout", .value("SECONDS"), help: "give up after this long; else BATON_TIMEOUT, or 5"),
        Arguments.Option("help", short: "h", .flag, help: "print this"),
        Arguments.Option("version", .flag, help: "print the version"),
    ]

    init(_ words: [String], _ around: ProcessEnvironment) throws(Stop) {
        let arguments: Arguments
        do throws(Arguments.Fault) { arguments = try Arguments(words, options: Self.common + Verb.allOptions) } catch {
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

    /// Refuses options that the verb does not have, so that none is silently ignored.
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
        let known = (common + verb.options).map(\.name)
        if let option = arguments.given.map(\.option).first(where: { !known.contains($0) }) {
            let users = Verb.all.filter { $0.has(option) }.map(\.name).joined(separator: " and ")
            throw Stop(.usage, "--\(option) means nothing to \(verb.name); it is for \(users).")
        }
    }

    private static func timeout(_ arguments: Arguments, _ around: ProcessEnvironment) throws(Stop) -> Duration {
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
        return Help.text(of: verb, options: verb.options + (verb.isOfRoom ? common.filter { $0.name == "room" } : []))
    }
}

enum BatonVersion {
    static let text = "0.1.0"
    /// The manual's date. It is fixed, so that two builds of one version are identical.
    static let date = "2026-11-26"
}
