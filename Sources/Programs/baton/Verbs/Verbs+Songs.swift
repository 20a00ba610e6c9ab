import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Finds a station's current song in the person's own music, in all sources.
extension Verb {
    private static let mostRows = 100

    @Sendable static func find(_ call: Invocation, _ satellite: Satellite) async throws {
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            let song = try await song(call, hub)
            let found = try await copies(of: song, hub)
            guard let rowAction = try rowAction(call) else { return await show(found, of: song, for: call, on: hub) }
            let number = call.options[rowAction.option].flatMap { Int($0) } ?? 1
            guard number >= 1 else { throw Stop(.usage, "Rows count from 1.") }
            guard let row = found.rows.dropFirst(number - 1).first, !row.isAway else {
                throw Stop(
                    .refused,
                    found.rows.count < number ? "No source has “\(song.text)”." : "“\(song.text)” is only at sources that are away.")
            }
            try await act(at: rowAction.at, on: row.variants.first ?? row.uri, for: call, hub: hub)
        }
    }

    /// The song in a row of `baton radio titles`, in the words, or on the current station.
    private static func song(_ call: Invocation, _ hub: ReconnectingHub) async throws -> SongTitle {
        if let first = call.operands.first, Int(first) != nil {
            return SongTitle(try await title(inRow: first, of: Array(call.operands.dropFirst()), hub))
        }
        if !call.operands.isEmpty { return SongTitle(call.operands.joined(separator: " ")) }
        guard let title = await hub.mirror.now?.tags.streamTitle, !title.isEmpty else {
            throw Stop(.usage, "No station says what it plays here. Name a song: baton find \"Artist - Title\"")
        }
        return SongTitle(title)
    }

    /// Copies of the song, best first, with the hub's raw rows.
    private static func copies(of song: SongTitle, _ hub: ReconnectingHub) async throws -> (rows: [ItemRow], raw: [ItemURI: JSON]) {
        let servers = Set(try await hub.state().sources?.sources.map(\.name) ?? [])
        for question in song.questions {
            let found = try await hub.items(Commands.Search(question, kinds: [.track]), most: mostRows)
            let rows = song.matches(among: found.list.rows) { row in
                row.kept?.isWhole == true || !servers.contains(String((row.variants.first ?? row.uri).source))
            }
            guard rows.isEmpty else { return (rows, Dictionary(zip(found.list.rows.map(\.uri), found.raw)) { first, _ in first }) }
        }
        return ([], [:])
    }

    private static func show(
        _ found: (rows: [ItemRow], raw: [ItemURI: JSON]), of song: SongTitle, for call: Invocation, on hub: ReconnectingHub
    ) async {
        if call.json {
            let object: JSONObject = ["song": .string(song.text), "rows": .array(found.rows.compactMap { found.raw[$0.uri] })]
            return Output.json { [object] in $0.value(.object(object)) }
        }
        if found.rows.isEmpty { return Output.line("No source has “\(song.text)”.") }
        var lines = ItemLines(call)
        for row in found.rows { lines.add(row) }
        lines.print()
        await call.remember(found.rows, of: hub)
    }
}
