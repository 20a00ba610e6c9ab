import Configuration

/// The manual pages, generated from the tables of verbs and settings.
enum ManualPages {
    static let names = ["baton", "batond", "batond.conf"]

    static func text(of name: String) -> String? {
        switch name {
        case "baton": baton
        case "batond": batond
        case "batond.conf": configuration
        default: nil
        }
    }

    // MARK: baton(1)

    private static var baton: String {
        var page = Roff("baton", section: 1, about: "play music on a hub, and see what plays")
        page.heading("Synopsis")
        page.paragraph("baton [OPTIONS] VERB [WORDS...]")
        page.heading("Description")
        page.paragraph(
            "baton steers batond, a playback hub, from a terminal: on this machine by a socket, and elsewhere over the network once the "
                + "machine is paired. Options may stand anywhere. baton help shows all verbs on one screen, and baton help VERB explains one."
        )
        page.heading("Options of all verbs")
        options(CommandLineText.common, &page)
        page.heading("Verbs")
        for group in Verb.groups {
            page.part(group.title)
            for verb in group.verbs { describe(verb, &page) }
        }
        page.part("Documents")
        for verb in Verb.hidden { describe(verb, &page) }
        page.heading("Other words for verbs")
        for alias in Alias.all { page.term(alias.word, "the same as " + alias.means.joined(separator: " ")) }
        page.heading("Keys of baton top")
        for group in TopKey.groups {
            page.part(group.title)
            for key in group.keys { page.term(key.name, key.says) }
        }
        page.heading("Fields of --format")
        page.paragraph(
            "{title} or %title% stands for a field; \\n and \\t are a new line and a tab. A field that an item does not have is empty.")
        page.paragraph(FormatText.fields.joined(separator: ", ") + "; also elapsed, time, file and name, as other programs call them.")
        page.heading("JSON")
        page.paragraph(
            "With --json a verb prints its answer as JSON. baton schema prints a JSON Schema of the answers of all verbs. What a verb of the "
                + "protocol answers is described in Protocol/schema of the sources.")
        page.heading("Environment")
        for (name, says) in environment { page.term(name, says) }
        page.heading("Exit status")
        for exit in Exit.allCases { page.term("\(exit.rawValue)", exit.meaning) }
        page.heading("Files")
        page.term("~/.local/state/baton-satellite", "the hubs that were used, the keys of pairings, and the rows of the last listing")
        page.heading("See also")
        page.paragraph("batond(1), batond.conf(5)")
        return page.text
    }

    private static let environment: KeyValuePairs<String, String> = [
        "BATON_HUB": "the hub, as --hub names it", "BATON_ROOM": "the room, as --room names it",
        "BATON_SOCKET": "the socket of the hub on this machine", "BATON_TIMEOUT": "how many seconds to wait, as --timeout",
        "NO_COLOR": "when set, output has no colours",
    ]

    private static func describe(_ verb: Verb, _ page: inout Roff) {
        for (usage, says) in verb.usages { page.term("baton " + usage, says) }
        options(verb.options, &page)
    }

    private static func options(_ options: [Arguments.Option], _ page: inout Roff) {
        for option in options { page.term((option.short.map { "-\($0), " } ?? "") + "--" + option.usage, option.help) }
    }

    // MARK: batond(1)

    private static var batond: String {
        var page = Roff("batond", section: 1, about: "a playback hub")
        page.heading("Synopsis")
        page.paragraph("batond [OPTIONS]")
        page.heading("Description")
        page.paragraph(
            "batond plays music on this machine and lets remotes steer it: a web page, baton, and programs of others. Each option is also an "
                + "environment variable and a line of batond.conf(5). A flag counts before the environment, and that before the file.")
        page.heading("Options")
        page.term("--config FILE", "read this file instead of the usual one")
        page.term("-h, --help", "print the options; --help-limits prints the limits")
        page.term("--version", "print the version")
        for setting in SettingAbout.all where !setting.isLimit { page.term(setting.usage, "\(setting.help) [\(setting.usual)]") }
        page.part("Limits")
        for setting in SettingAbout.all where setting.isLimit { page.term(setting.usage, "\(setting.help) [\(setting.usual)]") }
        page.heading("Signals")
        page.term("SIGTERM, SIGINT", "tell the remotes, keep what plays and where, and end")
        page.heading("Exit status")
        page.term("0", "ended as it was asked to")
        page.term("1", "could not start, or could not go on")
        page.term("2", "the settings make no sense")
        page.heading("See also")
        page.paragraph("baton(1), batond.conf(5)")
        return page.text
    }

    // MARK: batond.conf(5)

    private static var configuration: String {
        var page = Roff("batond.conf", section: 5, about: "settings of batond")
        page.heading("Synopsis")
        page.paragraph("~/.config/baton/batond.conf; of the service /etc/baton/batond.conf")
        page.heading("Description")
        page.paragraph(
            "One setting on a line, as name = value. A line that begins with # is a comment, and so is what stands behind a semicolon that "
                + "follows a space. yes and no may also be on and off, true and false, 1 and 0. Paths are absolute or begin with ~/. "
                + "Everything is optional.")
        page.example(["name = Living room", "music = /srv/music", "lan_plain = off"])
        page.heading("Settings")
        for setting in SettingAbout.all where !setting.isLimit { describe(setting, &page) }
        page.heading("Limits")
        page.paragraph("These stand below a line [limits].")
        for setting in SettingAbout.all where setting.isLimit { describe(setting, &page) }
        page.heading("Sections")
        page.paragraph(
            "[source NAME] is an account at a server, and [worker NAME] what makes music from words; baton source and baton worker add them "
                + "without this file. The sample configuration shows their settings.")
        page.heading("See also")
        page.paragraph("batond(1), baton(1)")
        return page.text
    }

    private static func describe(_ setting: SettingAbout, _ page: inout Roff) {
        let again = setting.repeats ? " It may stand on several lines." : ""
        page.term(
            "\(setting.name) = \(setting.placeholder ?? "yes|no")",
            "\(setting.help) Usual: \(setting.usual). Takes \(setting.accepts).\(again)")
    }
}

extension SettingAbout {
    fileprivate var usage: String { placeholder.map { "--\(flag) \($0)" } ?? "--[no-]\(flag)" }
}

extension Arguments.Option {
    /// The usage without its leading dashes.
    var usage: String {
        switch shape {
        case .flag: name
        case .yesOrNo: "[no-]\(name)"
        case .number: "\(name) [N]"
        case .word(let words): "\(name) [\(words.joined(separator: "|"))]"
        case .value(let placeholder): "\(name) \(placeholder)"
        }
    }
}
