import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import StationLists

/// Verbs for radio stations, which are given by preset number, name or URI.
extension Verb {
    static let radioEdits: Choices = [
        "list": listStations, "find": findStations, "play": playStation, "add": addStation,
        "remove": changes(
            { call, hub in try await station(named: try stationName(call.operands), hub) }, by: { Commands.RadioChange(remove: $0.uri) },
            says: { "“\($0.station.title)” is removed." }, confirming: { "Removing the station “\($0.station.title)”" },
            list: listStations),
        "fav": starStation,
        "edit": changeStation, "import": importStations, "export": exportStations, "record": recordStation, "back": goBack, "live": goLive,
        "titles": showTitles, "save": saveTitle,
    ]

    // MARK: Listing

    @Sendable private static func listStations(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        if call.json { return Output.json(try await hub.send(Commands.RadioList())) }
        let stations = try await all(Commands.RadioList(), hub)
        if stations.isEmpty {
            return Output.line("No station yet. Add one: baton radio add NAME URL, or baton radio import FILE.")
        }
        let presets = stations.filter { $0.preset != nil }.sorted { ($0.preset ?? 0) < ($1.preset ?? 0) }
        show(presets + stations.filter { $0.preset == nil }, call)
    }

    @Sendable private static func findStations(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let words = call.operands.joined(separator: " ")
        let search = Commands.RadioList(
            words: words.isEmpty ? nil : words, country: call.options["country"], tag: call.options["tag"],
            language: call.options["language"])
        guard search != Commands.RadioList() else { throw Stop(.usage, "radio find needs words, --country, --tag or --language.") }
        let answer = try await hub.send(search)
        if call.json { return Output.json(answer) }
        let found = try answer.whole()
        if found.rows.isEmpty { throw Stop(.refused, "No station is found.") }
        show(found.rows, call)
        if found.total > found.rows.count { Output.line("and \(found.total - found.rows.count) more") }
    }

    private static func show(_ stations: [StationList.Row], _ call: Invocation) {
        if let format = call.format {
            for (index, row) in stations.enumerated() {
                var tags = Tags(title: row.station.title)
                tags.kind = .station
                Output.verbatim(ItemFields(number: row.preset ?? index + 1, ItemRow(uri: row.uri, tags: tags)).filled(into: format))
            }
            return
        }
        var table = Table(["", "station", "about", "where"], call.ink)
        table.paint(column: 1, .bold)
        for row in stations {
            let about = [row.station.country, row.station.language, row.station.tags.prefix(3).joined(separator: ", ")]
            table.add(
                row.preset.map(String.init) ?? "", row.station.title, about.filter { !$0.isEmpty }.joined(separator: " · "),
                row.station.url.isEmpty ? row.uri.text : row.station.url)
        }
        table.print()
    }

    /// All stations that the hub keeps, page by page.
    private static func all(_ search: Commands.RadioList, _ hub: ReconnectingHub) async throws -> [StationList.Row] {
        var search = search
        search.page.limit = 100
        var rows: [StationList.Row] = []
        while true {
            let page = try await hub.send(search).whole()
            rows += page.rows
            guard let cursor = page.cursor, !page.rows.isEmpty else { return rows }
            search.page.cursor = cursor
        }
    }

    // MARK: Playing

    @Sendable private static func playStation(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try stationName(call.operands)
        if let place = Int(name), 1...StationText.mostPresets ~= place {
            try await hub.send(Commands.RadioPlay(preset: place))
        } else {
            try await hub.send(name.hasPrefix("radio:") ? Commands.RadioPlay(uri: ItemURI(name)) : Commands.RadioPlay(name: name))
        }
        try await report(call, hub, or: "Playing “\(name)”.")
    }

    static func stationName(_ words: some Sequence<String>) throws(Stop) -> String {
        let name = words.joined(separator: " ")
        guard !name.isEmpty else { throw Stop(.usage, "Name a station: its number among the presets, its name, or its URI.") }
        return name
    }

    // MARK: Changing

    @Sendable private static func addStation(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        guard let url = call.operands.last, call.operands.count > 1,
            let station = Station(
                title: call.operands.dropLast().joined(separator: " "), url: url
            ).checked
        else { throw Stop(.usage, "radio add needs a name and an http or https URL.") }
        let source = call.options["source"]
        let outcome = try await hub.send(Commands.RadioChange(add: [station], source: source)).reply.outcome
        if call.json { return Output.json(try await hub.send(Commands.RadioList())) }
        if case .noop = outcome { return Output.line("There is a station at this address already.") }
        if let source { return Output.line("“\(station.title)” is kept at “\(source)”. To see it: baton browse \(source) stations") }
        Output.line("“\(station.title)” is kept. To hear it: baton radio play \(station.title)")
    }

