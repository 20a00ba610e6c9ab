import Configuration

/// The texts of `baton help`: one screen with all commands, and a text for each verb.
enum Help {
    /// Each task with its commands; only the first row of a group names it.
    private static let lines: [(group: String, usage: String, says: String)] = [
        ("look", "top, watch, status", "a whole screen; live; what plays; current: a line"),
        ("find", "search WORDS...", "tracks, albums, artists; --play N, --add, --next"),
        ("", "browse [SHELF [N]]", "albums, composers, years, labels, recent ..."),
        ("play", "play [URI|PATH|WORDS]", "go on, or play this; play 3: row 3 of a listing"),
        ("", "pause, toggle, stop", "stop forgets the position; next, prev, sleep 30"),
        ("", "seek 1:23|+15, skip", "chapters, bookmark; shuffle, repeat, mode speed 2"),
        ("loud", "volume [35|+5|-5]", "show it or set it, 0 to 100; mute [on|off]"),
        ("queue", "queue [--long]", "what comes; add|next ITEM..., remove|jump N..."),
        ("", "queue move N PLACE", "clear, crop, load, shuffle, similar, save, undo"),
        ("keep", "playlist", "create, add, play, import, export, undo, smart"),
        ("", "radio [play NAME]", "stations: add, fav, find; podcast [add URL]"),
        ("", "fav, rate 0-5, split", "what plays, or an item; history, lyrics"),
        ("", "keep [URI|LIST...]", "on the hub's disk, for when a server is away"),
        ("", "imagine WORDS..., jobs", "music from words; clips, endless, steer, vary"),
        ("", "library, scan, source", "folders of music; look for changes; servers"),
        ("rooms", "rooms, people", "all rooms, also create, rename, set; who is here"),
        ("", "move ROOM", "take what plays there; --from ROOM: bring it here"),
        ("hub", "discover, doctor, pair", "hubs of this network; what is wrong with ours"),
        ("", "user, signin, me", "accounts; signup, signout; idle, ping, web, raw"),
    ]

    /// The help text for a screen of 24 lines and 80 columns.
    static var screen: String {
        let verbs = lines.map { line in
            Columns.padded(line.group, to: 6) + " " + Columns.padded(line.usage, to: 23) + " " + line.says
        }
        let exits = Exit.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
        return """
            usage: baton [--hub HUB] [--room ROOM] [--json] [--format TEXT] VERB ...
            \(verbs.joined(separator: "\n"))
            More about one: baton help VERB. Without --room: BATON_ROOM, or the first room.
            Without --hub: BATON_HUB, this machine's, the last used, the only one found.
            Exit: \(exits).
            """
    }

    static func text(of verb: Verb, options: [Arguments.Option]) -> String {
        let width = verb.usages.map { $0.usage.count }.max() ?? 0
        let usages = verb.usages.map { "  baton \(Columns.padded($0.usage, to: width))  \($0.says)" }
        let tail = options.isEmpty ? "" : "\n\n" + Arguments.help(options)
        let others = Alias.of(verb).map { "\($0.word) is \($0.means.joined(separator: " "))" }
        let also = others.isEmpty ? "" : "\n\n  Also: \(others.joined(separator: "; "))."
        return usages.joined(separator: "\n") + also + (verb.isFullScreen ? keys : "") + tail
    }

    /// The keys of `baton top`, in the same groups as in its own help.
    private static var keys: String {
        TopKey.groups.map { group in
            "\n\n  \(group.title):\n" + group.keys.map { "    \(Columns.padded($0.name, to: 10)) \($0.says)" }.joined(separator: "\n")
        }.joined()
    }
}
