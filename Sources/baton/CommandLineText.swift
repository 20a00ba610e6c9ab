import Configuration

/// A command line, understood: a call to a verb, or a text to print.
enum CommandLineText {
    case help(String)
    /// No verb at all: the help again, as a complaint.
    case nothing(help: String)
    case call(Invocation, Verb)

    private static let options = [
        Arguments.Option("hub", .value("NAME|URL|SOCKET"), "which hub; else BATON_HUB, this machine's, the last, the only one"),
        Arguments.Option("json", .flag, "answer as JSON, one object a line"),
        Arguments.Option("format", .value("TEXT"), "fill {title} {artist} {album} {position} {state} {volume} ..."),
        Arguments.Option("timeout", .value("SECONDS"), "give up after this long [5]"),
        Arguments.Option("help", short: "h", .flag, "print this"),
        Arguments.Option("version", .flag, "print the version"),
    ]

    init(_ words: [String], _ around: Surroundings) throws(Stop) {
        let arguments: Arguments
        do throws(Arguments.Fault) { arguments = try Arguments(words, options: Self.options) } catch { throw Stop(.usage, error.sentence) }
        if arguments.has("version") {
            self = .help("baton \(BatonVersion.text)")
            return
        }
        var operands = arguments.words
        let name = operands.isEmpty ? "" : operands.removeFirst()
        if name.isEmpty, !arguments.has("help") {
            self = .nothing(help: Self.whole)
            return
        }
        if arguments.has("help") || name == "help" || name.isEmpty {
            self = .help(try Self.help(on: name == "help" ? operands.first : name.isEmpty ? nil : name))
            return
        }
        guard let verb = Verb.named(name) else { throw Self.unknown(name) }
        if let format = arguments["format"] { try StatusText.check(format: format) }
        self = .call(
            Invocation(
                verb: name, operands: operands, hub: arguments["hub"] ?? around["BATON_HUB"], json: arguments.has("json"),
                format: arguments["format"], timeout: try Self.timeout(arguments["timeout"]), environment: around), verb)
    }

    private static func timeout(_ text: String?) throws(Stop) -> Duration {
        guard let text else { return .seconds(5) }
        guard let seconds = Double(text), seconds > 0, seconds <= 3600 else {
            throw Stop(.usage, "--timeout is “\(text)”. Write seconds, from 0.1 to 3600.")
        }
        return .milliseconds(Int(seconds * 1000))
    }

    private static func unknown(_ name: String) -> Stop {
        let meant = Spelling.nearest(to: name, among: Verb.all.map(\.name).filter { !$0.isEmpty })
        return Stop(.usage, "baton cannot “\(name)”." + (meant.map { " Did you mean \($0)?" } ?? " See: baton help"))
    }

    // MARK: Help

    private static func help(on name: String?) throws(Stop) -> String {
        guard let name else { return whole }
        guard let verb = Verb.named(name) else { throw unknown(name) }
        return "usage: baton \(verb.usage)\n\n\(verb.summary)"
    }

    /// Fits a screen of 24 lines and 80 columns.
    static var whole: String {
        let left = Verb.all.map(\.usage)
        let column = 27
        let verbs = zip(left, Verb.all).map { usage, verb in
            let gap = String(repeating: " ", count: max(2, column - usage.count))
            return "  \(usage)\(gap)\(verb.summary)"
        }
        let exits = Exit.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
        return """
            usage: baton [--hub NAME|URL|SOCKET] [--json] [--timeout S] VERB ...
            \(verbs.joined(separator: "\n"))
            Without --hub: BATON_HUB, this machine's, the last used, the only one found.
            Exit: \(exits).
            """
    }
}

enum BatonVersion {
    static let text = "0.1.0"
}