    /// Changes a station. A station of a server is given by its URI.
    @Sendable private static func changeStation(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let row = try await station(named: try stationName(call.operands), hub)
        let (title, url) = (call.options["name"], call.options["url"])
        guard title != nil || url != nil else { throw Stop(.usage, "Say what is new: --name NAME, --url URL.") }
        let outcome = try await hub.send(Commands.RadioChange(change: row.uri, title: title, url: url)).reply.outcome
        if call.json { return Output.json(try await hub.send(Commands.RadioList())) }
        if case .noop = outcome { return Output.line("It is so already.") }
        Output.line("“\(title ?? row.station.title)” is changed.")
    }

    /// Marks a station as a preset. A number after the name is its position among the presets.
    @Sendable private static func starStation(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        var words = call.operands
        var place = StationText.mostPresets
        if words.count > 1, let last = words.last.flatMap({ Int($0) }), 1...StationText.mostPresets ~= last {
            place = last
            words.removeLast()
        }
        let row = try await station(named: try stationName(words), hub)
        try await hub.send(Commands.RadioChange(star: row.uri, place: call.options.has("off") ? 0 : place))
        if call.json { return Output.json(try await hub.send(Commands.RadioList(presetsOnly: true))) }
        let presets = try await all(Commands.RadioList(presetsOnly: true), hub)
        guard let now = presets.first(where: { $0.station.title == row.station.title })?.preset else {
            return Output.line("“\(row.station.title)” is no preset.")
        }
        Output.line("“\(row.station.title)” is preset \(now).")
    }

    /// The given station; `nil` without words, which means the current one.
    static func namedStation(_ words: [String], _ hub: ReconnectingHub) async throws -> ItemURI? {
        words.isEmpty ? nil : try await station(named: try stationName(words), hub).uri
    }

    static func station(named name: String, _ hub: ReconnectingHub) async throws -> StationList.Row {
        if let place = Int(name) {
            let presets = try await all(Commands.RadioList(presetsOnly: true), hub)
            guard let row = presets.first(where: { $0.preset == place }) else { throw Stop(.refused, "There is no preset \(place).") }
            return row
        }
        if name.hasPrefix("radio:") || name.contains(":station/") {
            return StationList.Row(uri: ItemURI(name), station: Station(title: name, url: ""))
        }
        let rows = try await hub.send(Commands.RadioList(words: name)).whole().rows
        if let row = rows.first(where: { $0.station.title.lowercased() == name.lowercased() }) { return row }
        guard rows.count <= 1 else {
            let names = rows.prefix(6).map(\.station.title).joined(separator: ", ")
            throw Stop(.refused, "Several stations fit “\(name)”. Name one of them: \(names).")
        }
        guard let row = rows.first else { throw Stop(.refused, "There is no station called “\(name)”.") }
        return row
    }

    // MARK: Files

    @Sendable private static func importStations(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let path = try call.onlyOperand("a list of stations: m3u, pls, OPML, XSPF, or JSON of Radio-Browser")
        let bytes = try PlaylistFile.bytes(of: path, atMost: StationFile.mostBytes)
        let file: StationFile
        do throws(SourceFault) { file = try StationFile(bytes, named: path) } catch {
            throw Stop(.refused, error.sentence)
        }
        let before = try await hub.send(Commands.RadioList()).whole().total
        var rest = file.stations[...]
        while !rest.isEmpty {
            // Limit of a part: a hundred long addresses do not fit into one message.
            let part = rest.prefix(25)
            try await hub.send(Commands.RadioChange(add: Array(part)))
            rest = rest.dropFirst(part.count)
        }
        let added = try await hub.send(Commands.RadioList()).whole().total - before
        if call.json {
            return Output.json {
                $0.object {
                    $0.member("added", added)
                    $0.member("passedOver", file.passedOver)
                }
            }
        }
        let passed = file.passedOver > 0 ? " \(file.passedOver) had no http or https address." : ""
        Output.line("\(added) of \(file.stations.count) stations are new.\(passed)")
    }

    @Sendable private static func exportStations(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let path = try call.onlyOperand("the file to write, as stations.m3u8 or stations.opml")
        let stations = try await all(Commands.RadioList(), hub).map(\.station).filter { !$0.url.isEmpty }
        guard let text = StationFile.text(of: stations, named: path) else {
            throw Stop(.usage, "“\(path)” does not say what form it has. Name it .m3u8, .m3u or .opml.")
        }
        try PlaylistFile.write(text, to: path)
        if call.json {
            return Output.json {
                $0.object {
                    $0.member("file", path)
                    $0.member("n", stations.count)
                }
            }
        }
        Output.line("\(stations.count) \(stations.count == 1 ? "station is" : "stations are") in \(path).")
    }
}
