import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs that look for something to hear. Rows are numbered, and the same words with `--play 3` play
/// the third.
extension Verb {
    private static let usualRows = 80
    private static let allRows = 10_000

    @Sendable static func search(_ call: Invocation, _ satellite: Satellite) async throws {
        _ = try call.operand(0, "words to look for")
        let text = call.operands.joined(separator: " ")
        var params: JSONObject = ["q": .string(text)]
        if let kind = call.options["kind"] {
            guard ItemKind(rawValue: kind) != nil else {
                throw Stop(.usage, "There is no kind “\(kind)”. There is: \(ItemKind.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            params["kinds"] = [.string(kind)]
        }
        let whole = ItemURI.found(by: text)
        try await satellite.withHub(call) { [params] hub in
            _ = try await hub.state()
            try await found(
                call, hub, "lib.search", params, as: whole, nothing: "Nothing is called “\(text)”. Fewer or shorter words find more.")
        }
    }

    @Sendable static func browse(_ call: Invocation, _ satellite: Satellite) async throws {
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            var node: ItemURI?
            for word in call.operands { node = try await step(into: word, from: node, hub) }
            var params = JSONObject()
            if let node { params["node"] = .string(node.text) }
            if let sort = call.options["sort"] { params["sort"] = .string(sort) }
            let nothing = node == nil ? "This hub has no library yet. Add a folder: baton library add FOLDER" : "Nothing is in there."
            try await found(call, hub, "lib.browse", params, as: node, nothing: nothing)
        }
    }

    /// One word of the way: an item's name, a shelf, the number of a row, or its title.
    private static func step(into word: String, from node: ItemURI?, _ hub: SteadyHub) async throws -> ItemURI {
        if word.contains(":") { return ItemURI(word) }
        guard let node else { return LibraryShelf.uri(named: word.lowercased()) }
        let number = Int(word)
        let most = number.map { max(1, $0) } ?? allRows
        let rows = try await hub.items("lib.browse", ["node": .string(node.text)], most: most).list.rows
        if let number, rows.indices.contains(number - 1) { return rows[number - 1].uri }
        if let row = rows.first(where: { $0.tags.title.lowercased() == word.lowercased() }) { return row.uri }
        throw Stop(.refused, "There is no “\(word)” there. See: baton browse \(node)")
    }

    // MARK: What was found

    private static let deeds: [(option: String, at: JSON?)] = [("play", nil), ("add", "end"), ("next", "next")]

    /// Shows the rows, or does with one of them, or all, what the options say.
    private static func found(
        _ call: Invocation, _ hub: SteadyHub, _ method: String, _ params: JSONObject, as whole: ItemURI?, nothing: String
    ) async throws {
        let wanted = deeds.filter { call.options[$0.option] != nil }
        guard wanted.count < 2 else { throw Stop(.usage, "Say one of --play, --add and --next.") }
        guard let deed = wanted.first else { return try await show(call, hub, method, params, nothing: nothing) }
        if call.options.has("all") {
            guard let whole else {
                throw Stop(.usage, "--all needs something that holds others: baton browse SHELF --all --\(deed.option)")
            }
            return try await act(deed.at, whole, call, hub)
        }
        let number = call.options[deed.option].flatMap { Int($0) } ?? 1
        guard number >= 1 else { throw Stop(.usage, "Rows count from 1.") }
        let rows = try await hub.items(method, params, most: number).list.rows
        guard rows.indices.contains(number - 1) else {
            throw Stop(.refused, rows.isEmpty ? nothing : "There are \(rows.count) rows, and no number \(number).")
        }
        try await act(deed.at, rows[number - 1].uri, call, hub)
    }

    private static func act(_ place: JSON?, _ uri: ItemURI, _ call: Invocation, _ hub: SteadyHub) async throws {
        guard let place else {
            try await hub.command("play", ["uri": .string(uri.text)], key: Keys.random())
            return try await report(call, hub, or: "Playing.")
        }
        let reply = try await hub.command("queue.add", ["uris": [.string(uri.text)], "at": place], key: Keys.random()).reply
        if call.json { return try await report(call, hub) }
        let count = (reply.queue?.ids?.count ?? 0) + (reply.queue?.more ?? 0)
        Output.line("Added \(count) \(count == 1 ? "entry" : "entries").")
    }

    private static func show(
        _ call: Invocation, _ hub: SteadyHub, _ method: String, _ params: JSONObject, nothing: String
    ) async throws {
        let (list, raw) = try await hub.items(method, params, most: call.options.has("all") ? allRows : usualRows)
        if call.json {
            var object: JSONObject = ["rows": .array(raw)]
            object["total"] = list.total.map { .int(Int64($0)) }
            return Output.json { [object] in $0.value(.object(object)) }
        }
        if list.rows.isEmpty { return Output.line(nothing) }
        var lines = ItemLines(call.ink)
        for row in list.rows { lines.add(row) }
        lines.print()
        guard list.cursor != nil else { return }
        Output.trouble("\(list.total.map { "\($0 - list.rows.count) more" } ?? "More") with --all.")
    }
}
