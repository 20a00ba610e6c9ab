import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs for playlists on servers. A list is given by its URI from `baton browse`, and entries by row; a row number
/// is valid only for the list's version in which it was read.
extension Verb {
    /// The given list, if it is one of a server.
    private static func listAtServer(_ call: Invocation) -> ItemURI? {
        guard let text = call.operands.first, let colon = text.firstIndex(of: ":"), SourceText.isName(String(text[..<colon])),
            text[colon...].hasPrefix(":playlist/")
        else { return nil }
        return ItemURI(text)
    }

    /// Chooses the verb for the hub's lists or the one for lists on servers.
    static func either(
        _ here: @escaping Choice, _ there: @escaping @Sendable (ItemURI, Invocation, ReconnectingHub) async throws -> Void
    ) -> Choice {
        { call, hub in
            if let list = listAtServer(call) { try await there(list, call, hub) } else { try await here(call, hub) }
        }
    }

    private static func contents(of list: ItemURI, _ hub: ReconnectingHub) async throws -> (list: ItemList, raw: [JSON]) {
        try await hub.items(Commands.Browse(node: list), most: 10_000)
    }

    private static func title(_ list: ItemURI, _ contents: ItemList) -> String { contents.node?.tags.title ?? list.text }

    @Sendable static func showThere(_ list: ItemURI, for call: Invocation, on hub: ReconnectingHub) async throws {
        let (contents, raw) = try await contents(of: list, hub)
        if call.json {
            var object: JSONObject = ["list": .string(list.text), "name": .string(title(list, contents)), "rows": .array(raw)]
            if let version = contents.version { object["version"] = .string(version) }
            return Output.json { [object] in $0.value(.object(object)) }
        }
        if contents.rows.isEmpty { return Output.line("“\(title(list, contents))” is empty.") }
        var lines = ItemLines(call)
        for row in contents.rows { lines.add(row) }
        lines.print()
        await call.remember(contents.rows, of: hub)
    }

    // MARK: Editing

    @discardableResult
    private static func edit(
        _ list: ItemURI, version: String? = nil, by op: PlaylistOp, on hub: ReconnectingHub
    ) async throws -> PlaylistEdited {
        try await hub.send(Commands.PlaylistEdit(list: list, version: version, ops: [op])).whole()
    }

    @Sendable static func addThere(_ list: ItemURI, for call: Invocation, on hub: ReconnectingHub) async throws {
        var uris = try await call.uris(of: call.operands.dropFirst(), hub)
        if uris.isEmpty {
            guard let playing = await hub.mirror.now?.uri else { throw Stop(.refused, "Nothing plays, so name what to add.") }
            uris = [playing.text]
        }
        var copy = ListCopy(hub, list: list)
        for part in URIParts(uris) { try await copy.edit(part.map { ItemURI($0) }) }
        if call.json { return try await showThere(list, for: call, on: hub) }
        copy.print("Added", to: list.text)
    }

    /// The index of an entry, counted from 0.
    private static func place(_ text: String, in contents: ItemList, of list: ItemURI) throws(Stop) -> Int {
        guard let place = Int(text), contents.rows.indices.contains(place - 1) else {
            throw Stop(.refused, "There is no entry \(text) in “\(title(list, contents))”; it has \(contents.rows.count).")
        }
        return place - 1
    }

    @Sendable static func removeThere(_ list: ItemURI, for call: Invocation, on hub: ReconnectingHub) async throws {
        _ = try call.operand(1, "a playlist and the numbers of entries")
        let contents = try await contents(of: list, hub).list
        let places = try call.operands.dropFirst().map { text throws(Stop) in try place(text, in: contents, of: list) }
        try await edit(list, version: contents.version, by: .indexed(.remove(places)), on: hub)
        try await showThere(list, for: call, on: hub)
    }

    @Sendable static func moveThere(_ list: ItemURI, for call: Invocation, on hub: ReconnectingHub) async throws {
        let target = try call.operand(2, "a playlist, the number of an entry and the place it shall have")
        guard let to = Int(target), to >= 1 else { throw Stop(.usage, "“\(target)” is no place in a playlist. Places count from 1.") }
        let contents = try await contents(of: list, hub).list
        let from = try place(call.operands[1], in: contents, of: list)
        try await edit(list, version: contents.version, by: .indexed(.move(from: from, to: min(to, contents.rows.count) - 1)), on: hub)
        try await showThere(list, for: call, on: hub)
    }

