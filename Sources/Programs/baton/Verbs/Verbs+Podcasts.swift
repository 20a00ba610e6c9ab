import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import StationLists

/// Verbs for podcasts, which are given by row, title, start of the title, or URI.
extension Verb {
    static let podcastEdits: Choices = [
        "list": listPodcasts, "add": addPodcast, "episodes": showEpisodes, "refresh": refreshPodcasts, "keep": keepPodcast,
        "remove": changes(
            { call, hub in try await podcast(named: call.operands, hub) }, by: { Commands.PodcastRemove($0.uri) },
            says: { "“\($0.title)” is removed." }, confirming: { "Removing “\($0.title)”" }, list: listPodcasts),
        "import": importPodcasts, "export": exportPodcasts,
    ]

    // MARK: Listing

    @Sendable private static func listPodcasts(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        if call.json { return Output.json(try await hub.send(Commands.PodcastListing())) }
        let rows = try await podcasts(hub)
        if rows.isEmpty { return Output.line("No podcast yet. Add one: baton podcast add URL, or baton podcast import FILE.") }
        var table = Table(["", "podcast", "episodes", "state", ""], call.ink)
        table.paint(column: 1, .bold)
        let now = Clock.wallMs()
        for (at, row) in rows.enumerated() {
            let kept = row.keep > 0 ? "newest \(row.keep) on the hub's disk" : ""
            let looked = row.checkedMs.map { "looked at \(TimeText.ago(ms: now - $0))" } ?? "not looked at yet"
            table.add("\(at + 1)", row.title, count(row.episodes, "episode"), row.sentence ?? looked, kept)
        }
        table.print()
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// All podcasts, page by page.
    private static func podcasts(_ hub: ReconnectingHub) async throws -> [PodcastList.Row] {
        var page = PageRequest(limit: 100)
        var rows: [PodcastList.Row] = []
        while true {
            let list = try await hub.send(Commands.PodcastListing(page: page)).whole()
            rows += list.rows
            guard let cursor = list.cursor, !list.rows.isEmpty else { return rows }
            page.cursor = cursor
        }
    }

    private static func podcast(named words: some Sequence<String>, _ hub: ReconnectingHub) async throws -> PodcastList.Row {
        let name = words.joined(separator: " ")
        guard !name.isEmpty else { throw Stop(.usage, "Name a podcast: its row in the list, its title, or its URI.") }
        let rows = try await podcasts(hub)
        if let number = Int(name) {
            guard rows.indices.contains(number - 1) else { throw Stop(.refused, "There is no podcast \(number); there are \(rows.count).") }
            return rows[number - 1]
        }
        let lower = name.lowercased()
        if let row = rows.first(where: { $0.uri.text == name || $0.title.lowercased() == lower }) { return row }
        let fitting = rows.filter { $0.title.lowercased().hasPrefix(lower) }
        guard fitting.count <= 1 else {
            let names = fitting.prefix(6).map(\.title).joined(separator: ", ")
            throw Stop(.refused, "Several podcasts fit “\(name)”. Name one of them: \(names).")
        }
        guard let row = fitting.first else { throw Stop(.refused, "There is no podcast called “\(name)”.") }
        return row
    }

    @Sendable private static func showEpisodes(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let row = try await podcast(named: call.operands, hub)
        _ = try await hub.state()
        try await found(
            for: call, on: hub, asking: Commands.Browse(node: row.uri), as: row.uri,
            nothing: row.sentence ?? "“\(row.title)” has no episode yet.")
    }

    // MARK: Changing

    @Sendable private static func addPodcast(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let url = try call.onlyOperand("the address of a feed")
        var new = Commands.PodcastAdd(url)
        if call.options["user"] != nil {
            let login = try SourceLogin(askedFor: call, at: url)
            (new.user, new.password) = (login.user, login.password)
        }
        let answer = try await hub.send(new)
        if call.json { return Output.json(answer) }
        guard let row = try answer.whole().rows.first else { return Output.line("It is kept.") }
        if case .noop = answer.reply.outcome { return Output.line("“\(row.title)” is kept already.") }
        Output.line(
            "“\(row.title)” is kept, with \(count(row.episodes, "episode")). To hear it: baton podcast episodes \(row.title) --play 1")
        if let sentence = row.sentence { Output.trouble(sentence) }
    }

    @Sendable private static func refreshPodcasts(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        guard !call.operands.isEmpty else {
            try await hub.send(Commands.PodcastRefresh())
            if call.json { return Output.json(try await hub.send(Commands.PodcastListing())) }
            return Output.line("The hub looks for new episodes now.")
        }
        let row = try await podcast(named: call.operands, hub)
        try await hub.send(Commands.PodcastRefresh(uri: row.uri))
        if call.json { return Output.json(try await hub.send(Commands.PodcastListing())) }
        let now = try await podcast(named: [row.uri.text], hub)
        let new = max(0, now.episodes - row.episodes)
        Output.line(now.sentence ?? "“\(now.title)” has \(new == 0 ? "nothing new" : count(new, "new episode")).")
    }

    @Sendable private static func keepPodcast(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        guard call.operands.count > 1, let number = call.operands.last.flatMap({ Int($0) }), 0...PodcastText.mostKept ~= number else {
            throw Stop(.usage, "podcast keep takes a podcast and a number of episodes, 0 to \(PodcastText.mostKept).")
        }
        let row = try await podcast(named: call.operands.dropLast(), hub)
        try await hub.send(Commands.PodcastKeep(row.uri, count: number))
        if call.json { return Output.json(try await hub.send(Commands.PodcastListing())) }
        Output.line(
            number == 0
                ? "No episode of “\(row.title)” is kept on the hub's disk."
                : "The newest \(count(number, "episode")) of “\(row.title)” will be on the hub's disk. How far that is: baton keep")
    }

    // MARK: Files

    @Sendable private static func importPodcasts(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let path = try call.onlyOperand("a file of OPML")
        let bytes = try PlaylistFile.bytes(of: path, atMost: StationFile.mostBytes)
        guard StationFile.Format(bytes) == .opml else { throw Stop(.refused, "“\(path)” is no OPML.") }
        let file: StationFile
        do throws(SourceFault) { file = try StationFile(bytes, named: path) } catch { throw Stop(.refused, error.sentence) }
        let before = try await hub.send(Commands.PodcastListing()).whole().total
        var rest = file.stations.map { ItemURI($0.url) }[...]
        while !rest.isEmpty {
            // Limit of a part: a hundred long addresses do not fit into one message.
            let part = rest.prefix(25)
            try await hub.send(Commands.PodcastImport(Array(part)))
            rest = rest.dropFirst(part.count)
        }
        let added = try await hub.send(Commands.PodcastListing()).whole().total - before
        if call.json { return Output.json { $0.object { $0.member("added", added) } } }
        let passed = file.passedOver > 0 ? " \(file.passedOver) had no http or https address." : ""
        Output.line("\(added) of \(count(file.stations.count, "podcast")) are new; their feeds are read now.\(passed)")
    }

    @Sendable private static func exportPodcasts(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let path = try call.onlyOperand("the file to write, as podcasts.opml")
        let rows = try await podcasts(hub).filter { !$0.url.isEmpty }
        try PlaylistFile.write(PodcastFile.opml(rows.map { ($0.title, $0.url) }), to: path)
        if call.json {
            return Output.json {
                $0.object {
                    $0.member("file", path)
                    $0.member("n", rows.count)
                }
            }
        }
        Output.line("\(count(rows.count, "podcast")) \(rows.count == 1 ? "is" : "are") in \(path).")
    }
}

/// Subscriptions as a file for other programs.
enum PodcastFile {
    static func opml(_ podcasts: [(title: String, url: String)]) -> String {
        let lines = podcasts.map { podcast in
            let (title, url) = (MarkupText.escaped(podcast.title), MarkupText.escaped(podcast.url))
            return "    <outline type=\"rss\" text=\"\(title)\" title=\"\(title)\" xmlUrl=\"\(url)\"/>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
              <head><title>Podcasts</title></head>
              <body>
            \(lines.joined())  </body>
            </opml>

            """
    }
}
