import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs that find items. Rows are numbered, and the same words with `--play 3` play the third row.
extension Verb {
    private static let usualRows = 80
    private static let allRows = 10_000

    @Sendable static func search(_ call: Invocation, _ satellite: Satellite) async throws {
        _ = try call.operand(0, "words to look for")
        let text = call.operands.joined(separator: " ")
        let kind: ItemKind? = try call.choice("kind")
        let question = Commands.Search(
            text, kinds: kind.map { [$0] }, source: call.options["source"], isUnfolded: call.options.has("unfold"),
            isAvailable: call.options.has("available"))
        let whole = ItemURI.found(by: text)
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            try await found(
                for: call, on: hub, asking: question, as: whole, nothing: "Nothing is called “\(text)”. Fewer or shorter words find more.")
        }
    }

    @Sendable static func browse(_ call: Invocation, _ satellite: Satellite) async throws {
        let sort: ItemSort? = try call.choice("sort")
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            var place = Shelves()
            var words = call.operands[...]
            // A leading number is a row of the last listing.
            if let first = words.first, LastListing.numbers(first) != nil, call.memory.lastListing?.isQueue == false {
                place = try await place.step(into: try await call.uri(of: first, hub).text, as: first, hub)
                words = words.dropFirst()
            }
            for word in words { place = try await place.step(into: word, hub) }
            if let item = place.single { return try await tell(of: item, at: place, for: call, on: hub) }
            let question = Commands.Browse(
                node: place.node, sort: sort, isUnfolded: call.options.has("unfold"), isAvailable: call.options.has("available"))
            try await found(
                for: call, on: hub, asking: question, as: place.node, telling: place.node, of: place.source, nothing: place.nothing)
        }
    }

    /// Shows an item without content: the text from its source, such as a recap of a book, and the way to play it.
    private static func tell(of item: ItemRow, at place: Shelves, for call: Invocation, on hub: ReconnectingHub) async throws {
        if let rowAction = try rowAction(call) {
            return try await act(at: rowAction.at, on: item.variants.first ?? item.uri, for: call, hub: hub)
        }
        if call.json { return Output.json { $0.object { $0.member("rows", array: { _ in }) } } }
        if let about = try await hub.send(Commands.Item(item.uri)).answer?.details.about { return Output.line(about) }
        Output.line("“\(item.tags.title)” holds nothing else. To play it: \(place.command) --play")
    }

    // MARK: Results

    private static let rowActions: [(option: String, at: InsertionPoint?)] = [("play", nil), ("add", .end), ("next", .next)]

    /// The action for a row; `nil` to show the rows.
    static func rowAction(_ call: Invocation) throws(Stop) -> (option: String, at: InsertionPoint?)? {
        let wanted = rowActions.filter { call.options[$0.option] != nil }
        guard wanted.count < 2 else { throw Stop(.usage, "Say one of --play, --add and --next.") }
        return wanted.first
    }

    /// Shows the rows, or plays or adds one or all of them, depending on the options. For an item without rows it
    /// shows the text from its source, such as a recap of a book.
    static func found(
        for call: Invocation, on hub: ReconnectingHub, asking question: some ItemQuestion, as whole: ItemURI?, telling item: ItemURI? = nil,
        of source: String? = nil, nothing: String
    ) async throws {
        guard let rowAction = try rowAction(call) else {
            return try await show(for: call, on: hub, asking: question, item: item, of: source, nothing: nothing)
        }
        if call.options.has("all") {
            guard let whole else {
                throw Stop(.usage, "--all needs something that holds others: baton browse SHELF --all --\(rowAction.option)")
            }
            return try await act(at: rowAction.at, on: whole, for: call, hub: hub)
        }
        let number = call.options[rowAction.option].flatMap { Int($0) } ?? 1
        guard number >= 1 else { throw Stop(.usage, "Rows count from 1.") }
        let most = source == nil ? number : allRows
        let rows = try await hub.items(question, most: most, pagesOf: usualRows).list.rows.filter { $0.isOf(source) }
        guard rows.indices.contains(number - 1) else {
            throw Stop(.refused, rows.isEmpty ? nothing : "There are \(rows.count) rows, and no number \(number).")
        }
        let row = rows[number - 1]
        try await act(at: rowAction.at, on: row.variants.first ?? row.uri, for: call, hub: hub)
    }

    /// Plays or adds a whole container, even if only its row is visible.
    static func act(at place: InsertionPoint?, on uri: ItemURI, for call: Invocation, hub: ReconnectingHub) async throws {
        guard let place else {
            try await hub.send(Commands.Play(uri))
            return try await report(call, hub, or: "Playing.")
        }
        let reply = try await hub.send(Commands.QueueAdd([uri], place: place)).reply
        if call.json || call.format != nil { return try await report(call, hub) }
        let count = (reply.queue?.ids?.count ?? 0) + (reply.queue?.more ?? 0)
        Output.line("Added \(count) \(count == 1 ? "entry" : "entries").")
    }

    private static func show(
        for call: Invocation, on hub: ReconnectingHub, asking question: some ItemQuestion, item: ItemURI?, of source: String?,
        nothing: String
    ) async throws {
        let most = call.options.has("all") ? allRows : usualRows
        var shown = ShownRows(call, SourceTitles(try await hub.state().sources), of: source)
        let (list, raw) = try await hub.items(question, most: most, pagesOf: min(100, most)) { shown.add($0) }
        if call.json {
            let ofSource = zip(raw, list.rows).filter { $1.isOf(source) }.map { $0.0 }
            var object: JSONObject = ["rows": .array(ofSource)]
            object["total"] = list.total.map { .int(Int64($0)) }
            if !list.missed.isEmpty { object["missed"] = .array(list.missed.map { .string($0) }) }
            return Output.json { [object] in $0.value(.object(object)) }
        }
        if list.rows.isEmpty {
            var told: String?
            if let item { told = try await hub.send(Commands.Item(item)).answer?.details.about }
            Output.line(told ?? nothing)
        }
        shown.end(list)
        await call.remember(list.rows.filter { $0.isOf(source) }, of: hub)
        guard list.cursor != nil else {
            if let total = list.total, total > list.rows.count, !list.rows.isEmpty {
                Output.trouble("These are \(list.rows.count) of \(total), drawn anew each time.")
            }
            return
        }
        Output.trouble("\(list.total.map { "\($0 - list.rows.count) more" } ?? "More") with --all.")
    }
}