    @Sendable static func renameThere(_ list: ItemURI, for call: Invocation, on hub: ReconnectingHub) async throws {
        let name = try call.operand(1, "a playlist and its new name")
        guard call.operands.count == 2 else {
            throw Stop(.usage, "playlist rename takes a playlist and one name; put quotation marks around the name.")
        }
        try await edit(list, by: .plain(.rename(name)), on: hub)
        if call.json { return try await showThere(list, for: call, on: hub) }
        Output.line("It is called “\(name)” now.")
    }

    @Sendable static func describeThere(_ list: ItemURI, for call: Invocation, on hub: ReconnectingHub) async throws {
        let text = try call.operand(1, "a playlist and a text about it")
        try await edit(list, by: .indexed(.describe(text)), on: hub)
        if call.json { return try await showThere(list, for: call, on: hub) }
        Output.line(text.isEmpty ? "It has no text any more." : "Its text is “\(text)” now.")
    }

    @Sendable static func publishThere(_ list: ItemURI, for call: Invocation, on hub: ReconnectingHub) async throws {
        let word = try call.operand(1, "a playlist, and on or off")
        guard ["on", "off"].contains(word) else { throw Stop(.usage, "playlist public takes on or off, and got “\(word)”.") }
        try await edit(list, by: .indexed(.publish(word == "on")), on: hub)
        if call.json { return try await showThere(list, for: call, on: hub) }
        Output.line(word == "on" ? "Everyone at its server sees it now." : "Only its owner sees it now.")
    }

    @Sendable static func deleteThere(_ list: ItemURI, for call: Invocation, on hub: ReconnectingHub) async throws {
        _ = try call.onlyOperand("a playlist")
        try call.confirm("Deleting \(list.text) at its server")
        try await hub.send(Commands.PlaylistDelete(list: list))
        if call.json { return Output.json { $0.value(["rows": .array([]), "deleted": .string(list.text)]) } }
        Output.line("The playlist is gone from its server.")
    }

    @Sendable static func playThere(_ list: ItemURI, for call: Invocation, on hub: ReconnectingHub) async throws {
        let number = call.operands.count > 1 ? call.operands[1] : "1"
        guard let place = Int(number), place >= 1, call.operands.count < 3 else {
            throw Stop(.usage, "playlist play takes a playlist, and the number of the entry to begin with.")
        }
        try await hub.send(Commands.Play(list, index: place - 1))
        try await report(call, hub, or: "Playing.")
    }

    @Sendable static func onlyThere(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        throw Stop(.refused, "Only playlists that servers keep have this. Name one by its URI, as baton browse shows it: attic:playlist/3")
    }

    // MARK: Copying

    /// Copies a playlist of the hub or a server to a list at a server.
    @Sendable static func copyList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        guard let source = call.options["to"] else { throw Stop(.usage, "Name where to: baton playlist copy LIST --to SOURCE") }
        _ = try call.onlyOperand("a playlist")
        let (name, rows): (String, [ItemRow])
        if let uri = listAtServer(call) {
            let contents = try await contents(of: uri, hub).list
            (name, rows) = (title(uri, contents), contents.rows)
        } else {
            let found = try await hub.contents(of: try await list(call, hub).id)
            (name, rows) = (found.list.name, found.rows.map(\.row))
        }
        guard !rows.isEmpty else { throw Stop(.refused, "“\(name)” is empty.") }
        try await make(call.options["name"] ?? name, of: rows.map(\.uri), at: source, for: call, on: hub)
    }

    static func make(_ name: String, of uris: [ItemURI], at source: String, for call: Invocation, on hub: ReconnectingHub) async throws {
        let known = await hub.mirror.sources?.sources.map(\.name) ?? []
        guard known.contains(source) else {
            throw Stop(
                .refused,
                "There is no source “\(source)”. " + (known.isEmpty ? "There is none yet." : "There is: \(known.joined(separator: ", "))."))
        }
        var copy = ListCopy(hub, list: nil)
        if uris.isEmpty { try await copy.create(name, [], at: source) }
        for start in stride(from: 0, to: uris.count, by: ListCopy.most) {
            let part = Array(uris[start..<min(uris.count, start + ListCopy.most)])
            if copy.list == nil { try await copy.create(name, part, at: source) } else { try await copy.edit(part) }
        }
        guard let list = copy.list else { throw Stop(.refused, "None of the \(uris.count) tracks is at “\(source)”, so no list was made.") }
        if call.json { return copy.printJSON() }
        copy.print("Copied", to: "“\(name)” at \(source): \(list.text)")
    }
}
