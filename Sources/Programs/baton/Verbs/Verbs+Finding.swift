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
        let question = Commands.Search(
            text, kinds: kind.map { [$0] }, source: call.options["source"], isUnfolded: call.options.has("unfold"))
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
            let question = Commands.Browse(node, sort: sort, isUnfolded: call.options.has("unfold"))
            try await found(call, hub, question, as: node, nothing: nothing)
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
        let rows = try await hub.items(question, most: number, pagesOf: usualRows).list.rows
        guard rows.indices.contains(number - 1) else {
            throw Stop(.refused, rows.isEmpty ? nothing : "There are \(rows.count) rows, and no number \(number).")
        }
        let row = rows[number - 1]
        try await act(deed.at, row.places.first ?? row.uri, call, hub)
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
        let most = call.options.has("all") ? allRows : usualRows
        var shown = ShownRows(ink: call.ink, isQuiet: call.json, SourceTitles(try await hub.state().sources))
        let (list, raw) = try await hub.items(question, most: most, pagesOf: min(100, most)) { shown.add($0) }
        if call.json {
            var object: JSONObject = ["rows": .array(raw)]
            object["total"] = list.total.map { .int(Int64($0)) }
            if !list.missed.isEmpty { object["missed"] = .array(list.missed.map { .string($0) }) }
            return Output.json { [object] in $0.value(.object(object)) }
        }
        if list.rows.isEmpty { Output.line(nothing) }
        shown.end(list)
        guard list.cursor != nil else { return }
        Output.trouble("\(list.total.map { "\($0 - list.rows.count) more" } ?? "More") with --all.")
    }
}

/// Rows that are printed as their pages come.
private struct ShownRows {
    let ink: TextStyle
    /// For programs, which get all of them at the end.
    let isQuiet: Bool
    private let titles: SourceTitles
    private var rows: [ItemURI: Int] = [:]
    private var showsSources = false

    init(ink: TextStyle, isQuiet: Bool, _ titles: SourceTitles) {
        self.ink = ink
        self.isQuiet = isQuiet
        self.titles = titles
    }

    mutating func add(_ page: ItemList) {
        guard !isQuiet else { return }
        showsSources = showsSources || !page.asked.isEmpty || page.rows.contains { !$0.places.isEmpty }
        var lines = ItemLines(ink, behind: rows.count, sources: showsSources ? titles : nil)
        for row in page.rows {
            lines.add(row)
            rows[row.uri] = lines.count
        }
        lines.print()
        if !page.asked.isEmpty, Output.isTerminal { Output.trouble("Asking \(page.asked.map(titles.of(_:)).joined(separator: ", ")) …") }
    }

    /// What is known only when all pages are there.
    func end(_ list: ItemList) {
        let joined = list.joined.compactMap { row in rows[row.uri].map { ($0, row.places.filter { $0 != row.uri }) } }
        for (number, places) in joined.sorted(by: { $0.0 < $1.0 }) {
            Output.line("\(number) is also at \(titles.of(places)).")
        }
        if !list.missed.isEmpty { Output.trouble("\(list.missed.map(titles.of(_:)).joined(separator: ", ")) gave no answer in time.") }
    }
}