/// Prints rows page by page.
private struct ShownRows {
    private let call: Invocation
    private let titles: SourceTitles
    /// The only source whose rows are shown.
    private let source: String?
    private var rows: [ItemURI: Int] = [:]
    private var showsSources = false

    init(_ call: Invocation, _ titles: SourceTitles, of source: String?) {
        self.source = source
        self.call = call
        self.titles = titles
    }

    mutating func add(_ page: ItemList) {
        // Programs get all rows at the end.
        guard !call.json else { return }
        // Shelves of several sources may have the same titles.
        let others = Set(page.rows.filter { $0.isOf(source) }.map { $0.uri.source }).count > 1
        showsSources = showsSources || others || !page.asked.isEmpty || page.rows.contains { !$0.variants.isEmpty }
        var lines = ItemLines(call, behind: rows.count, sources: showsSources ? titles : nil)
        for row in page.rows where row.isOf(source) {
            lines.add(row)
            rows[row.uri] = lines.count
        }
        lines.print()
        if !page.asked.isEmpty, Output.isTerminal { Output.trouble("Asking \(page.asked.map(titles.of(_:)).joined(separator: ", ")) …") }
    }

    /// Prints facts that need all pages.
    func end(_ list: ItemList) {
        let joined = list.joined.compactMap { row in rows[row.uri].map { ($0, row.places.filter { $0 != row.uri }) } }
        for (number, places) in joined.sorted(by: { $0.0 < $1.0 }) {
            Output.line("\(number) is also at \(titles.of(places)).")
        }
        if !list.missed.isEmpty { Output.trouble("\(list.missed.map(titles.of(_:)).joined(separator: ", ")) gave no answer in time.") }
    }
}
