import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs that show, create and edit playlists. People give a list by name or id, and entries by row, counted from 1.
/// Rows are converted to ids before a change.
extension Verb {
    static let playlistEdits: Choices = [
        "list": lists, "show": either(showList, showThere), "create": createList, "smart": smartList,
        "add": either(addToList, addThere),
        "remove": either(removeFromList, removeThere), "move": either(moveInList, moveThere), "rename": either(renameList, renameThere),
        "describe": either(onlyThere, describeThere), "public": either(onlyThere, publishThere), "share": shareList,
        "delete": either(deleteList, deleteThere), "restore": restoreList, "undo": undoInList, "play": either(playList, playThere),
        "copy": copyList,
        "export": exportList, "import": importList,
    ]

    /// The playlist that the first operand gives by name or id.
    static func list(_ call: Invocation, _ hub: ReconnectingHub, naming what: String = "a playlist") async throws -> PlaylistRow {
        let name = try call.operand(0, what)
        let rows = try await hub.playlists().rows
        if let row = rows.first(where: { $0.id.text == name || $0.id.uri.text == name }) { return row }
        let named = rows.filter { $0.name.lowercased() == name.lowercased() }
        if named.count == 1 { return named[0] }
        let known = (named.isEmpty ? rows : named).map { named.isEmpty ? $0.name : "\($0.name) (\($0.id))" }.joined(separator: ", ")
        throw named.isEmpty
            ? Stop(.refused, "There is no playlist “\(name)”. \(rows.isEmpty ? "There is none yet." : "There is: \(known).")")
            : Stop(.refused, "There are several playlists called “\(name)”. Name one by its id: \(known).")
    }

    // MARK: Listing

    @Sendable private static func lists(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let (rows, raw) = try await hub.playlists()
        if call.json { return Output.json { $0.value(["rows": .array(raw)]) } }
        if rows.isEmpty {
            return Output.line("There is no playlist yet. Make one: baton playlist create NAME, or --queue for what is queued.")
        }
        var table = Table(["playlist", "id", "tracks", "length", "", "owner"], call.ink)
        for row in rows {
            let count = row.count == 1 ? "1 track" : "\(row.count) tracks"
            table.add(
                row.name, row.id.text, count, row.durationMs > 0 ? TimeText.show(ms: row.durationMs) : "",
                row.rule == nil ? "" : "fills itself", row.owner.map { "\($0), \(row.sharing?.rawValue ?? "private")" } ?? "")
        }
        table.print()
    }

