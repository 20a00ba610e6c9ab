import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs that find items. Rows are numbered, and the same words with `--play 3` play
/// the third row.
extension Verb {
    private static let usualRows = 80
    private static let allRows = 10_000

    @Sendable static func search(_ call: Invocation, _ satellite: Satellite) async throws {
        _ = try call.operand(0, "words to look for")
        let text = call.operands.joined(separator: " ")
        let kind: ItemKind? = try call.choice("kind")
        let question = Commands.Search(text, kinds: kind.map { [$0] })
        let whole = ItemURI.found(by: text)
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            try await found(call, hub, question, as: whole, nothing: "Nothing is called “\(text)”. Fewer or shorter words find more.")
        }
    }

    @Sendable static func browse(_ call: Invocation, _ satellite: Satellite) async throws {
        let sort: ItemSort? = try call.choice("sort")
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            var node: ItemURI?
            for word in call.operands { node = try await step(into: word, from: node, hub) }
            let nothing = node == nil ? "This hub has no library yet. Add a folder: baton library add FOLDER" : "Nothing is in there."
            try await found(call, hub, Commands.Browse(node, sort: sort), as: node, nothing: nothing)
        }
    }

    /// The item that one word of the path names: the URI of an item, a shelf, the number of a row, or its title.
    private static func step(into word: String, from node: ItemURI?, _ hub: SteadyHub) async throws -> ItemURI {
        if word.contains(":") { return ItemURI(word) }
        guard let node else { return LibraryShelf.uri(named: word.lowercased()) }
        let number = Int(word)
        let most = number.map { max(1, $0) } ?? allRows
        let rows = try await hub.items(Commands.Browse(node), most: most).list.rows
        if let number, rows.indices.contains(number - 1) { return rows[number - 1].uri }
        if let row = rows.first(where: { $0.tags.title.lowercased() == word.lowercased() }) { return row.uri }
        throw Stop(.refused, "There is no “\(word)” there. See: baton browse \(node)")
    }

    // MARK: Results

    private static let deeds: [(option: String, at: Place?)] = [("play", nil), ("add", .end), ("next", .next)]

    /// Shows the rows, or plays or adds one of them, or all of them, as the options say.
    private static func found(
        _ call: Invocation, _ hub: SteadyHub, _ question: some ItemQuestion, as whole: ItemURI?, nothing: String
    ) async throws {
        let wanted = deeds.filter { call.options[$0.option] != nil }
        guard wanted.count < 2 else { throw Stop(.usage, "Say one of --play, --add and --next.") }
        guard let deed = wanted.first else { return try await show(call, hub, question, nothing: nothing) }
        if call.options.has("all") {
            guard let whole else {
                throw Stop(.usage, "--all needs something that holds others: baton browse SHELF --all --\(deed.option)")
            }
            return try await act(deed.at, whole, call, hub)
        }
        let number = call.options[deed.option].flatMap { Int($0) } ?? 1
        guard number >= 1 else { throw Stop(.usage, "Rows count from 1.") }
        let rows = try await hub.items(question, most: number).list.rows
        guard rows.indices.contains(number - 1) else {
            throw Stop(.refused, rows.isEmpty ? nothing : "There are \(rows.count) rows, and no number \(number).")
        }
        try await act(deed.at, rows[number - 1].uri, call, hub)
    }

    private static func act(_ place: Place?, _ uri: ItemURI, _ call: Invocation, _ hub: SteadyHub) async throws {
        guard let place else {
            try await hub.send(Commands.Play(uri))
            return try await report(call, hub, or: "Playing.")
        }
        let reply = try await hub.send(Commands.QueueAdd([uri], at: place)).reply
        if call.json { return try await report(call, hub) }
        let count = (reply.queue?.ids?.count ?? 0) + (reply.queue?.more ?? 0)
        Output.line("Added \(count) \(count == 1 ? "entry" : "entries").")
    }

    private static func show(_ call: Invocation, _ hub: SteadyHub, _ question: some ItemQuestion, nothing: String) async throws {
        let (list, raw) = try await hub.items(question, most: call.options.has("all") ? allRows : usualRows)
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