    @Sendable private static func showList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let id = call.options["link"] == nil ? try await list(call, hub).id : PlaylistID(try call.operand(0, "the id of a playlist"))
        try await show(id, for: call, on: hub)
    }

    private static func show(_ id: PlaylistID, for call: Invocation, on hub: ReconnectingHub) async throws {
        let (list, rows, raw) = try await hub.contents(of: id, link: call.options["link"])
        if call.json {
            return Output.json {
                $0.value(["id": .string(id.text), "name": .string(list.name), "rev": .int(Int64(list.revision)), "rows": .array(raw)])
            }
        }
        if rows.isEmpty { return Output.line("“\(list.name)” is empty.") }
        var lines = ItemLines(call)
        for row in rows { lines.add(row.row) }
        lines.print()
        await call.remember(rows.map(\.row), of: hub)
    }

    // MARK: Creating

    @Sendable private static func createList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.operand(0, "a name")
        let uris =
            call.options.has("queue")
            ? try await queued(hub) : try await call.uris(of: call.operands.dropFirst(), hub)
        if let source = call.options["to"] { return try await make(name, of: uris.map { ItemURI($0) }, at: source, for: call, on: hub) }
        let id = try await makeList(name, hub)
        for part in URIParts(uris) { try await add(part, to: id, hub) }
        if call.json { return try await show(id, for: call, on: hub) }
        Output.line("There is a playlist “\(name)” now. To see it: baton playlist show \(id)")
    }

    static func makeList(_ name: String, _ hub: ReconnectingHub) async throws -> PlaylistID {
        try await make(Commands.PlaylistCreate(name), hub)
    }

    private static func make(_ command: Commands.PlaylistCreate, _ hub: ReconnectingHub) async throws -> PlaylistID {
        guard let id = try await hub.send(command).answer?.id else {
            throw Stop(.connection, "The hub did not say how the new playlist is called.")
        }
        return id
    }

    @discardableResult
    static func add(_ uris: some Sequence<String>, to id: PlaylistID, _ hub: ReconnectingHub) async throws -> Int {
        let edited = try await edit(id, by: .add(uris.map { ItemURI($0) }, at: .end), on: hub)
        return edited.added.count + edited.more
    }

    /// The items in the room's queue.
    private static func queued(_ hub: ReconnectingHub) async throws -> [String] {
        var uris: [String] = []
        while true {
            let page = try await hub.send(Commands.QueueWindow(from: uris.count)).whole()
            uris += page.rows.compactMap(\.uri?.text)
            if page.rows.isEmpty || uris.count >= page.length { return uris }
        }
    }

    @Sendable private static func smartList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.operand(0, "a name and what must be so, such as 'stars>=4'")
        let rule = try SmartWords(Array(call.operands.dropFirst()), call.options).rule
        let id = try await make(Commands.PlaylistCreate(name, rule: rule), hub)
        if call.json { return try await show(id, for: call, on: hub) }
        Output.line("“\(name)” fills itself from now on. To see it: baton playlist show \(id)")
    }

    // MARK: Editing

    @discardableResult
    private static func edit(_ id: PlaylistID, by op: PlaylistOp, on hub: ReconnectingHub) async throws -> PlaylistEdited {
        try await hub.send(Commands.PlaylistEdit(id: id, ops: [op])).whole()
    }

    @Sendable private static func addToList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let list = try await list(call, hub)
        var uris = try await call.uris(of: call.operands.dropFirst(), hub)
        if uris.isEmpty {
            guard let playing = await hub.mirror.now?.uri else { throw Stop(.refused, "Nothing plays, so name what to add.") }
            uris = [playing.text]
        }
        var count = 0
        for part in URIParts(uris) { count += try await add(part, to: list.id, hub) }
        if call.json { return try await show(list.id, for: call, on: hub) }
        Output.line("Added \(count) \(count == 1 ? "track" : "tracks") to “\(list.name)”.")
    }

    /// The entries at the given rows of a list, counted from 1.
    private static func entries(_ places: some Sequence<String>, of list: PlaylistRow, _ hub: ReconnectingHub) async throws -> (
        ids: [EntryID], all: [EntryID]
    ) {
        let all = try await hub.contents(of: list.id).rows.map(\.id)
        let ids = try places.map { text throws(Stop) in
            guard let place = Int(text), all.indices.contains(place - 1) else {
                throw Stop(.refused, "There is no entry \(text) in “\(list.name)”; it has \(all.count).")
            }
            return all[place - 1]
        }
        return (ids, all)
    }

    @Sendable private static func removeFromList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        _ = try call.operand(1, "a playlist and the numbers of entries")
        let list = try await list(call, hub)
        let ids = try await entries(call.operands.dropFirst(), of: list, hub).ids
        try await edit(list.id, by: .plain(.remove(ids)), on: hub)
        try await show(list.id, for: call, on: hub)
    }

    @Sendable private static func moveInList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let target = try call.operand(2, "a playlist, the number of an entry and the place it shall have")
        guard let place = Int(target), place >= 1 else { throw Stop(.usage, "“\(target)” is no place in a playlist. Places count from 1.") }
        let list = try await list(call, hub)
        let (ids, all) = try await entries([call.operands[1]], of: list, hub)
        let anchor = all.filter { $0 != ids[0] }.prefix(place - 1).last
        try await edit(list.id, by: .plain(.move(ids, to: .after(anchor))), on: hub)
        try await show(list.id, for: call, on: hub)
    }

    @Sendable private static func renameList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.operand(1, "a playlist and its new name")
        guard call.operands.count == 2 else {
            throw Stop(.usage, "playlist rename takes a playlist and one name; put quotation marks around the name.")
        }
        let list = try await list(call, hub)
        try await edit(list.id, by: .plain(.rename(name)), on: hub)
        if call.json { return try await show(list.id, for: call, on: hub) }
        Output.line("It is called “\(name)” now.")
    }

    @Sendable private static func deleteList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        _ = try call.onlyOperand("a playlist")
        let list = try await list(call, hub)
        try call.confirm("Deleting the playlist “\(list.name)”")
        try await hub.send(Commands.PlaylistDelete(id: list.id))
        if call.json { return try await lists(call.alone, hub) }
        Output.line("“\(list.name)” is gone. What was in it stays in the library. To bring it back: baton playlist restore \(list.id)")
    }

    @Sendable private static func restoreList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let id = PlaylistID(try call.onlyOperand("the id of a deleted playlist"))
        try await hub.send(Commands.PlaylistRestore(id))
        try await show(id, for: call, on: hub)
    }

    @Sendable private static func undoInList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        _ = try call.onlyOperand("a playlist")
        let list = try await list(call, hub)
        try await edit(list.id, by: .plain(.undo), on: hub)
        try await show(list.id, for: call, on: hub)
    }

    // MARK: Playing

    @Sendable private static func playList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let number = call.operands.count > 1 ? call.operands[1] : "1"
        guard let place = Int(number), place >= 1, call.operands.count < 3 else {
            throw Stop(.usage, "playlist play takes a playlist, and the number of the entry to begin with.")
        }
        let list = try await list(call, hub)
        if list.count == 0 { throw Stop(.refused, "“\(list.name)” is empty.") }
        try await hub.send(Commands.Play(list.id.uri, index: place - 1))
        try await report(call, hub, or: "Playing “\(list.name)”.")
    }
}
